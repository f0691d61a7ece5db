/** The output of a run as it arrives: with colors, at its end until the reader scrolls, and with a search. */
import { useState } from 'preact/hooks'
import { format, locale, messages } from '../../messages.ts'
import { VirtualList } from '../../parts/lists/VirtualList.tsx'
import { ErrorMessage } from '../../parts/notices/ErrorMessage.tsx'
import type { LogLine } from './logLines.ts'
import { maxMatches } from './logSearch.ts'
import { parseAnsi, type TextStyle } from './parseAnsi.ts'
import { findPosition, type SearchMatches } from './searchMatches.ts'
import { useLog } from './useLog.ts'

const { log: texts } = messages.run
const countFormat = new Intl.NumberFormat(locale)
const rowHeight = 20

interface LogViewProps {
  readonly jobId: string
  /** The moment that is shown, in milliseconds since 1970. Undefined for the present. */
  readonly at?: number | undefined
}

export function LogView({ jobId, at }: LogViewProps) {
  const { count, ended, locatedLine, matches, error, pages, search } = useLog(jobId, at)
  const [selectedLine, setSelectedLine] = useState<number>()
  const { searchText, lines } = matches
  const position = selectedLine === undefined ? 0 : findPosition(lines, selectedLine)
  const matchedLine = lines[position]
  const selectMatch = (by: number) => setSelectedLine(lines[(position + by + lines.length) % lines.length])
  return (
    <section class="log" aria-labelledby="log">
      <div class="heading-row">
        <h2 id="log">
          {texts.title} <span class="count">{countFormat.format(count)}</span>
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
            aria-label={texts.search}
            placeholder={texts.searchPlaceholder}
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
          <button type="button" class="quiet" aria-label={texts.previousMatch} onClick={() => selectMatch(-1)}>
            ↑
          </button>
          <button type="submit" class="quiet" aria-label={texts.nextMatch}>
            ↓
          </button>
        </form>
      </div>
      {error && <ErrorMessage error={error} />}
      {count === 0 ? (
        <p class="hint">{ended ? texts.empty : texts.waiting}</p>
      ) : (
        <VirtualList
          label={texts.lines}
          count={count}
          rowHeight={rowHeight}
          followsEnd={searchText === '' && locatedLine === undefined}
          targetRow={searchText === '' ? locatedLine : matchedLine}
          getKey={(index) => index}
          renderRow={(index) => (
            <LogRow
              line={pages.at(index)}
              number={index + 1}
              isMarked={index === (searchText === '' ? locatedLine : matchedLine)}
            />
          )}
        />
      )}
    </section>
  )
}

function describeMatches({ lines, searched, done }: SearchMatches, position: number, count: number): string {
  const total = countFormat.format(Math.min(lines.length, maxMatches))
  const place = { position: position + 1, total }
  const text =
    lines.length === 0
      ? messages.parts.noMatches
      : format(lines.length >= maxMatches ? texts.matchOfMany : texts.match, place)
  const percent = Math.floor((100 * searched) / Math.max(1, count))
  return done ? text : format(texts.searchedPart, { matches: text, percent })
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
        {line && line.omitted > 0 && <em class="omitted"> {format(texts.omitted, { count: line.omitted })}</em>}
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
