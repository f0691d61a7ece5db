/** One action of a history: something that a person, an agent, the gateway or the time does. */
import { looseJobs, reportJob, runningJobs } from './agentModel.ts'
import type { GatewayModel } from './gatewayModel.ts'
import type { Action } from './workflowHistory.ts'
import { pickOf, type WorkflowWorld } from './workflowWorld.ts'

interface Stage {
  readonly world: WorkflowWorld
  readonly gateway: GatewayModel
  readonly revokes: boolean
}

export function playAction(stage: Stage, { what, pick }: Action): void {
  const { world, gateway } = stage
  const { actors } = world
  actors.now += pick % 50
  switch (what) {
    case 'deliver':
      for (let count = 1 + (pick % 4); count > 0 && actors.mail.length > 0; count -= 1)
        actors.deliver((pick * count) % actors.mail.length)
      return
    case 'agent': {
      const jobId = pickOf(world.activeIdsOf('job'), pick)
      if (jobId !== undefined) reportJob(world, jobId, Math.floor(pick / 7))
      return
    }
    case 'gateway':
      gateway.advance(pick)
      return
    case 'start': {
      const workflowId = pickOf(world.workflowIds, pick) ?? ''
      gateway.request('startWorkflow', { workflowId, worktreeId: pickOf(world.worktreeIds, pick >> 2) ?? '' })
      return
    }
    case 'aiRun': {
      const kind = pick % 2 === 0 ? 'PLAN' : 'SESSION'
      const worktreeId = pickOf(world.worktreeIds, pick >> 1) ?? ''
      const rules = { limit: pick % 3, exclusive: pick % 7 === 0, timeoutSeconds: 60 }
      gateway.request('createAgentRun', { kind, worktreeId, ...rules })
      return
    }
    case 'cancel':
      cancel(world, pick)
      return
    case 'pause': {
      const runId = pickOf(world.activeIdsOf('run'), pick)
      if (runId !== undefined) world.send('run', runId, { type: pick % 3 === 0 ? 'resume' : 'pause' })
      return
    }
    case 'decide': {
      const stepId = pickOf(waitingApprovals(world), pick)
      if (stepId !== undefined) decide(world, stepId, pick % 3 === 0 ? 'REJECTED' : 'APPROVED')
      return
    }
    case 'trigger':
      world.send('schedule', world.scheduleId, { type: 'trigger' })
      return
    case 'timer': {
      const [next] = actors.timers().sort((a, b) => a.due - b.due)
      if (next !== undefined) actors.fire(next.id, next.timer)
      return
    }
    case 'steer':
      steer(stage, pick)
  }
}

export const waitingApprovals = (world: WorkflowWorld): readonly string[] =>
  world.activeIdsOf('workflowStep').filter((id) => world.state(id) === 'WAITING_FOR_APPROVAL')

export function decide(world: WorkflowWorld, stepId: string, decision: 'APPROVED' | 'REJECTED'): void {
  world.send('workflowStep', stepId, { type: 'decide', decision, by: 'usr', comment: null })
}

function cancel(world: WorkflowWorld, pick: number): void {
  const [kind, type] = (
    [
      ['run', 'cancel'],
      ['run', 'cancel'],
      ['run', 'terminate'],
      ['workflowStep', 'cancel'],
      ['workflowExecution', 'cancel'],
      ['job', 'cancel'],
    ] as const
  )[pick % 6] ?? ['run', 'cancel']
  const id = pickOf(world.activeIdsOf(kind), pick >> 3)
  if (id !== undefined) world.send(kind, id, { type })
}

function steer({ world, revokes }: Stage, pick: number): void {
  const agentId = pickOf(world.agentIds, pick >> 4) ?? ''
  const { id: queueId } = world.queueOf(pickOf(world.worktreeIds, pick >> 5) ?? '')
  const { epoch } = world.context<{ readonly epoch: number }>(agentId)
  const connect = () => {
    const forgot = pick % 5 === 0 ? runningJobs(world, agentId) : []
    world.connect(agentId, forgot, pick % 3 === 0 ? [] : looseJobs(world, agentId))
  }
  const changes = [
    connect,
    connect,
    () => world.send('agent', agentId, { type: 'disconnected', epoch }),
    () => world.send('agent', agentId, { type: 'lost', epoch }),
    () => world.send('agent', agentId, { type: 'drain' }),
    () => world.send('agent', agentId, { type: 'activate' }),
    () => world.send('worktreeQueue', queueId, { type: 'pause' }),
    () => world.send('worktreeQueue', queueId, { type: 'resume' }),
    () => world.confirmGone(agentId, looseJobs(world, agentId)),
    () => revokes && world.send('agent', agentId, { type: 'revoke' }),
  ]
  changes[pick % changes.length]?.()
}
