import type { EndedRunStatus, RunMeasurement } from '../../spec/runs/runMeasurement.ts'
import { readUsage } from '../../spec/runs/usageTotals.ts'
import { isOver, type RunContext, type RunStatus } from './runActions.ts'
import { runMembers } from './runKeys.ts'

/** The measurement of a run. Undefined until the run has started or ended. */
export function measureRun(status: RunStatus, context: RunContext): RunMeasurement | undefined {
  const { id, init, queue, times, members } = context
  const hasEnded = isOver(status) && times.ended !== null
  if (times.started === null && !hasEnded) return undefined
  return {
    runId: id,
    agentId: init.agentId,
    repository: init.place?.repository ?? null,
    kind: init.kind,
    queuedAt: queue.queuedAt,
    admittedAt: times.admitted,
    startedAt: times.started,
    // The clocks of two processes may differ a little.
    endedAt: hasEnded ? Math.max(Number(times.ended), times.started ?? 0) : null,
    status: hasEnded ? (status as EndedRunStatus) : null,
    usage: hasEnded ? readUsage(members.get(runMembers.result)) : null,
  }
}
