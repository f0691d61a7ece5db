/** The values of a chart as a table. It is made when it is opened. */
import { useState } from 'preact/hooks'
import { format, messages } from '../../messages.ts'
import { ScrollBox } from '../ScrollBox.tsx'
import type { ChartSeries, TimeSlot } from './chartSeries.ts'
import { type ChartUnit, formatValue } from './chartUnits.ts'
import { formatSlot, hasWholeDays } from './timeTicks.ts'

const texts = messages.charts

interface ChartTableProps {
  readonly title: string
  readonly unit: ChartUnit
  readonly slots: readonly TimeSlot[]
  readonly series: readonly ChartSeries[]
}

export function ChartTable({ title, unit, slots, series }: ChartTableProps) {
  const [isOpen, setIsOpen] = useState(false)
  const isInDays = hasWholeDays(slots)
  return (
    <details class="chart-table" onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}>
      <summary aria-label={format(texts.tableOf, { title })}>{texts.table}</summary>
      {isOpen && (
        <ScrollBox class="table" label={title}>
          <table aria-label={title}>
            <thead>
              <tr>
                <th scope="col">{texts.time}</th>
                {series.map(({ name }) => (
                  <th key={name} scope="col">
                    {name}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {slots.map((slot, index) => (
                <tr key={slot.from}>
                  <th scope="row">{formatSlot(slot, isInDays)}</th>
                  {series.map(({ name, values }) => (
                    <td key={name}>{formatValue(unit, values[index])}</td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </ScrollBox>
      )}
    </details>
  )
}
