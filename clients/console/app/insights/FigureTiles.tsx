/** The figures of a time as tiles, each with the value of the time before it. */
import { format, locale, messages } from '../messages.ts'
import {
  type ChartUnit,
  compactUnit,
  countUnit,
  currencyUnit,
  decimalUnit,
  durationUnit,
  shareUnit,
} from '../parts/charts/chartUnits.ts'
import { getCost, type Insights, type RunFigures } from './insightsFigures.ts'

const texts = messages.insights

interface Tile {
  readonly name: string
  readonly value: number | null
  readonly previous: number | null
  readonly unit: ChartUnit
  readonly detail?: string | undefined
  /** Whether the difference is in percentage points. */
  readonly isShare?: boolean
}

interface FigureTilesProps {
  readonly insights: Pick<Insights, 'total' | 'previous'>
  /** The length of the time, in milliseconds. */
  readonly ms: number
}

export function FigureTiles({ insights, ms }: FigureTilesProps) {
  return (
    <dl class="figure-tiles" aria-label={texts.summary}>
      {listTiles(insights, ms).map((tile) => (
        <div key={tile.name}>
          <dt>{tile.name}</dt>
          <dd class="value">{tile.value === null ? '–' : tile.unit.format(tile.value)}</dd>
          {tile.detail && <dd class="detail">{tile.detail}</dd>}
          <dd class="hint">{describePrevious(tile)}</dd>
        </div>
      ))}
    </dl>
  )
}

function listTiles({ total, previous }: FigureTilesProps['insights'], ms: number): readonly Tile[] {
  const { figures, details } = texts
  const pair = (get: (runs: RunFigures) => number | null) => ({ value: get(total), previous: get(previous) })
  const p95 = (value: number | null) =>
    value === null ? undefined : format(details.p95, { value: durationUnit.format(value) })
  const currencies = [...new Set([...total.usage.costs, ...previous.usage.costs].map(({ currency }) => currency))]
  const counted = total.usage.runCount > 0 ? format(details.counted, { count: total.usage.runCount }) : undefined
  return [
    { name: figures.started, ...pair((runs) => runs.startedCount), unit: countUnit },
    { name: figures.ended, ...pair((runs) => runs.endedCount), unit: countUnit },
    { name: figures.successRate, ...pair((runs) => runs.successRate), unit: shareUnit, isShare: true },
    {
      name: figures.queueWait,
      ...pair((runs) => runs.queueWaitMs.p50),
      unit: durationUnit,
      detail: p95(total.queueWaitMs.p95),
    },
    {
      name: figures.duration,
      ...pair((runs) => runs.durationMs.p50),
      unit: durationUnit,
      detail: p95(total.durationMs.p95),
    },
    {
      name: figures.busy,
      ...pair((runs) => runs.busyMs),
      unit: durationUnit,
      detail: format(details.average, { value: decimalUnit.format(total.busyMs / ms) }),
    },
    {
      name: figures.tokens,
      ...pair(({ usage }) => usage.inputTokens + usage.outputTokens),
      unit: compactUnit,
      detail: format(details.tokens, {
        input: compactUnit.format(total.usage.inputTokens),
        output: compactUnit.format(total.usage.outputTokens),
      }),
    },
    ...currencies.map((currency) => ({
      name: format(figures.cost, { currency }),
      ...pair(({ usage }) => getCost(usage.costs, currency)),
      unit: currencyUnit(currency),
      detail: counted,
    })),
  ]
}

const changes = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 0, signDisplay: 'exceptZero' })
const pointChanges = new Intl.NumberFormat(locale, { maximumFractionDigits: 0, signDisplay: 'exceptZero' })

function describePrevious({ value, previous, unit, isShare = false }: Tile): string {
  const before = previous === null ? '–' : unit.format(previous)
  if (value === null || previous === null || (previous === 0 && !isShare))
    return format(texts.before, { value: before })
  const change = isShare
    ? format(texts.points, { value: pointChanges.format(100 * (value - previous)) })
    : changes.format(value / previous - 1)
  return format(texts.beforeWithChange, { value: before, change })
}
