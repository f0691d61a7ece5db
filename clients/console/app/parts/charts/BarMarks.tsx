/** A bar for each slot. The values of a slot are stacked, the first series at the bottom. */
import type { ChartSeries } from './chartSeries.ts'
import type { PlotLayout } from './plotLayout.ts'

export interface MarksProps {
  readonly layout: PlotLayout
  readonly series: readonly ChartSeries[]
  readonly index: number | undefined
  toY(value: number): number
}

export function BarMarks({ layout: { left, slotWidth }, series, toY }: MarksProps) {
  const gap = slotWidth > 6 ? Math.min(6, slotWidth * 0.2) : slotWidth > 3 ? 1 : 0
  const sums: number[] = []
  return (
    <>
      {series.map(({ name, tone, values }) => (
        <g key={name} data-series={tone}>
          {values.map((value, slot) => {
            if (value === null || value === 0) return null
            const below = sums[slot] ?? 0
            sums[slot] = below + value
            const [low, high] = [toY(below), toY(below + value)]
            // A value that is small beside the largest one is still visible.
            const height = Math.max(1.5, low - high)
            return (
              <rect
                key={slot}
                class="bar"
                x={left + slot * slotWidth + gap / 2}
                y={low - height}
                width={slotWidth - gap}
                height={height}
              />
            )
          })}
        </g>
      ))}
    </>
  )
}
