/** The end of a history: all faults end and all people act, until nothing moves. */
import assert from 'node:assert/strict'
import type { RunContext } from '../../../../machines/runs/runActions.ts'
import { kindOfId } from '../../../../spec/core/ids.ts'
import { looseJobs, reportJob } from './agentModel.ts'
import { checkAtRest } from './checkAtRest.ts'
import type { GatewayModel } from './gatewayModel.ts'
import { decide, waitingApprovals } from './playAction.ts'
import type { WorkflowWorld } from './workflowWorld.ts'

const roundsMax = 3_000

/** @param order decides the order of the messages */
export function letGo(world: WorkflowWorld, gateway: GatewayModel, order: number): void {
  world.send('schedule', world.scheduleId, { type: 'pause' })
  for (const id of world.agentIds) world.send('agent', id, { type: 'activate' })
  for (const id of world.worktreeIds) world.send('worktreeQueue', world.queueOf(id).id, { type: 'resume' })
  let drawn = order
  const next = (): number => {
    drawn = (drawn * 1_103_515_245 + 12_345) % 2_147_483_648
    return drawn >> 8
  }
  for (let round = 0; round < roundsMax; round++) {
    deliverAll(world, gateway, next)
    checkAtRest(world)
    if (actAll(world, next)) continue
    const [timer] = world.actors
      .timers()
      .filter(({ id }) => kindOfId(id) !== 'schedule')
      .sort((a, b) => a.due - b.due)
    if (timer === undefined) return
    world.actors.fire(timer.id, timer.timer)
  }
  assert.fail(`the actors do not come to rest in ${roundsMax} rounds`)
}

function deliverAll({ actors }: WorkflowWorld, gateway: GatewayModel, next: () => number): void {
  for (;;) {
    while (actors.mail.length > 0) actors.deliver(next() % actors.mail.length)
    gateway.take()
    if (gateway.open.length > 0) gateway.advance(next())
    else if (actors.mail.length === 0) return
  }
}

/** Returns whether anybody did anything. */
function actAll(world: WorkflowWorld, next: () => number): boolean {
  const { actors } = world
  const before = actors.log.length
  for (const id of world.agentIds) {
    const isRevoked = world.state(id).startsWith('REVOKED')
    if (!isRevoked && !world.context<{ readonly online: boolean }>(id).online) world.connect(id)
    const loose = looseJobs(world, id)
    if (loose.length > 0) world.confirmGone(id, loose)
  }
  for (const id of waitingApprovals(world)) decide(world, id, next() % 4 === 0 ? 'REJECTED' : 'APPROVED')
  for (const id of world.activeIdsOf('run'))
    if (world.context<RunContext>(id).pause.isRequested) world.send('run', id, { type: 'resume' })
  let reported = false
  for (const id of world.activeIdsOf('job')) reported = reportJob(world, id, next()) || reported
  return reported || actors.mail.length > 0 || (actors.log.length > before && actors.requests.length > 0)
}
