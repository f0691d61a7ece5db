/**
 * Scrolls a list that is taller than browsers can render (Firefox: 17 million pixels, Chromium: 33). Its scroll bar is shorter. Near
 * both ends the bar moves the rows pixel by pixel, as in any list. Between them it represents the rest in proportion.
 */

export interface ScrollExtent {
  /** The pixels of all rows. */
  readonly total: number
  /** The visible pixels. */
  readonly visible: number
}

/** The maximum height of the element, in pixels. */
export const maxElementHeight = 8_000_000
/** The pixels at either end that are not scaled. */
const unscaledPixels = 1_000_000

export function getElementHeight({ total }: ScrollExtent): number {
  return Math.min(total, maxElementHeight)
}

/** The last position of the bar and of the rows, in pixels. */
function getLastPositions(extent: ScrollExtent): { readonly bar: number; readonly rows: number } {
  return {
    bar: Math.max(0, getElementHeight(extent) - extent.visible),
    rows: Math.max(0, extent.total - extent.visible),
  }
}

/** Converts a position of the bar to a position of the rows. */
export function toRowPosition(bar: number, extent: ScrollExtent): number {
  const last = getLastPositions(extent)
  if (bar <= unscaledPixels || last.bar === last.rows) return bar
  if (bar >= last.bar - unscaledPixels) return last.rows - (last.bar - bar)
  return unscaledPixels + ((bar - unscaledPixels) * (last.rows - 2 * unscaledPixels)) / (last.bar - 2 * unscaledPixels)
}

/** Converts a position of the rows to a position of the bar. */
export function toBarPosition(rows: number, extent: ScrollExtent): number {
  const last = getLastPositions(extent)
  if (rows <= unscaledPixels || last.bar === last.rows) return rows
  if (rows >= last.rows - unscaledPixels) return last.bar - (last.rows - rows)
  return unscaledPixels + ((rows - unscaledPixels) * (last.bar - 2 * unscaledPixels)) / (last.rows - 2 * unscaledPixels)
}

/**
 * Returns the position of the rows after the bar has moved. A wheel or a key moves the rows by the same distance. A drag of the bar
 * moves them to the position that it represents.
 */
export function moveRows(rows: number, from: number, to: number, extent: ScrollExtent): number {
  const last = getLastPositions(extent)
  const by = to - from
  const isDrag = Math.abs(by) > 3 * extent.visible || last.bar === last.rows
  return Math.min(last.rows, Math.max(0, isDrag ? toRowPosition(to, extent) : rows + by))
}
