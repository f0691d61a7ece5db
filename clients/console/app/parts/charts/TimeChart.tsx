/**
 * A chart over time, as bars or as lines. Pointing at it, or the arrow keys, select a slot, whose values are then in the legend. A table has
 * all values.
 */
import { useRef, useState } from 'preact/hooks'
import { format, messages } from '../../messages.ts'
import { getTextSize } from '../getTextSize.ts'
import { ChartPlot } from './ChartPlot.tsx'
import { ChartTable } from './ChartTable.tsx'
import { type ChartSeries, findLargest, type TimeSlot } from './chartSeries.ts'
import { type ChartUnit, formatValue } from './chartUnits.ts'
import { layoutPlot, type PlotLayout } from './plotLayout.ts'
import { formatSlot, hasWholeDays } from './timeTicks.ts'
import { useWidth } from './useWidth.ts'

const texts = messages.charts

interface TimeChartProps {
  readonly title: string
  /** One sentence: what the values are. */
  readonly note?: string
  readonly marks: 'bars' | 'lines'
  readonly unit: ChartUnit
  readonly slots: readonly TimeSlot[]
  readonly series: readonly ChartSeries[]
}

export function TimeChart({ title, note, marks, unit, slots, series }: TimeChartProps) {
  const box = useRef<HTMLDivElement>(null)
  const width = useWidth(box)
  const [selected, setSelected] = useState<number>()
  const index = selected === undefined ? undefined : Math.min(selected, slots.length - 1)
  const ticks = unit.listTicks(findLargest(series, marks === 'bars'))
  const labels = ticks.map(unit.format)
  const layout = layoutPlot({ width, slots, labels, textSize: width === 0 ? 16 : getTextSize() })
  return (
    <figure class="time-chart">
      <figcaption>
        <h3>{title}</h3>
        {note && <p class="hint">{note}</p>}
      </figcaption>
      {series.length > 1 && <Legend series={series} unit={unit} index={index} />}
      <div ref={box} class="plot" {...pointing(layout, slots.length, setSelected)}>
        {width > 0 && (
          <ChartPlot
            layout={layout}
            marks={marks}
            ticks={ticks}
            labels={labels}
            series={series}
            index={index}
            reading={describeSelection(slots, series, unit, index)}
          />
        )}
        <input
          type="range"
          aria-label={format(texts.values, { title })}
          aria-valuetext={describeValues(slots, series, unit, index ?? slots.length - 1)}
          min={0}
          max={Math.max(0, slots.length - 1)}
          value={index ?? slots.length - 1}
          onFocus={() => setSelected(index ?? slots.length - 1)}
          onBlur={() => setSelected(undefined)}
          onInput={({ currentTarget }) => setSelected(Number(currentTarget.value))}
        />
      </div>
      <ChartTable title={title} unit={unit} slots={slots} series={series} />
    </figure>
  )
}

interface LegendProps {
  readonly series: readonly ChartSeries[]
  readonly unit: ChartUnit
  readonly index: number | undefined
}

function Legend({ series, unit, index }: LegendProps) {
  return (
    <ul class="chart-legend">
      {series.map(({ name, tone, values }) => (
        <li key={name} data-series={tone}>
          {name} <span class="value">{index !== undefined && formatValue(unit, values[index])}</span>
        </li>
      ))}
    </ul>
  )
}

function describeSlot(slots: readonly TimeSlot[], index: number): string {
  const slot = slots[index]
  return slot === undefined ? '' : formatSlot(slot, hasWholeDays(slots))
}

/** Returns the text above the selected slot. The value of a single series is there, because it has no legend. */
function describeSelection(
  slots: readonly TimeSlot[],
  series: readonly ChartSeries[],
  unit: ChartUnit,
  index: number | undefined,
): string {
  if (index === undefined) return ''
  const time = describeSlot(slots, index)
  const [first] = series
  if (series.length > 1 || first === undefined) return time
  return format(texts.value, { name: time, value: formatValue(unit, first.values[index]) })
}

function describeValues(
  slots: readonly TimeSlot[],
  series: readonly ChartSeries[],
  unit: ChartUnit,
  index: number,
): string {
  const values = series.map(({ name, values: each }) =>
    format(texts.value, { name, value: formatValue(unit, each[index]) }),
  )
  return [describeSlot(slots, index), ...values].join('; ')
}

/** A finger selects as a pointer does, and what it selected stays until it touches another place. */
function pointing(layout: PlotLayout, count: number, onSelect: (index: number | undefined) => void) {
  const select = ({ clientX, currentTarget }: PointerEvent) => {
    const left = (currentTarget as HTMLElement).getBoundingClientRect().left
    const index = Math.floor((clientX - left - layout.left) / layout.slotWidth)
    onSelect(Math.max(0, Math.min(count - 1, index)))
  }
  return {
    onPointerDown: select,
    onPointerMove: select,
    onPointerLeave: ({ pointerType }: PointerEvent) => pointerType === 'mouse' && onSelect(undefined),
  }
}
