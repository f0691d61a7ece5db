/** Divides buckets into whole days and hours (UTC), whose sums are stored, and the rest, whose runs are read one by one. */

export const hourMs = 3_600_000
export const dayMs = 86_400_000

/** `to` is exclusive. */
export interface TimeRange {
  readonly from: number
  readonly to: number
}

export interface Cover {
  /** Consecutive days or hours. Each is within one bucket. */
  readonly sums: readonly (TimeRange & { readonly length: typeof hourMs | typeof dayMs })[]
  readonly rest: readonly TimeRange[]
}

/** @param lengths of the sums that may be used, the longest first */
export function coverOf(edges: readonly number[], lengths: Cover['sums'][number]['length'][]): Cover {
  const sums: Cover['sums'][number][] = []
  const rest: TimeRange[] = []
  const divide = (from: number, to: number, [length, ...shorter]: typeof lengths): void => {
    if (from >= to) return
    if (length === undefined) {
      append(rest, { from, to })
      return
    }
    const [first, end] = [Math.ceil(from / length) * length, Math.floor(to / length) * length]
    if (first >= end) {
      divide(from, to, shorter)
      return
    }
    divide(from, first, shorter)
    append(sums, { length, from: first, to: end })
    divide(end, to, shorter)
  }
  for (const [index, from] of edges.slice(0, -1).entries()) divide(from, edges[index + 1] ?? from, lengths)
  return { sums, rest }
}

/** Extends the last range if this one continues it. */
function append<R extends TimeRange & { readonly length?: number }>(ranges: R[], range: R): void {
  const last = ranges.at(-1)
  if (last?.to === range.from && last.length === range.length) ranges.splice(-1, 1, { ...last, to: range.to })
  else ranges.push(range)
}
