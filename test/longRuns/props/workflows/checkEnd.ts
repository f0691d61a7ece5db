/** Checks that everything has ended, and that nothing is held any more. */
import assert from 'node:assert/strict'
import type { ScheduleContext } from '../../../../machines/work/schedule.ts'
import type { Firing } from '../../../../machines/work/scheduleFirings.ts'
import { scheduleMembers } from '../../../../machines/work/scheduleKeys.ts'
import type { WorkflowContext } from '../../../../machines/work/workflow.ts'
import { workflowMembers } from '../../../../machines/work/workflowKeys.ts'
import type { QueueContext } from '../../../../machines/worktrees/queueActions.ts'
import { checkChild, checkExecution } from './checkSteps.ts'
import type { GatewayModel } from './gatewayModel.ts'
import type { WorkflowWorld } from './workflowWorld.ts'

export function checkEnd(world: WorkflowWorld, gateway: GatewayModel): void {
  for (const kind of ['run', 'build', 'workflowExecution', 'workflowStep', 'job'] as const)
    for (const id of world.activeIdsOf(kind)) assert.fail(`${id} has not ended: it is ${world.state(id)}`)
  for (const worktreeId of world.worktreeIds) checkQueue(world, world.queueOf(worktreeId).id)
  for (const id of world.workflowIds) checkWorkflow(world, id)
  for (const id of world.idsOf('workflowExecution')) checkExecution(world, id)
  for (const id of [...world.idsOf('run'), ...world.idsOf('build')]) checkChild(world, id)
  checkFirings(world, gateway)
}

/** No slot, no reservation and no entry is left. */
function checkQueue(world: WorkflowWorld, id: string): void {
  const { held, waiting, reservedBy, members } = world.context<QueueContext>(id)
  const left = [...members.entries()].map(([key]) => key)
  const free = { held: { PLAN: 0, SESSION: 0, WORKFLOW: 0, BUILD: 0 }, waiting: 0, reservedBy: null, left: [] }
  assert.deepEqual({ held, waiting, reservedBy, left }, free, `what is left in ${id}`)
}

/** No run counts as active or waits for the overlap policy. */
function checkWorkflow(world: WorkflowWorld, id: string): void {
  const { members, unasked } = world.context<WorkflowContext>(id)
  const definitions: ReadonlySet<string> = new Set([
    workflowMembers.draft,
    workflowMembers.published,
    workflowMembers.version(1),
  ])
  const left = [...members.entries()].map(([key]) => key).filter((key) => !definitions.has(key))
  assert.deepEqual({ left, unasked }, { left: [], unasked: 0 }, `what is left in ${id}`)
}

/** Each firing has the run that the gateway created for it, and no other. */
function checkFirings(world: WorkflowWorld, { firings }: GatewayModel): void {
  const { members, requested, waiting, fired } = world.context<ScheduleContext>(world.scheduleId)
  assert.deepEqual({ requested, waiting, fired }, { requested: null, waiting: 0, fired: firings.length })
  const byNumber = new Map(firings.map(({ number, runId }) => [number, runId]))
  assert.equal(byNumber.size, firings.length, 'each firing was requested once')
  for (const [, value] of members.range(scheduleMembers.firing.prefix)) {
    const { number, runId } = value as Firing
    assert.equal(runId, byNumber.get(number), `the run of firing ${number}`)
    if (runId !== null) assert.ok(world.actors.isOver(runId), `the run of firing ${number} is over`)
  }
}
