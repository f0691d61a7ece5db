/** The lines that match the search, as the reader reports them. */
import type { ReaderReport } from './readerMessages.ts'

export interface SearchMatches {
  readonly searchText: string
  /** In ascending order. */
  readonly lines: readonly number[]
  /** The lines among them that have ended, so they no longer change. */
  readonly ended: readonly number[]
  /** The number of lines that were searched. */
  readonly searched: number
  readonly done: boolean
}

export const noMatches: SearchMatches = { searchText: '', lines: [], ended: [], searched: 0, done: true }

/** Ignores reports of an earlier search. */
export function addMatches(before: SearchMatches, report: Extract<ReaderReport, { type: 'found' }>): SearchMatches {
  const { searchText, lines, open, searched, done } = report
  if (searchText !== before.searchText) return before
  const ended = mergeSorted(before.ended, lines)
  return { searchText, lines: mergeSorted(ended, open), ended, searched, done }
}

function mergeSorted(all: readonly number[], more: readonly number[]): readonly number[] {
  return more.length === 0 ? all : [...all, ...more].sort((a, b) => a - b)
}

/** Returns the position of a line in the list, or of the first one after it. */
export function findPosition(lines: readonly number[], line: number): number {
  let [low, high] = [0, lines.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((lines[middle] ?? 0) < line) low = middle + 1
    else high = middle
  }
  return low
}
