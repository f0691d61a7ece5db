/**
 * Where a list stands that is taller than browsers can draw (Firefox: 17 million pixels, Chromium: 33). Its bar is shorter: the ends
 * of it move the rows pixel by pixel, so that both are reached as in any list, and between them it stands for the rest in proportion.
 */

export interface Extent {
  /** Pixels of all rows. */
  readonly total: number
  /** Pixels of what is seen. */
  readonly seen: number
}

/** Pixels that an element may have. */
export const tallest = 8_000_000
/** Pixels at either end that stand for themselves. */
const exact = 1_000_000

export function heightOf({ total }: Extent): number {
  return Math.min(total, tallest)
}

/** Pixels to the last place. */
function lastOf(extent: Extent): { readonly bar: number; readonly rows: number } {
  return {
    bar: Math.max(0, heightOf(extent) - extent.seen),
    rows: Math.max(0, extent.total - extent.seen),
  }
}

/** The place among the rows that a place of the bar stands for. */
export function rowsAt(bar: number, extent: Extent): number {
  const last = lastOf(extent)
  if (bar <= exact || last.bar === last.rows) return bar
  if (bar >= last.bar - exact) return last.rows - (last.bar - bar)
  return exact + ((bar - exact) * (last.rows - 2 * exact)) / (last.bar - 2 * exact)
}

/** The place of the bar that stands for a place among the rows. */
export function barAt(rows: number, extent: Extent): number {
  const last = lastOf(extent)
  if (rows <= exact || last.bar === last.rows) return rows
  if (rows >= last.rows - exact) return last.bar - (last.rows - rows)
  return exact + ((rows - exact) * (last.bar - 2 * exact)) / (last.rows - 2 * exact)
}

/** Where the rows stand after the bar has moved: a wheel or a key moves them as far, the bar itself to where it points. */
export function rowsAfter(rows: number, from: number, to: number, extent: Extent): number {
  const last = lastOf(extent)
  const by = to - from
  const pointed = Math.abs(by) > 3 * extent.seen || last.bar === last.rows
  return Math.min(last.rows, Math.max(0, pointed ? rowsAt(to, extent) : rows + by))
}
