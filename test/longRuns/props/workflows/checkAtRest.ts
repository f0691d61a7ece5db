/** Checks that hold when no message and no request is on its way. */
import assert from 'node:assert/strict'
import type { JobContext } from '../../../../machines/agents/jobActions.ts'
import type { RunContext } from '../../../../machines/runs/runActions.ts'
import type { ExecutionContext } from '../../../../machines/work/steps/executionContext.ts'
import type { StepContext } from '../../../../machines/work/steps/stepContext.ts'
import { siblingId } from '../../../../spec/core/ids.ts'
import type { WorkflowWorld } from './workflowWorld.ts'

const startedStates: ReadonlySet<string> = new Set(['STARTING', 'RUNNING', 'WAITING_FOR_INPUT', 'PAUSED'])

export function checkAtRest(world: WorkflowWorld): void {
  for (const id of world.activeIdsOf('workflowExecution')) {
    const { init, pause } = world.context<ExecutionContext>(id)
    checkBelow(world, id, init.runId)
    if (pause.isConfirmed) checkPaused(world, id)
  }
  for (const id of world.activeIdsOf('workflowStep')) {
    const { init, pause } = world.context<StepContext>(id)
    checkBelow(world, id, siblingId('workflowExecution', init.place.runId))
    checkPauseReached(world, id, pause.isRequested)
  }
  for (const id of world.activeIdsOf('job')) checkBelow(world, id, world.context<JobContext>(id).init.owner.id)
  for (const id of world.activeIdsOf('run')) {
    const { stepId } = world.context<RunContext>(id).init
    if (stepId !== undefined) checkBelow(world, id, stepId)
  }
}

/** Nothing goes on below something that has ended or is being canceled. */
function checkBelow(world: WorkflowWorld, id: string, parentId: string): void {
  const parent = world.state(parentId)
  if (!world.actors.isOver(parentId) && parent !== 'CANCELING') return
  assert.equal(world.state(id), 'CANCELING', `${id} continues although ${parentId} is ${parent}`)
}

/** A pause reaches the job or the run of a step, if it has started. */
function checkPauseReached(world: WorkflowWorld, stepId: string, isRequested: boolean): void {
  for (const id of world.activeIdsOf('job')) {
    const { init, pause } = world.context<JobContext>(id)
    if (init.owner.id === stepId && world.state(id) === 'RUNNING')
      assert.equal(pause.isRequested, isRequested, `the pause of ${stepId} reaches its job ${id}`)
  }
  const { child } = world.context<StepContext>(stepId)
  if (child.runId === null || !isRequested || !startedStates.has(world.state(child.runId))) return
  assert.ok(world.context<RunContext>(child.runId).pause.isRequested, `${stepId} is paused, and its run is not`)
}

/** A pause is confirmed only if no step works. */
function checkPaused(world: WorkflowWorld, executionId: string): void {
  const { init } = world.context<ExecutionContext>(executionId)
  for (const id of world.activeIdsOf('job')) {
    const { owner } = world.context<JobContext>(id).init
    if (owner.kind !== 'workflowStep' || world.state(id) !== 'RUNNING') continue
    const step = world.context<StepContext>(owner.id)
    if (step.init.place.runId !== init.runId) continue
    assert.ok(world.context<JobContext>(id).pause.isConfirmed, `${executionId} is paused, and ${id} still runs`)
  }
}
