/**
 * Scrolls a list that is taller than browsers can render (Firefox: 17 million pixels, Chromium: 33). Its scroll bar is shorter. Near
 * both ends the bar moves the rows pixel by pixel, as in any list. Between them it represents the rest in proportion.
 */

export interface Extent {
  /** The pixels of all rows. */
  readonly total: number
  /** The visible pixels. */
  readonly seen: number
}

/** The maximum height of the element, in pixels. */
export const tallest = 8_000_000
/** The pixels at either end that are not scaled. */
const exact = 1_000_000

export function heightOf({ total }: Extent): number {
  return Math.min(total, tallest)
}

/** The last position of the bar and of the rows, in pixels. */
function lastOf(extent: Extent): { readonly bar: number; readonly rows: number } {
  return {
    bar: Math.max(0, heightOf(extent) - extent.seen),
    rows: Math.max(0, extent.total - extent.seen),
  }
}

/** Converts a position of the bar to a position of the rows. */
export function rowsAt(bar: number, extent: Extent): number {
  const last = lastOf(extent)
  if (bar <= exact || last.bar === last.rows) return bar
  if (bar >= last.bar - exact) return last.rows - (last.bar - bar)
  return exact + ((bar - exact) * (last.rows - 2 * exact)) / (last.bar - 2 * exact)
}

/** Converts a position of the rows to a position of the bar. */
export function barAt(rows: number, extent: Extent): number {
  const last = lastOf(extent)
  if (rows <= exact || last.bar === last.rows) return rows
  if (rows >= last.rows - exact) return last.bar - (last.rows - rows)
  return exact + ((rows - exact) * (last.bar - 2 * exact)) / (last.rows - 2 * exact)
}

/**
 * Returns the position of the rows after the bar has moved. A wheel or a key moves the rows by the same distance. A drag of the bar
 * moves them to the position that it represents.
 */
export function rowsAfter(rows: number, from: number, to: number, extent: Extent): number {
  const last = lastOf(extent)
  const by = to - from
  const pointed = Math.abs(by) > 3 * extent.seen || last.bar === last.rows
  return Math.min(last.rows, Math.max(0, pointed ? rowsAt(to, extent) : rows + by))
}
