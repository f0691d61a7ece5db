/** The output of a run as it arrives: with colors, at its end until the reader scrolls, and with a search. */
import { useState } from 'preact/hooks'
import { VirtualList } from '../../parts/lists/VirtualList.tsx'
import { ErrorMessage } from '../../parts/messages/ErrorMessage.tsx'
import type { LogLine } from './logLines.ts'
import { maxMatches } from './logSearch.ts'
import { parseAnsi, type TextStyle } from './parseAnsi.ts'
import { findPosition, type SearchMatches } from './searchMatches.ts'
import { useLog } from './useLog.ts'

const rowHeight = 20

export function LogView({ jobId }: { readonly jobId: string }) {
  const { count, ended, matches, error, pages, search } = useLog(jobId)
  const [selectedLine, setSelectedLine] = useState<number>()
  const { searchText, lines } = matches
  const position = selectedLine === undefined ? 0 : findPosition(lines, selectedLine)
  const matchedLine = lines[position]
  const selectMatch = (by: number) => setSelectedLine(lines[(position + by + lines.length) % lines.length])
  return (
    <section class="log" aria-labelledby="log">
      <div class="heading-row">
        <h2 id="log">
          Log <span class="count">{count.toLocaleString()}</span>
        </h2>
        <form
          class="log-search"
          onSubmit={(event) => {
            event.preventDefault()
            selectMatch(1)
          }}
        >
          <input
            type="search"
            aria-label="Search the log"
            placeholder="Search"
            value={searchText}
            onInput={({ currentTarget }) => {
              search(currentTarget.value)
              setSelectedLine(undefined)
            }}
          />
          {searchText !== '' && (
            <span role="status" class="hint">
              {describeMatches(matches, position, count)}
            </span>
          )}
          <button type="button" class="quiet" aria-label="Previous match" onClick={() => selectMatch(-1)}>
            ↑
          </button>
          <button type="submit" class="quiet" aria-label="Next match">
            ↓
          </button>
        </form>
      </div>
      {error && <ErrorMessage error={error} />}
      {count === 0 ? (
        <p class="hint">{ended ? 'No output.' : 'Waiting for output …'}</p>
      ) : (
        <VirtualList
          label="Lines of the log"
          count={count}
          rowHeight={rowHeight}
          followsEnd={searchText === ''}
          targetRow={searchText === '' ? undefined : matchedLine}
          getKey={(index) => index}
          renderRow={(index) => (
            <LogRow line={pages.at(index)} number={index + 1} isMarked={searchText !== '' && index === matchedLine} />
          )}
        />
      )}
    </section>
  )
}

function describeMatches({ lines, searched, done }: SearchMatches, position: number, count: number): string {
  const total = lines.length >= maxMatches ? `more than ${maxMatches.toLocaleString()}` : lines.length.toLocaleString()
  const text = lines.length === 0 ? 'no matches' : `${(position + 1).toLocaleString()} of ${total}`
  return done ? text : `${text} in ${Math.floor((100 * searched) / Math.max(1, count))} %`
}

function LogRow({
  line,
  number,
  isMarked,
}: {
  readonly line: LogLine | undefined
  readonly number: number
  readonly isMarked: boolean
}) {
  return (
    <div class={isMarked ? 'log-line marked' : 'log-line'} data-stream={line?.stream}>
      <span class="number">{number}</span>
      <span class="text">
        {parseAnsi(line?.text ?? '').texts.map(({ text, style }, index) => (
          <span key={index} class={classNames(style)}>
            {text}
          </span>
        ))}
      </span>
    </div>
  )
}

function classNames({ color, bold, dim, underline }: TextStyle): string | undefined {
  const names = [color !== undefined && `c${color}`, bold && 'bold', dim && 'dim', underline && 'underline'].filter(
    Boolean,
  )
  return names.length === 0 ? undefined : names.join(' ')
}
