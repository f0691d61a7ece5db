/**
 * Adds buckets to longer ones, so that bars are wide enough on a phone: quarters of an hour to hours, hours to six hours, days to weeks.
 * They begin when the clock of the reader shows a multiple of that time. Percentiles cannot be added, so charts of them keep the buckets.
 */
import type { Insights, InsightsBucket } from './insightsFigures.ts'

/** More bars than that are merged. */
const barsMax = 60

const [minuteMs, hourMs, dayMs] = [60_000, 3_600_000, 86_400_000]
const merged: Readonly<Record<Insights['bucketSize'], number | undefined>> = {
  MINUTE: 5 * minuteMs,
  FIVE_MINUTES: hourMs,
  QUARTER_HOUR: hourMs,
  HOUR: 6 * hourMs,
  DAY: 7 * dayMs,
  WEEK: undefined,
}

/** The sums of a time. */
export type SummedBucket = Omit<InsightsBucket, 'queueWaitMs' | 'durationMs'>

export function mergeBuckets({
  bucketSize,
  buckets,
}: Pick<Insights, 'bucketSize' | 'buckets'>): readonly SummedBucket[] {
  const length = merged[bucketSize]
  if (length === undefined || buckets.length <= barsMax) return buckets
  const groups = Map.groupBy(buckets, ({ from }) => countLengths(new Date(from), length))
  return [...groups.values()].map(addBuckets)
}

/** Counts in local time. Weeks begin on Monday: the first day of 1970 was a Thursday. */
function countLengths(date: Date, length: number): number {
  const localMs = date.getTime() - date.getTimezoneOffset() * minuteMs
  return Math.floor((localMs + (length > dayMs ? 3 * dayMs : 0)) / length)
}

function addBuckets(buckets: readonly InsightsBucket[]): SummedBucket {
  const sum = (get: (bucket: InsightsBucket) => number) => buckets.reduce((total, bucket) => total + get(bucket), 0)
  const [succeededCount, failedCount] = [sum((bucket) => bucket.succeededCount), sum((bucket) => bucket.failedCount)]
  const [timedOutCount, lostCount] = [sum((bucket) => bucket.timedOutCount), sum((bucket) => bucket.lostCount)]
  const decidedCount = succeededCount + failedCount + timedOutCount + lostCount
  return {
    from: buckets[0]?.from ?? '',
    to: buckets.at(-1)?.to ?? '',
    startedCount: sum((bucket) => bucket.startedCount),
    endedCount: sum((bucket) => bucket.endedCount),
    succeededCount,
    failedCount,
    canceledCount: sum((bucket) => bucket.canceledCount),
    timedOutCount,
    lostCount,
    skippedCount: sum((bucket) => bucket.skippedCount),
    successRate: decidedCount === 0 ? null : succeededCount / decidedCount,
    busyMs: sum((bucket) => bucket.busyMs),
    usage: {
      inputTokens: sum(({ usage }) => usage.inputTokens),
      outputTokens: sum(({ usage }) => usage.outputTokens),
      costs: addCosts(buckets.flatMap(({ usage }) => usage.costs)),
    },
  }
}

function addCosts(costs: InsightsBucket['usage']['costs']): InsightsBucket['usage']['costs'] {
  const amounts = new Map<string, number>()
  for (const { amount, currency } of costs) amounts.set(currency, (amounts.get(currency) ?? 0) + amount)
  return [...amounts].map(([currency, amount]) => ({ currency, amount }))
}
