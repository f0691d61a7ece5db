/** The measures of a plot, in pixels. */
import type { TimeSlot } from './chartSeries.ts'
import { listTimeTicks, type TimeTick } from './timeTicks.ts'

export interface PlotLayout {
  readonly width: number
  readonly height: number
  readonly left: number
  readonly right: number
  readonly top: number
  readonly bottom: number
  readonly slotWidth: number
  readonly labelSize: number
  readonly timeTicks: readonly TimeTick[]
}

interface PlotSize {
  readonly width: number
  readonly slots: readonly TimeSlot[]
  /** The labels of the vertical axis. */
  readonly labels: readonly string[]
  readonly textSize: number
}

/** The size of the labels, relative to the text. `look/insights.css` has the same. */
const labelScale = 0.75
const plotHeight = 9

export function layoutPlot({ width, slots, labels, textSize }: PlotSize): PlotLayout {
  const labelSize = textSize * labelScale
  const left = Math.ceil(Math.max(...labels.map((label) => measureLabel(label, labelSize))) + labelSize * 0.75)
  // The selected slot is described above the plot, and the times are below it.
  const [top, below] = [Math.ceil(labelSize * 2), Math.ceil(labelSize * 2)]
  const plotWidth = Math.max(1, width - left - 1)
  const ticksMax = Math.max(2, Math.floor(plotWidth / (labelSize * 7)))
  return {
    width,
    height: Math.round(plotHeight * textSize) + top + below,
    left,
    right: left + plotWidth,
    top,
    bottom: Math.round(plotHeight * textSize) + top,
    slotWidth: plotWidth / Math.max(1, slots.length),
    labelSize,
    timeTicks: listTimeTicks(slots, ticksMax),
  }
}

/** An estimate: Latin letters and digits are about 0.6 of the size wide, others as wide as the size. */
export function measureLabel(label: string, size: number): number {
  let width = 0
  for (const letter of label) width += letter.charCodeAt(0) < 0x2e80 ? 0.6 : 1
  return width * size
}
