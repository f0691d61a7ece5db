/** The properties of queues, overlap policies, steps and schedules together, for random histories. */
import fc from 'fast-check'
import type { RunContext } from '../../../../machines/runs/runActions.ts'
import type { ExecutionContext } from '../../../../machines/work/steps/executionContext.ts'
import { checkEnd } from './checkEnd.ts'
import { checkOverlap, checkVerdict } from './checkOverlap.ts'
import { GatewayModel } from './gatewayModel.ts'
import { letGo } from './letGo.ts'
import { playAction } from './playAction.ts'
import { watchQueues } from './queueWatch.ts'
import { type History, history } from './workflowHistory.ts'
import { WorkflowWorld } from './workflowWorld.ts'

/** How often each case occurred. */
export type WorkflowTally = Record<string, number>

export function checkWorkflows({ runs, seed }: { readonly runs: number; readonly seed?: number }): WorkflowTally {
  const tally: WorkflowTally = { histories: 0 }
  fc.assert(
    fc.property(history, (one) => {
      playHistory(one, tally)
    }),
    { numRuns: runs, ...(seed === undefined ? {} : { seed }) },
  )
  return tally
}

/** @throws Error with the last transitions in its message */
export function playHistory(one: History, tally: WorkflowTally): void {
  const world = new WorkflowWorld(one)
  const gateway = new GatewayModel(world)
  const { actors } = world
  const watch = watchQueues(world)
  actors.onTransition = (ref) => {
    watch(ref)
    if (ref.kind === 'workflow') checkOverlap(world, ref.id)
    if (ref.kind === 'run') checkVerdict(world, ref.id)
  }
  try {
    for (const action of one.actions) playAction({ world, gateway, revokes: one.revokes }, action)
    letGo(world, gateway, one.order)
    checkEnd(world, gateway)
  } catch (error) {
    if (!(error instanceof Error)) throw error
    throw new Error(`${error.message}\n${actors.log.slice(-200).join('\n')}`, { cause: error })
  }
  count(world, gateway, tally)
}

function count(world: WorkflowWorld, gateway: GatewayModel, tally: WorkflowTally): void {
  const add = (what: string, by = 1): void => {
    tally[what] = (tally[what] ?? 0) + by
  }
  add('histories')
  add('transitions', world.actors.log.length)
  add('firings', gateway.firings.length)
  add('refused requests', gateway.refused)
  add('deadlocks', gateway.deadlocks)
  for (const id of world.idsOf('run')) {
    const { init } = world.context<RunContext>(id)
    add(`run ${init.kind} ${world.state(id)}`)
    if (init.stepId !== undefined) add('runs of steps')
  }
  for (const id of world.idsOf('workflowStep')) {
    const { init, attempt } = world.context<{ init: { kind: string; begin: { type: string } }; attempt: number }>(id)
    add(`step ${init.kind} ${world.state(id)}`)
    add(`step ${init.begin.type}`)
    if (attempt > 1) add('repeated steps')
  }
  for (const id of world.idsOf('workflowExecution')) {
    const { pause } = world.context<ExecutionContext>(id)
    if (pause.revision > 0) add('paused executions')
  }
  for (const id of world.agentIds) if (world.state(id).startsWith('REVOKED')) add('revoked agents')
}
