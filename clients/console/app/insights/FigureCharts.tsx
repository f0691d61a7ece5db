/** The figures of a time as charts. */
import { format, messages } from '../messages.ts'
import type { ChartSeries } from '../parts/charts/chartSeries.ts'
import {
  compactUnit,
  countUnit,
  currencyUnit,
  decimalUnit,
  durationUnit,
  shareUnit,
} from '../parts/charts/chartUnits.ts'
import { TimeChart } from '../parts/charts/TimeChart.tsx'
import { formatName } from '../parts/formatName.ts'
import { getCost, type Insights } from './insightsFigures.ts'
import { mergeBuckets, type SummedBucket } from './mergeBuckets.ts'

const { charts: texts, figures: names, overTime } = messages.insights

const endedSeries = [
  { status: 'SUCCEEDED', tone: 'good', count: (bucket: SummedBucket) => bucket.succeededCount },
  { status: 'FAILED', tone: 'failed', count: (bucket: SummedBucket) => bucket.failedCount },
  { status: 'TIMED_OUT', tone: 'late', count: (bucket: SummedBucket) => bucket.timedOutCount },
  { status: 'LOST', tone: 'lost', count: (bucket: SummedBucket) => bucket.lostCount },
  { status: 'CANCELED', tone: 'canceled', count: (bucket: SummedBucket) => bucket.canceledCount },
  { status: 'SKIPPED', tone: 'skipped', count: (bucket: SummedBucket) => bucket.skippedCount },
] as const

export function FigureCharts({ insights }: { readonly insights: Insights }) {
  const { buckets, total } = insights
  const sums = mergeBuckets(insights)
  const currencies = total.usage.costs.map(({ currency }) => currency)
  const single = (name: string, get: (bucket: SummedBucket) => number | null): readonly ChartSeries[] => [
    { name, tone: 'main', values: sums.map(get) },
  ]
  return (
    <section class="time-charts" aria-labelledby="over-time">
      <h2 id="over-time">{overTime}</h2>
      <TimeChart
        title={names.started}
        marks="bars"
        unit={countUnit}
        slots={sums}
        series={single(names.started, ({ startedCount }) => startedCount)}
      />
      <TimeChart
        title={texts.ended}
        marks="bars"
        unit={countUnit}
        slots={sums}
        series={endedSeries.map(({ status, tone, count }) => ({
          name: formatName(status),
          tone,
          values: sums.map(count),
        }))}
      />
      <TimeChart
        title={names.successRate}
        note={texts.successRate}
        marks="lines"
        unit={shareUnit}
        slots={sums}
        series={single(names.successRate, ({ successRate }) => successRate)}
      />
      <TimeChart
        title={names.queueWait}
        note={texts.percentiles}
        marks="lines"
        unit={durationUnit}
        slots={buckets}
        series={toPercentiles(buckets.map(({ queueWaitMs }) => queueWaitMs))}
      />
      <TimeChart
        title={names.duration}
        note={texts.percentiles}
        marks="lines"
        unit={durationUnit}
        slots={buckets}
        series={toPercentiles(buckets.map(({ durationMs }) => durationMs))}
      />
      <TimeChart
        title={names.busy}
        note={texts.busy}
        marks="bars"
        unit={decimalUnit}
        slots={sums}
        series={single(names.busy, ({ from, to, busyMs }) => busyMs / Math.max(1, Date.parse(to) - Date.parse(from)))}
      />
      <TimeChart
        title={names.tokens}
        note={texts.usage}
        marks="bars"
        unit={compactUnit}
        slots={sums}
        series={[
          { name: texts.input, tone: 'main', values: sums.map(({ usage }) => usage.inputTokens) },
          { name: texts.output, tone: 'second', values: sums.map(({ usage }) => usage.outputTokens) },
        ]}
      />
      {currencies.map((currency) => (
        <TimeChart
          key={currency}
          title={format(names.cost, { currency })}
          note={texts.usage}
          marks="bars"
          unit={currencyUnit(currency)}
          slots={sums}
          series={single(format(names.cost, { currency }), ({ usage }) => getCost(usage.costs, currency))}
        />
      ))}
    </section>
  )
}

interface Percentiles {
  readonly p50: number | null
  readonly p95: number | null
}

function toPercentiles(values: readonly Percentiles[]): readonly ChartSeries[] {
  return [
    { name: texts.p50, tone: 'main', values: values.map(({ p50 }) => p50) },
    { name: texts.p95, tone: 'second', values: values.map(({ p95 }) => p95) },
  ]
}
