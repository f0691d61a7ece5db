/** The labels of connections: one line for each transition, stacked. */
import type { BundleLine } from './bundles.ts'
import { faces } from './faces.ts'
import type { LabelLine, Rect } from './laidOut.ts'
import { textWidth } from './measure.ts'

const lineHeight = 15
const padX = 7
const padY = 2
/** Free space at both sides, for the numbers that are drawn over the left end. */
const aside = 8
/** The gap between an event and its guard. */
export const guardGap = 3

/** Returns the space that the layout reserves for a label. */
export function labelRoom(lines: readonly BundleLine[]): Pick<Rect, 'width' | 'height'> {
  return {
    width: Math.ceil(Math.max(...lines.map(lineWidth))) + 2 * (padX + aside),
    height: lines.length * lineHeight + 2 * padY,
  }
}

/** Returns the label's own rectangle within its space. */
export function labelPlace({ x, y, width, height }: Rect): Rect {
  return { x: x + aside, y, width: width - 2 * aside, height }
}

/** Returns each line with its middle and its baseline. */
export function labelLines(lines: readonly BundleLine[], place: Rect): LabelLine[] {
  return lines.map((line, index) => ({
    edges: line.edges,
    event: line.label,
    guard: guardText(line),
    x: place.x + place.width / 2,
    y: place.y + padY + index * lineHeight + 11.5,
  }))
}

function lineWidth(line: BundleLine): number {
  return textWidth(line.label + guardText(line), faces.event) + (line.guard === null ? 0 : guardGap)
}

function guardText({ guard }: BundleLine): string {
  return guard === null ? '' : `[${guard}]`
}
