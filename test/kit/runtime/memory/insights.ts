import { insightsAgentsMax } from '../../../../spec/runs/insights.ts'
import type { RunMeasurement } from '../../../../spec/runs/runMeasurement.ts'
import { addUsage } from '../../../../spec/runs/usageTotals.ts'
import { timesOf } from '../../../../storage/insights/measurementRow.ts'
import { addSums, noRuns, type RunSums, toFigures } from '../../../../storage/insights/runSums.ts'
import { countPlaces, placeOf } from '../../../../storage/insights/timeScale.ts'
import type { Insights, InsightsQuery } from '../../../../storage/ports/insights.ts'

/** Reads every run for each bucket. */
export function readInsights(all: readonly RunMeasurement[], query: InsightsQuery): Insights {
  const { edges, now, agentId, repository, kind } = query
  const runs = all.filter(
    (run) =>
      (agentId === undefined || run.agentId === agentId) &&
      (repository === undefined || run.repository === repository) &&
      (kind === undefined || run.kind === kind),
  )
  const [from = 0, to = 0] = [edges[0], edges.at(-1)]
  const sumsOf = (low: number, high: number) => addSums(runs.map((run) => sumsOfRun(run, low, high, now)))
  const buckets = edges.slice(1).map((high, index) => sumsOf(edges[index] ?? high, high))
  const byAgent = Map.groupBy(
    all.filter((run) => agentId === undefined || run.agentId === agentId),
    (run) => run.agentId,
  )
  const agents = [...byAgent].map(([id, own]) => {
    const { ended, busyMs } = addSums(own.map((run) => sumsOfRun(run, from, to, now)))
    return { agentId: id, ended: Object.values(ended).reduce((sum, count) => sum + count, 0), busyMs }
  })
  return {
    buckets: buckets.map(toFigures),
    total: toFigures(addSums(buckets)),
    previous: toFigures(sumsOf(2 * from - to, from)),
    agents: agents
      .filter(({ ended, busyMs }) => ended > 0 || busyMs > 0)
      .sort((a, b) => b.busyMs - a.busyMs || b.ended - a.ended || (a.agentId < b.agentId ? -1 : 1))
      .slice(0, insightsAgentsMax),
  }
}

function sumsOfRun(run: RunMeasurement, low: number, high: number, now: number): RunSums {
  const { startedAt, endedAt, status, usage } = run
  const isWithin = (at: number | null) => at !== null && at >= low && at < high
  const started = isWithin(startedAt) ? 1 : 0
  const busyMs = startedAt === null ? 0 : Math.max(0, Math.min(endedAt ?? now, high) - Math.max(startedAt, low))
  if (!isWithin(endedAt) || status === null) return { ...noRuns, started, busyMs }
  const { queueWaitMs, durationMs } = timesOf(run)
  const counted = (ms: number | null) => countPlaces(Uint8Array.from(ms === null ? [] : [placeOf(ms)]))
  return {
    started,
    busyMs,
    ended: { ...noRuns.ended, [status]: 1 },
    usage: addUsage(undefined, usage),
    waits: counted(queueWaitMs),
    durations: counted(durationMs),
  }
}
