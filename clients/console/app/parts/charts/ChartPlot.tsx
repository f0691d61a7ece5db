/** The drawing of a chart: its axes, its marks and the selected slot. Assistive technology has the table and the control instead. */
import { BarMarks } from './BarMarks.tsx'
import type { ChartSeries } from './chartSeries.ts'
import { LineMarks } from './LineMarks.tsx'
import { measureLabel, type PlotLayout } from './plotLayout.ts'

interface ChartPlotProps {
  readonly layout: PlotLayout
  readonly marks: 'bars' | 'lines'
  readonly ticks: readonly number[]
  readonly labels: readonly string[]
  readonly series: readonly ChartSeries[]
  /** The selected slot. */
  readonly index: number | undefined
  /** The text above the selected slot. */
  readonly reading: string
}

export function ChartPlot({ layout, marks, ticks, labels, series, index, reading }: ChartPlotProps) {
  const { width, height, left, right, top, bottom, slotWidth, timeTicks } = layout
  const most = ticks.at(-1) ?? 1
  const toY = (value: number) => bottom - ((bottom - top) * value) / most
  const Marks = marks === 'bars' ? BarMarks : LineMarks
  return (
    <svg width={width} height={height} viewBox={`0 0 ${width} ${height}`} aria-hidden="true">
      {ticks.map((tick, place) => (
        <g key={tick}>
          <line class={tick === 0 ? 'base' : 'grid'} x1={left} x2={right} y1={toY(tick)} y2={toY(tick)} />
          <text class="tick" x={left - 6} y={toY(tick)} text-anchor="end" dominant-baseline="central">
            {labels[place]}
          </text>
        </g>
      ))}
      {timeTicks.map(({ index: slot, label }) => {
        const x = left + slot * slotWidth
        return (
          <g key={slot}>
            <line class="base" x1={x} x2={x} y1={bottom} y2={bottom + 4} />
            <text class="tick" x={x} y={height - 4} text-anchor={anchorAt(x, layout)}>
              {label}
            </text>
          </g>
        )
      })}
      {index !== undefined && (
        <>
          <rect
            class="selected-slot"
            x={left + index * slotWidth}
            y={top}
            width={Math.max(2, slotWidth)}
            height={bottom - top}
          />
          <text class="reading" {...placeReading(reading, index, layout)}>
            {reading}
          </text>
        </>
      )}
      <Marks layout={layout} series={series} toY={toY} index={index} />
    </svg>
  )
}

/** Above the slot, and within the drawing. */
function placeReading(reading: string, index: number, { left, right, slotWidth, labelSize }: PlotLayout) {
  const half = measureLabel(reading, labelSize) / 2
  const middle = left + (index + 0.5) * slotWidth
  const y = labelSize
  if (middle - half < 0) return { x: 0, y, 'text-anchor': 'start' } as const
  if (middle + half > right) return { x: right, y, 'text-anchor': 'end' } as const
  return { x: middle, y, 'text-anchor': 'middle' } as const
}

/** A label at an edge is within the drawing. */
function anchorAt(x: number, { left, right }: PlotLayout): 'start' | 'middle' | 'end' {
  if (x - left < 24) return 'start'
  return right - x < 30 ? 'end' : 'middle'
}
