import type * as v from 'valibot'
import { toDateTime } from '../../../spec/core/types.ts'
import { insights, insightsDaysMax } from '../../../spec/runs/insights.ts'
import type { RunFigures } from '../../../storage/ports/insights.ts'
import { requireRow } from '../core/rows.ts'
import { bucketsOf, requireRange } from '../core/timeBuckets.ts'
import { handle } from '../handler.ts'
import { toUsageTotals } from './usage.ts'

export const insightsHandlers = [
  handle(insights, ['views'], {
    read: async ({ from, to: end, timeZone: zone, agentId, repositoryId, kind }, { views, now }) => {
      const to = end ?? now
      requireRange(from, to, insightsDaysMax)
      if (agentId) await requireRow(views, 'agent', agentId)
      const repository = repositoryId ? (await requireRow(views, 'repository', repositoryId)).init.name : undefined
      const timeZone = zone ?? 'UTC'
      const { size, edges } = bucketsOf(from, to, timeZone)
      const found = await views.insights({
        edges,
        now,
        ...(agentId ? { agentId } : {}),
        ...(repository === undefined ? {} : { repository }),
        ...(kind ? { kind } : {}),
      })
      const names = await views.getMany(
        'agent',
        found.agents.map((one) => one.agentId),
      )
      return {
        from: toDateTime(from),
        to: toDateTime(to),
        timeZone,
        bucketSize: size,
        buckets: found.buckets.map((figures, index) => ({
          from: toDateTime(edges[index] ?? from),
          to: toDateTime(edges[index + 1] ?? to),
          ...toFigures(figures),
        })),
        total: toFigures(found.total),
        previous: toFigures(found.previous),
        agents: found.agents.map((one) => ({
          agentId: one.agentId,
          name: names.get(one.agentId)?.init.name ?? null,
          endedCount: one.ended,
          busyMs: one.busyMs,
        })),
      }
    },
  }),
]

function toFigures(figures: RunFigures): v.InferInput<typeof insights.output>['total'] {
  const { started, ended, usage, queueWaitMs, durationMs, busyMs } = figures
  const { SUCCEEDED, FAILED, CANCELED, TIMED_OUT, LOST, SKIPPED } = ended
  const decided = SUCCEEDED + FAILED + TIMED_OUT + LOST
  return {
    startedCount: started,
    endedCount: decided + CANCELED + SKIPPED,
    succeededCount: SUCCEEDED,
    failedCount: FAILED,
    canceledCount: CANCELED,
    timedOutCount: TIMED_OUT,
    lostCount: LOST,
    skippedCount: SKIPPED,
    successRate: decided === 0 ? null : SUCCEEDED / decided,
    queueWaitMs,
    durationMs,
    busyMs,
    usage: toUsageTotals(usage),
  }
}
