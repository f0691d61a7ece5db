/** Searches a log as the reader types. The address follows after a pause. */
import { useEffect, useRef } from 'preact/hooks'
import { format, formatNumber, messages } from '../../messages.ts'
import { maxMatches } from './logSearch.ts'
import { findPosition, type SearchMatches } from './searchMatches.ts'
import { useLogAddress } from './useLogAddress.ts'

const { log: texts } = messages.run
/** Milliseconds without a new letter before the address is changed. */
const pauseMs = 300

interface LogSearchFieldProps {
  readonly matches: SearchMatches
  /** The number of lines. */
  readonly count: number
  search(searchText: string): void
}

export function LogSearchField({ matches, count, search }: LogSearchFieldProps) {
  const address = useLogAddress()
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const { searchText, lines } = matches
  // A link has changed the address.
  useEffect(() => {
    if (address.searchText !== searchText) search(address.searchText)
  }, [address.searchText])
  useEffect(() => () => clearTimeout(timer.current), [])
  const position = address.line === undefined ? 0 : findPosition(lines, address.line)
  const selectMatch = (by: 1 | -1) => {
    const isBeforeMatch = address.line !== undefined && lines[position] !== address.line
    const next = isBeforeMatch && by === 1 ? position : position + by
    address.select(lines[(next + lines.length) % lines.length])
  }
  return (
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
        onInput={({ currentTarget: { value } }) => {
          search(value)
          address.select(undefined)
          clearTimeout(timer.current)
          timer.current = setTimeout(() => address.search(value), pauseMs)
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
  )
}

function describeMatches({ lines, searched, done }: SearchMatches, position: number, count: number): string {
  const total = formatNumber(Math.min(lines.length, maxMatches))
  const place = { position: Math.min(position + 1, lines.length), total }
  const text =
    lines.length === 0
      ? messages.parts.noMatches
      : format(lines.length >= maxMatches ? texts.matchOfMany : texts.match, place)
  const percent = Math.floor((100 * searched) / Math.max(1, count))
  return done ? text : format(texts.searchedPart, { matches: text, percent })
}
