/** The output of a run as it arrives: with colors, at its end until the reader scrolls, and with a search. */
import { useState } from 'preact/hooks'
import { Refused } from '../../parts/Notice.tsx'
import { VirtualList } from '../../parts/VirtualList.tsx'
import { type Look, runsOf } from './ansi.ts'
import { type Found, placeOf } from './found.ts'
import type { Line } from './lines.ts'
import { mostFound } from './search.ts'
import { useLog } from './useLog.ts'

const rowHeight = 20

export function Log({ jobId }: { readonly jobId: string }) {
  const { count, ended, found, refusal, pages, search } = useLog(jobId)
  const [chosen, setChosen] = useState<number>()
  const { words, lines } = found
  const place = chosen === undefined ? 0 : placeOf(lines, chosen)
  const shown = lines[place]
  const step = (by: number) => setChosen(lines[(place + by + lines.length) % lines.length])
  return (
    <section class="log" aria-labelledby="log">
      <div class="top">
        <h2 id="log">
          Log <span class="count">{count.toLocaleString()}</span>
        </h2>
        <form
          class="find"
          onSubmit={(event) => {
            event.preventDefault()
            step(1)
          }}
        >
          <input
            type="search"
            aria-label="Search the log"
            placeholder="Search"
            value={words}
            onInput={({ currentTarget }) => {
              search(currentTarget.value)
              setChosen(undefined)
            }}
          />
          {words !== '' && (
            <span role="status" class="hint">
              {howMany(found, place, count)}
            </span>
          )}
          <button type="button" class="quiet" aria-label="The one before" onClick={() => step(-1)}>
            ↑
          </button>
          <button type="submit" class="quiet" aria-label="The next one">
            ↓
          </button>
        </form>
      </div>
      {refusal && <Refused refusal={refusal} />}
      {count === 0 ? (
        <p class="hint">{ended ? 'It printed nothing.' : 'Waiting for output …'}</p>
      ) : (
        <VirtualList
          label="Lines of the log"
          count={count}
          rowHeight={rowHeight}
          tail={words === ''}
          show={words === '' ? undefined : shown}
          keyOf={(index) => index}
          row={(index) => (
            <LogLine line={pages.at(index)} number={index + 1} marked={words !== '' && index === shown} />
          )}
        />
      )}
    </section>
  )
}

function howMany({ lines, searched, done }: Found, place: number, count: number): string {
  const all = lines.length >= mostFound ? `more than ${mostFound.toLocaleString()}` : lines.length.toLocaleString()
  const sofar = lines.length === 0 ? 'nothing' : `${(place + 1).toLocaleString()} of ${all}`
  return done ? sofar : `${sofar} in ${Math.floor((100 * searched) / Math.max(1, count))} %`
}

function LogLine({
  line,
  number,
  marked,
}: {
  readonly line: Line | undefined
  readonly number: number
  readonly marked: boolean
}) {
  return (
    <div class={marked ? 'log-line marked' : 'log-line'} data-stream={line?.stream}>
      <span class="number">{number}</span>
      <span class="text">
        {runsOf(line?.text ?? '').runs.map(({ text, look }, index) => (
          <span key={index} class={classOf(look)}>
            {text}
          </span>
        ))}
      </span>
    </div>
  )
}

function classOf({ colour, bold, dim, underline }: Look): string | undefined {
  const names = [colour !== undefined && `c${colour}`, bold && 'bold', dim && 'dim', underline && 'underline'].filter(
    Boolean,
  )
  return names.length === 0 ? undefined : names.join(' ')
}
