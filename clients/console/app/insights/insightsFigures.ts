/** The figures of the runs of a time, as the API returns them. */
import { graphql, type ResultOf } from '../data/graphql.ts'

export const insightsQuery = graphql(`query (
  $from: DateTime!, $to: DateTime, $timeZone: String, $agentId: ID, $repositoryId: ID, $kind: RunKind
) { insights(
  from: $from, to: $to, timeZone: $timeZone, agentId: $agentId, repositoryId: $repositoryId, kind: $kind
) {
  bucketSize
  buckets {
    from to startedCount endedCount succeededCount failedCount canceledCount timedOutCount lostCount skippedCount successRate
    queueWaitMs { p50 p95 } durationMs { p50 p95 } busyMs usage { inputTokens outputTokens costs { amount currency } }
  }
  total {
    startedCount endedCount successRate queueWaitMs { p50 p95 } durationMs { p50 p95 } busyMs
    usage { runCount inputTokens outputTokens costs { amount currency } }
  }
  previous {
    startedCount endedCount successRate queueWaitMs { p50 p95 } durationMs { p50 p95 } busyMs
    usage { runCount inputTokens outputTokens costs { amount currency } }
  }
  agents { agentId name endedCount busyMs }
} }`)

export type Insights = ResultOf<typeof insightsQuery>['insights']
export type InsightsBucket = Insights['buckets'][number]
export type RunFigures = Insights['total']

/** Whether the figures have no run at all. */
export function isWithoutRuns({ startedCount, endedCount, busyMs }: RunFigures): boolean {
  return startedCount === 0 && endedCount === 0 && busyMs === 0
}

/** Returns the sum of the costs in one currency. */
export function getCost(costs: RunFigures['usage']['costs'], currency: string): number {
  return costs.find((cost) => cost.currency === currency)?.amount ?? 0
}
