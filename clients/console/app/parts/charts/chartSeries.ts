/** The data of a chart over time: its slots, and for each of its series one value for each slot. */

/** A part of the time. Both are RFC 3339, `to` is exclusive. */
export interface TimeSlot {
  readonly from: string
  readonly to: string
}

/** The colors of a series. `look/insights.css` has a value for each. */
export type SeriesTone = 'main' | 'second' | 'good' | 'failed' | 'late' | 'lost' | 'canceled' | 'skipped'

export interface ChartSeries {
  readonly name: string
  readonly tone: SeriesTone
  /** One for each slot. Null if the slot has no value. */
  readonly values: readonly (number | null)[]
}

/** Returns the largest value. Bars of one slot are stacked. 0 without values. */
export function findLargest(series: readonly ChartSeries[], isStacked: boolean): number {
  const count = series[0]?.values.length ?? 0
  let largest = 0
  for (let index = 0; index < count; index++) {
    const values = series.map(({ values: each }) => each[index] ?? 0)
    largest = Math.max(largest, isStacked ? values.reduce((sum, value) => sum + value, 0) : Math.max(...values))
  }
  return largest
}
