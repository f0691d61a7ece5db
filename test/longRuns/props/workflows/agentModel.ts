/** The reports of the program of an agent about a job, by a random number. */
import { agentMembers } from '../../../../machines/agents/agentKeys.ts'
import type { JobContext } from '../../../../machines/agents/jobActions.ts'
import type { Json } from '../../../../spec/core/actor.ts'
import type { WorkflowWorld } from './workflowWorld.ts'

interface AgentState {
  readonly epoch: number
  readonly online: boolean
}

const outcomes = ['SUCCEEDED', 'SUCCEEDED', 'FAILED', 'TIMED_OUT'] as const

/** Returns whether anything was reported. */
export function reportJob(world: WorkflowWorld, jobId: string, pick: number): boolean {
  const { attempt, init, pause, question } = world.context<JobContext>(jobId)
  const { epoch, online } = world.context<AgentState>(init.agentId)
  if (!online) return false
  const say = (event: { readonly type: string; readonly [key: string]: Json }): boolean =>
    world.send('job', jobId, { ...event, epoch, attempt }).type === 'accepted'
  const end = (outcome: string, result: Json = null) => {
    const processesLeft = pick % 7 === 0 ? 2 : 0
    const log = { logChunks: 0, logSha256: String(pick) }
    const exit = { exitCode: 0, signal: null, problem: null }
    return say({ type: 'complete', outcome, processesLeft, ...log, ...exit, result })
  }
  switch (world.state(jobId)) {
    case 'OFFERED':
      return pick % 11 === 0
        ? say({ type: 'refuseOffer', code: 'NO', message: 'no' })
        : say({ type: 'accept', tokenHash: null, issuedAt: world.actors.now })
    case 'RUNNING':
      if (pause.isRequested !== pause.isConfirmed) return say({ type: 'pauseReported', isPaused: pause.isRequested })
      if (pause.isConfirmed) return false
      if (pick % 5 === 0) return say({ type: 'started' })
      if (pick % 5 === 1 && init.kind === 'AI')
        return say({ type: 'waiting', questionId: `q${pick}`, question: { title: 'Which?' } })
      if (pick % 5 === 2 && question !== null) return say({ type: 'resumed', questionId: question.id })
      return end(outcomes[pick % outcomes.length] ?? 'FAILED', toResult(init.kind, pick))
    case 'CANCELING':
      return pick % 3 !== 0 && end('CANCELED')
    default:
      return false
  }
}

function toResult(kind: string, pick: number): Json {
  if (kind === 'AI') return { text: 'done' }
  return pick % 2 === 0 ? { outputs: { version: String(pick % 3) } } : null
}

/** The ended jobs of an agent whose processes may still run. */
export function looseJobs(world: WorkflowWorld, agentId: string): readonly string[] {
  const { prefix, toId } = agentMembers.looseJob
  return [...world.context(agentId).members.range(prefix)].map(([key]) => toId(key))
}

/** The jobs of the agent that are executed now. */
export function runningJobs(world: WorkflowWorld, agentId: string): readonly string[] {
  return world.activeIdsOf('job').filter((id) => {
    const state = world.state(id)
    return (state === 'RUNNING' || state === 'CANCELING') && world.context<JobContext>(id).init.agentId === agentId
  })
}
