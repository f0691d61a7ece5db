/** A line for each series. A slot without a value interrupts it, and a value between two such slots is a dot. */
import type { MarksProps } from './BarMarks.tsx'
import type { ChartSeries } from './chartSeries.ts'

export function LineMarks({ layout: { left, slotWidth }, series, toY, index }: MarksProps) {
  const toX = (slot: number) => left + (slot + 0.5) * slotWidth
  return (
    <>
      {series.map((one) => {
        const selected = index === undefined ? null : one.values[index]
        return (
          <g key={one.name} data-series={one.tone}>
            <path class="line" d={drawLine(one, toX, toY)} />
            {listLoneSlots(one).map((slot) => (
              <circle key={slot} class="dot" cx={toX(slot)} cy={toY(one.values[slot] ?? 0)} r={2.5} />
            ))}
            {index !== undefined && selected !== null && selected !== undefined && (
              <circle class="dot" cx={toX(index)} cy={toY(selected)} r={4} />
            )}
          </g>
        )
      })}
    </>
  )
}

function drawLine({ values }: ChartSeries, toX: (slot: number) => number, toY: (value: number) => number): string {
  return values
    .map((value, slot) => {
      if (value === null) return ''
      const isFirst = slot === 0 || values[slot - 1] === null
      return `${isFirst ? 'M' : 'L'}${toX(slot).toFixed(1)} ${toY(value).toFixed(1)}`
    })
    .join('')
}

function listLoneSlots({ values }: ChartSeries): readonly number[] {
  const hasValue = (slot: number) => values[slot] !== null && values[slot] !== undefined
  return values.flatMap((_, slot) => (hasValue(slot) && !hasValue(slot - 1) && !hasValue(slot + 1) ? [slot] : []))
}
