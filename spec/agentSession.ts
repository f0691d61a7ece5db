/** What an agent says of itself: that it connects, that it lives, that it wants a new credential. Closed types of its own. */

import * as v from 'valibot'
import type { ActorRow } from './actor.ts'
import { Failure } from './failure.ts'
import { everyMember } from './members.ts'
import { type MessageContext, mutation, type RequestContext } from './operation.ts'
import { rowAt } from './replies.ts'
import { contextOf } from './rows.ts'
import { id, idOf, int, named, text, toDateTime, words } from './types.ts'

/** Seconds between two heartbeats of an agent. */
export const heartbeatSeconds = 15

export const epoch = v.pipe(int, v.minValue(0))
export const attempt = v.pipe(int, v.minValue(1), v.maxValue(1_000_000))
/** Jobs that one agent can have under way. */
const jobsMax = 1_000

export const cliProtocol = named('AgentCliProtocol', 'How it is spoken to.', v.picklist(['ACP', 'PLAIN']))

const cli = named(
  'AgentCli',
  'A coding CLI configured on the machine.',
  v.object({
    name: text({ min: 1, max: 100 }),
    protocol: cliProtocol,
    version: v.nullish(text({ max: 100 })),
    healthy: v.boolean(),
    problem: v.nullish(words(500)),
  }),
)
const clis = v.pipe(v.array(cli), v.maxLength(20))

/** The agent that speaks. @throws Failure FORBIDDEN */
export function callingAgent({ principal }: Pick<RequestContext, 'principal'>): string {
  if (principal.kind !== 'agent') throw new Failure('FORBIDDEN', 'Only an agent may say this.')
  return principal.agentId
}

/** @throws Failure STALE_EPOCH where another connection has taken this one's place */
export async function requireEpoch(
  given: number,
  context: RequestContext & { peek?(ref: { kind: 'agent'; id: string }): Promise<ActorRow | undefined> },
): Promise<string> {
  const agentId = callingAgent(context)
  const known = context.presence.epoch(agentId)
  if (known === given) return agentId
  const row = context.peek ? await context.peek({ kind: 'agent', id: agentId }) : await context.views.get(agentId)
  const current = row === undefined ? undefined : contextOf<{ epoch: number }>(row).epoch
  if (current !== given) {
    throw new Failure('STALE_EPOCH', `Connection ${given} of this agent was replaced by ${current ?? 0}.`, {
      details: { epoch: current ?? 0 },
    })
  }
  return agentId
}

const directive = named(
  'AgentJobDirective',
  'What to do with a job that the agent says it has. The sequences are the next ones to send.',
  v.object({
    jobId: id,
    attempt: int,
    action: named(
      'AgentJobAction',
      'KEEP: go on, and send what is missing. STOP: kill and forget it. FORGET: it is settled here.',
      v.picklist(['KEEP', 'STOP', 'FORGET']),
    ),
    logSequence: int,
    eventSequence: int,
  }),
)

const jobState = named(
  'AgentJobState',
  'A job that the agent has, and whether it came to its end.',
  v.object({ jobId: idOf('job'), attempt, finished: v.boolean() }),
)

const underWay: ReadonlySet<string> = new Set(['RUNNING', 'CANCELING', 'INCIDENT'])

const agentConnect = mutation({
  name: 'agentConnect',
  description: 'The first call on every new connection: what the machine is and what it is still doing.',
  access: 'agents',
  exemptFromCost: true,
  input: v.object({
    version: text({ max: 50 }),
    hostname: text({ min: 1, max: 255 }),
    platform: text({ max: 50 }),
    arch: text({ max: 50 }),
    clis,
    jobs: v.pipe(v.array(jobState), v.maxLength(jobsMax)),
  }),
  output: named(
    'AgentConnectPayload',
    'The epoch of this connection, and what to do with each job.',
    v.object({ agentId: id, epoch: int, heartbeatSeconds: int, jobs: v.array(directive) }),
  ),
  translate: async (input, context) => {
    const agentId = callingAgent(context)
    const { views, streamHead, onDisconnect, now } = context
    const listed = new Set(input.jobs.map((job) => job.jobId))
    const [rows, live, loose] = await Promise.all([
      views.getMany([...listed]),
      views.living('job', [agentId]),
      looseJobs(agentId, context),
    ])
    const { version, hostname, platform, arch } = input
    const event = {
      type: 'connect',
      facts: { version, hostname, platform, arch },
      clis: input.clis,
      forgot: live.filter(({ id, columns }) => underWay.has(columns.status) && !listed.has(id)).map(({ id }) => id),
      gone: loose.filter((id) => !listed.has(id)),
    }
    return {
      messages: [{ to: { kind: 'agent', id: agentId }, event }],
      answer: async (replies) => {
        const current = contextOf<{ epoch: number }>(rowAt(replies)).epoch
        context.pulse({ agentId, epoch: current, at: now, jobs: input.jobs })
        onDisconnect?.({ to: { kind: 'agent', id: agentId }, event: { type: 'disconnected', epoch: current } })
        const jobs = await Promise.all(
          input.jobs.map(async ({ jobId, attempt: tried }) => {
            const row = rows.get(jobId)
            const runId = row?.columns.scopeId ?? jobId
            const [log, events] = await Promise.all([
              streamHead(`log/${jobId}/${tried}`),
              streamHead(`events/${runId}`),
            ])
            const action = actionFor(row, agentId, tried)
            return { jobId, attempt: tried, action, logSequence: log.next, eventSequence: events.next }
          }),
        )
        return { agentId, epoch: current, heartbeatSeconds, jobs }
      },
    }
  },
})

