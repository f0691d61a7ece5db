/** Checks the overlap policies: the runs of a workflow that may execute in one scope. */
import assert from 'node:assert/strict'
import type { RunInit } from '../../../../machines/runs/runActions.ts'
import type { WorkflowContext } from '../../../../machines/work/workflow.ts'
import { workflowMembers } from '../../../../machines/work/workflowKeys.ts'
import type { Started } from '../../../../machines/worktrees/overlap.ts'
import type { WorkflowWorld } from './workflowWorld.ts'

/** With these policies several runs of one scope may execute at the same time. */
const overlapping: ReadonlySet<string> = new Set(['ALLOW_ALL', 'TERMINATE_OTHER'])

export function checkOverlap(world: WorkflowWorld, workflowId: string): void {
  const { rules, members } = world.context<WorkflowContext>(workflowId)
  const { prefix, toId } = workflowMembers.run
  const started = [...members.range(prefix)].map(([key, value]) => [toId(key), value as Started] as const)
  if (overlapping.has(rules.overlapPolicy)) return
  const ready = started.filter(([, { verdict }]) => verdict === 'READY')
  for (const [id, one] of ready)
    for (const [otherId, other] of ready)
      if (id !== otherId && one.scope === other.scope)
        assert.ok(
          one.above.includes(otherId) || other.above.includes(id),
          `${id} and ${otherId} may execute at the same time, although the policy is ${rules.overlapPolicy}`,
        )
}

/** A run of a workflow executes only if the workflow lets it. */
export function checkVerdict(world: WorkflowWorld, runId: string): void {
  const { init } = world.context<{ readonly init: RunInit }>(runId)
  if (init.kind !== 'WORKFLOW' || world.state(runId) === 'QUEUED' || world.actors.isOver(runId)) return
  const started = world.context<WorkflowContext>(init.ownerId).members.get(workflowMembers.run.toKey(runId))
  assert.equal((started as Started | undefined)?.verdict, 'READY', `${runId} is ${world.state(runId)}`)
}
