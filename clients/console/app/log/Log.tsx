/** The output of a run, as it comes: with its colours, at its end until the reader scrolls away, and searched. */
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { frames } from '../data/frames.ts'
import { follow, returns } from '../data/live.ts'
import { VirtualList } from '../parts/VirtualList.tsx'
import { type Look, runsOf, textOf } from './ansi.ts'
import { type Chunk, type Line, Lines } from './lines.ts'

const query = `subscription ($jobId: ID!, $after: Int) { jobLogChunkAdded(jobId: $jobId, afterSequence: $after) {
  sequence stream dataBase64
} }`

const rowHeight = 20

export function Log({ jobId }: { readonly jobId: string }) {
  const lines = useRef(new Lines())
  const [count, setCount] = useState(0)
  const [words, setWords] = useState('')
  const [place, setPlace] = useState(0)
  const next = useRef(-1)
  const returned = returns.value
  // The job is another, or the line has come back: it goes on behind what it has.
  useEffect(() => {
    const { soon, stop } = frames(() => setCount(lines.current.all.length))
    const end = follow<{ jobLogChunkAdded: Chunk }>(query, { jobId, after: next.current }, ({ jobLogChunkAdded }) => {
      if (jobLogChunkAdded.sequence <= next.current) return
      next.current = jobLogChunkAdded.sequence
      lines.current.add(jobLogChunkAdded)
      soon()
    })
    return () => {
      end()
      stop()
    }
  }, [jobId, returned])
  const found = useMemo(() => matches(lines.current.all, words), [words, count])
  const shown = found[place % Math.max(1, found.length)]
  const step = (by: number) =>
    setPlace((before) => (found.length === 0 ? 0 : (before + by + found.length) % found.length))
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
              setWords(currentTarget.value)
              setPlace(0)
            }}
          />
          {words !== '' && (
            <span role="status" class="hint">
              {found.length === 0 ? 'nothing' : `${(place % found.length) + 1} of ${found.length.toLocaleString()}`}
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
      {count === 0 ? (
        <p class="hint">{lines.current.ended ? 'It printed nothing.' : 'Nothing yet.'}</p>
      ) : (
        <VirtualList
          label="Lines of the log"
          count={count}
          rowHeight={rowHeight}
          tail={words === ''}
          show={words === '' ? undefined : shown}
          keyOf={(index) => index}
          row={(index) => (
            <LogLine line={lines.current.all[index]} number={index + 1} marked={words !== '' && index === shown} />
          )}
        />
      )}
    </section>
  )
}

/** More than anybody steps through. */
const most = 100_000

function matches(lines: readonly Line[], words: string): readonly number[] {
  if (words === '') return []
  const wanted = words.toLowerCase()
  const found: number[] = []
  for (let index = 0; index < lines.length && found.length < most; index++)
    if (
      textOf(lines[index]?.text ?? '')
        .toLowerCase()
        .includes(wanted)
    )
      found.push(index)
  return found
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
