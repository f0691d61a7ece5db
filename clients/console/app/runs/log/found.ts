/** The lines that have the words looked for, as they are told. */
import type { Report } from './messages.ts'

export interface Found {
  readonly words: string
  /** In order. */
  readonly lines: readonly number[]
  /** Those of them that have ended, and so stay. */
  readonly ended: readonly number[]
  /** Lines that have been looked at. */
  readonly searched: number
  readonly done: boolean
}

export const nothingFound: Found = { words: '', lines: [], ended: [], searched: 0, done: true }

/** What is told of words that are looked for no more changes nothing. */
export function withReport(before: Found, report: Extract<Report, { type: 'found' }>): Found {
  const { words, lines, open, searched, done } = report
  if (words !== before.words) return before
  const ended = inOrder(before.ended, lines)
  return { words, lines: inOrder(ended, open), ended, searched, done }
}

function inOrder(all: readonly number[], more: readonly number[]): readonly number[] {
  return more.length === 0 ? all : [...all, ...more].sort((a, b) => a - b)
}

/** The place of a line among them, or of the first behind it. */
export function placeOf(lines: readonly number[], line: number): number {
  let [low, high] = [0, lines.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((lines[middle] ?? 0) < line) low = middle + 1
    else high = middle
  }
  return low
}
