/** The part of a chart that its box shows. Sizes are in pixels. */
import type { Rect } from '../../chart/chartLayout.ts'

export interface Size {
  readonly width: number
  readonly height: number
}

export const minZoom = 0.1
export const maxZoom = 3

/** At this zoom the events of a chart, whose font has 11 pixels, have 9 pixels. Smaller type is hard to read. */
export const readableZoom = 9 / 11

/** Returns the zoom at which the whole chart is visible. It is at most the original size. */
export function getFitZoom(chart: Size, box: Size): number {
  return clampZoom(Math.min(1, box.width / chart.width, box.height / chart.height))
}

/** A chart whose type would be too small is not fitted. It is shown at a readable size instead. */
export function getInitialZoom(chart: Size, box: Size): number {
  return Math.max(readableZoom, getFitZoom(chart, box))
}

export function clampZoom(zoom: number): number {
  return Math.min(maxZoom, Math.max(minZoom, zoom))
}

/** Returns the size of a chart at a zoom. */
export function scaleSize({ width, height }: Size, zoom: number): Size {
  return { width: width * zoom, height: height * zoom }
}

/** Returns whether a box is too small for its content. */
export function exceeds(content: Size, box: Size): boolean {
  return content.width > box.width + 1 || content.height > box.height + 1
}

export function isInside(inner: Rect, outer: Rect): boolean {
  return (
    inner.x >= outer.x &&
    inner.y >= outer.y &&
    inner.x + inner.width <= outer.x + outer.width &&
    inner.y + inner.height <= outer.y + outer.height
  )
}

/** Returns the factor by which an event of the wheel zooms. Browsers report the pinch of a touchpad as such an event with the Control key and a small delta. */
export function getWheelFactor({
  deltaY,
  deltaMode,
  ctrlKey,
}: Pick<WheelEvent, 'deltaY' | 'deltaMode' | 'ctrlKey'>): number {
  const pixels = deltaY * (deltaMode === 0 ? 1 : 16)
  const bounded = Math.min(120, Math.max(-120, pixels))
  return Math.exp(-bounded * (ctrlKey ? 0.01 : 0.002))
}
