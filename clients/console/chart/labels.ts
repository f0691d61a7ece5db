/** The labels of connections: one line for each transition, stacked. */

import type { LabelLine, Rect } from './chartLayout.ts'
import type { BundleLine } from './edgeBundles.ts'
import { fonts } from './fonts.ts'
import { measureText } from './measure.ts'

const lineHeight = 15
const padX = 7
const padY = 2
/** Free space at both sides, for the numbers that are drawn over the left end. */
const sideSpace = 8
/** The gap between an event and its guard. */
export const guardGap = 3

/** Returns the space that the layout reserves for a label. */
export function measureLabel(lines: readonly BundleLine[]): Pick<Rect, 'width' | 'height'> {
  return {
    width: Math.ceil(Math.max(...lines.map(measureLine))) + 2 * (padX + sideSpace),
    height: lines.length * lineHeight + 2 * padY,
  }
}

/** Returns the label's own rectangle within its space. */
export function placeLabel({ x, y, width, height }: Rect): Rect {
  return { x: x + sideSpace, y, width: width - 2 * sideSpace, height }
}

/** Returns each line with its middle and its baseline. */
export function layoutLabelLines(lines: readonly BundleLine[], area: Rect): LabelLine[] {
  return lines.map((line, index) => ({
    edges: line.edges,
    event: line.label,
    guard: formatGuard(line),
    x: area.x + area.width / 2,
    y: area.y + padY + index * lineHeight + 11.5,
  }))
}

function measureLine(line: BundleLine): number {
  return measureText(line.label + formatGuard(line), fonts.event) + (line.guard === null ? 0 : guardGap)
}

function formatGuard({ guard }: BundleLine): string {
  return guard === null ? '' : `[${guard}]`
}