function actionFor(row: ActorRow | undefined, agentId: string, tried: number): 'KEEP' | 'STOP' | 'FORGET' {
  if (row?.kind !== 'job' || row.columns.agentId !== agentId) return 'STOP'
  const { attempt: current, log, settled } = contextOf<{ attempt: number; log: unknown; settled: boolean }>(row)
  if (tried !== current) return 'STOP'
  // A job whose result was taken is over for both; one that was given up here may still run there.
  if (row.columns.terminal) return log !== null || settled ? 'FORGET' : 'STOP'
  return 'KEEP'
}

/** From memory, since each agent's every heartbeat asks. */
async function looseCount(agentId: string, context: MessageContext): Promise<number> {
  const known = context.presence.loose(agentId)
  if (known !== undefined) return known
  const row = await context.peek({ kind: 'agent', id: agentId })
  return row === undefined ? 0 : contextOf<{ loose: number }>(row).loose
}

/** It beats, and yet it was taken for silent: this server or its database was away. From memory, as above. */
async function countsAsGone(agentId: string, context: MessageContext): Promise<boolean> {
  const status =
    context.presence.status(agentId) ?? (await context.peek({ kind: 'agent', id: agentId }))?.columns.status
  return status === 'DISCONNECTED' || status === 'LOST'
}

/** Ended jobs of which the agent never said that nothing is left. */
async function looseJobs(agentId: string, { views }: Pick<RequestContext, 'views'>): Promise<string[]> {
  const members = await views.members(agentId, 'loose/', everyMember)
  return members
    .filter(({ value }) => (value as { left: number | null }).left === null)
    .map(({ key }) => key.slice('loose/'.length))
}

const agentHeartbeat = mutation({
  name: 'agentHeartbeat',
  description: 'Every 15 s: that the agent lives, and which jobs it runs. Renews their leases.',
  access: 'agents',
  exemptFromCost: true,
  input: v.object({
    epoch,
    load: v.pipe(v.number(), v.finite(), v.minValue(0)),
    freeMemoryBytes: v.pipe(v.number(), v.finite(), v.minValue(0), v.maxValue(Number.MAX_SAFE_INTEGER)),
    jobs: v.pipe(
      v.array(named('AgentJobRef', 'An attempt at a job.', v.object({ jobId: idOf('job'), attempt }))),
      v.maxLength(jobsMax),
    ),
    clis: v.nullish(clis),
  }),
  output: named(
    'AgentHeartbeatPayload',
    'Jobs that are no longer counted as this agent’s: kill and forget them.',
    v.object({
      serverTime: v.string(),
      stop: v.array(named('AgentJobStop', 'An attempt to be stopped.', v.object({ jobId: id, attempt: int }))),
    }),
  ),
  translate: async (input, context) => {
    const agentId = await requireEpoch(input.epoch, context)
    const { now } = context
    const { load, freeMemoryBytes } = input
    context.pulse({ agentId, epoch: input.epoch, at: now, jobs: input.jobs, vitals: { load, freeMemoryBytes } })
    const stop = await jobsToStop(input.jobs, agentId, context)
    const messages = []
    const self = { kind: 'agent', id: agentId } as const
    if (await countsAsGone(agentId, context)) messages.push({ to: self, event: { type: 'heard', epoch: input.epoch } })
    if ((await looseCount(agentId, context)) > 0) {
      const listed = new Set(input.jobs.map((job) => job.jobId))
      const jobIds = (await looseJobs(agentId, context)).filter((jobId) => !listed.has(jobId))
      if (jobIds.length > 0) messages.push({ to: self, event: { type: 'jobsGone', jobIds } })
    }
    if (input.clis) messages.push({ to: self, event: { type: 'clisReported', clis: input.clis } })
    return { messages, answer: () => ({ serverTime: toDateTime(now), stop }) }
  },
})

async function jobsToStop(
  jobs: readonly { readonly jobId: string; readonly attempt: number }[],
  agentId: string,
  context: { peek(ref: { kind: 'job'; id: string }): Promise<ActorRow | undefined> },
): Promise<{ jobId: string; attempt: number }[]> {
  const rows = await Promise.all(jobs.map((job) => context.peek({ kind: 'job', id: job.jobId })))
  return jobs
    .filter((job, index) => actionFor(rows[index], agentId, job.attempt) === 'STOP')
    .map(({ jobId, attempt: tried }) => ({ jobId, attempt: tried }))
}

const rotateAgentCredential = mutation({
  name: 'rotateAgentCredential',
  description: 'Gives the agent a new credential. The old one is good until the new one is first used.',
  access: 'agents',
  input: v.object({ epoch }),
  output: named(
    'RotateAgentCredentialPayload',
    'The new credential, shown once.',
    v.object({ credential: v.string() }),
  ),
  translate: async (input, context) => {
    const agentId = await requireEpoch(input.epoch, context)
    const { token, hash } = context.newSecret('agent_')
    return {
      messages: [{ to: { kind: 'agent', id: agentId }, event: { type: 'rotate', newHash: hash } }],
      answer: () => ({ credential: token }),
    }
  },
})

export const agentSessionOperations = [agentConnect, agentHeartbeat, rotateAgentCredential]
