/** The lines that match the search, as the reader reports them. */
import type { Report } from './messages.ts'

export interface Found {
  readonly words: string
  /** In ascending order. */
  readonly lines: readonly number[]
  /** The lines among them that have ended, so they no longer change. */
  readonly ended: readonly number[]
  /** The number of lines that were searched. */
  readonly searched: number
  readonly done: boolean
}

export const nothingFound: Found = { words: '', lines: [], ended: [], searched: 0, done: true }

/** Ignores reports of an earlier search. */
export function withReport(before: Found, report: Extract<Report, { type: 'found' }>): Found {
  const { words, lines, open, searched, done } = report
  if (words !== before.words) return before
  const ended = inOrder(before.ended, lines)
  return { words, lines: inOrder(ended, open), ended, searched, done }
}

function inOrder(all: readonly number[], more: readonly number[]): readonly number[] {
  return more.length === 0 ? all : [...all, ...more].sort((a, b) => a - b)
}

/** Returns the position of a line in the list, or of the first one after it. */
export function placeOf(lines: readonly number[], line: number): number {
  let [low, high] = [0, lines.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((lines[middle] ?? 0) < line) low = middle + 1
    else high = middle
  }
  return low
}
