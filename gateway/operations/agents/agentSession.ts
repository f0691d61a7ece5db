import { isDeepStrictEqual } from 'node:util'
import type { AgentDestinations } from '../../../machines/agents/agentDestinations.ts'
import { agentMembers } from '../../../machines/agents/agentKeys.ts'
import { jobLogStream } from '../../../machines/agents/jobKeys.ts'
import type { TypedRow } from '../../../machines/rows.ts'
import { runEventStream } from '../../../machines/runs/runKeys.ts'
import { agentConnect, agentHeartbeat, rotateAgentCredential } from '../../../spec/agents/agentSession.ts'
import { Failure } from '../../../spec/core/failure.ts'
import { toDateTime } from '../../../spec/core/types.ts'
import { everyMember } from '../core/members.ts'
import { rowAt } from '../core/replies.ts'
import { handle } from '../handler.ts'
import type { RequestContext } from '../requestContext.ts'

/** The number of seconds between two heartbeats of an agent. */
export const heartbeatSeconds = 15

/** The agent that sent the request. @throws Failure FORBIDDEN */
export function callingAgent({ principal }: Pick<RequestContext, 'principal'>): string {
  if (principal.kind !== 'agent') throw new Failure('FORBIDDEN', 'Only agents can use this operation.')
  return principal.agentId
}

/** @throws Failure STALE_EPOCH if another connection has replaced this one */
export async function requireEpoch(given: number, context: RequestContext<'presence' | 'actors'>): Promise<string> {
  const agentId = callingAgent(context)
  const known = context.presence.epoch(agentId)
  if (known === given) return agentId
  const row = await context.actors.peek({ kind: 'agent', id: agentId })
  const current = row?.context.epoch
  if (current !== given) {
    throw new Failure(
      'STALE_EPOCH',
      `Connection ${given} of this agent was replaced by connection ${current ?? 0}. Connect again.`,
      {
        details: { epoch: current ?? 0 },
      },
    )
  }
  return agentId
}

const activeStatuses: ReadonlySet<string> = new Set(['RUNNING', 'CANCELING', 'INCIDENT'])

function actionFor(row: TypedRow<'job'> | undefined, agentId: string, tried: number): 'KEEP' | 'STOP' | 'FORGET' {
  if (row === undefined || row.columns.agentId !== agentId) return 'STOP'
  const { attempt: current, log, settled } = row.context
  if (tried !== current) return 'STOP'
  // A job whose result was accepted has ended on both sides. A job that was given up here may still run on the machine.
  if (row.columns.terminal) return log !== null || settled ? 'FORGET' : 'STOP'
  return 'KEEP'
}

/** Read from memory, because every heartbeat of every agent needs it. */
async function looseCount(agentId: string, context: RequestContext<'actors' | 'presence'>): Promise<number> {
  const known = context.presence.loose(agentId)
  if (known !== undefined) return known
  const row = await context.actors.peek({ kind: 'agent', id: agentId })
  return row?.context.loose ?? 0
}

/**
 * Whether the agent counts as silent although it sends heartbeats, because this server or its database was unavailable. Read from
 * memory, as above.
 */
async function countsAsGone(agentId: string, context: RequestContext<'actors' | 'presence'>): Promise<boolean> {
  const status =
    context.presence.status(agentId) ?? (await context.actors.peek({ kind: 'agent', id: agentId }))?.columns.status
  return status === 'DISCONNECTED' || status === 'LOST'
}

/** The ended jobs for which the agent has not confirmed that no process is left. */
async function looseJobs(agentId: string, { views }: Pick<RequestContext, 'views'>): Promise<string[]> {
  const members = await views.members(agentId, agentMembers.looseJob.prefix, everyMember)
  return members
    .filter(({ value }) => (value as { left: number | null }).left === null)
    .map(({ key }) => agentMembers.looseJob.toId(key))
}

async function jobsToStop(
  jobs: readonly { readonly jobId: string; readonly attempt: number }[],
  agentId: string,
  context: Pick<RequestContext, 'actors'>,
): Promise<{ jobId: string; attempt: number }[]> {
  const rows = await Promise.all(jobs.map((job) => context.actors.peek({ kind: 'job', id: job.jobId })))
  return jobs
    .filter((job, index) => actionFor(rows[index], agentId, job.attempt) === 'STOP')
    .map(({ jobId, attempt: tried }) => ({ jobId, attempt: tried }))
}

/** Every connection reports the devices once, and most machines have none. */
async function areNew(
  destinations: readonly unknown[],
  agentId: string,
  { views }: Pick<RequestContext, 'views'>,
): Promise<boolean> {
  const [member] = await views.members(agentId, agentMembers.destinations, 1)
  const known = (member?.value as AgentDestinations | undefined)?.destinations ?? []
  return !isDeepStrictEqual(known, destinations)
}

export const agentSessionHandlers = [
  handle(agentConnect, ['views', 'streams', 'heartbeats'], {
    translate: async (input, context) => {
      const agentId = callingAgent(context)
      const { views, streams, onDisconnect, now } = context
      const listed = new Set(input.jobs.map((job) => job.jobId))
      const [rows, live, loose] = await Promise.all([
        views.getMany('job', [...listed]),
        views.living('job', [agentId]),
        looseJobs(agentId, context),
      ])
      const { version, hostname, platform, arch } = input
      const event = {
        type: 'connect',
        facts: { version, hostname, platform, arch },
        clis: input.clis,
        forgot: live
          .filter(({ id, columns }) => activeStatuses.has(columns.status) && !listed.has(id))
          .map(({ id }) => id),
        gone: loose.filter((id) => !listed.has(id)),
      }
      return {
        messages: [{ to: { kind: 'agent', id: agentId }, event }],
        answer: async (replies) => {
          const current = rowAt('agent', replies).context.epoch
          context.heartbeats.pulse({ agentId, epoch: current, at: now, jobs: input.jobs })
          onDisconnect?.({ to: { kind: 'agent', id: agentId }, event: { type: 'disconnected', epoch: current } })
          const jobs = await Promise.all(
            input.jobs.map(async ({ jobId, attempt: tried }) => {
              const row = rows.get(jobId)
              const runId = row?.columns.scopeId ?? jobId
              const [log, events] = await Promise.all([
                streams.head(jobLogStream(jobId, tried)),
                streams.head(runEventStream(runId)),
              ])
              const action = actionFor(row, agentId, tried)
              return { jobId, attempt: tried, action, logSequence: log.next, eventSequence: events.next }
            }),
          )
          return { agentId, epoch: current, heartbeatSeconds, jobs }
        },
      }
    },
  }),
  handle(agentHeartbeat, ['views', 'actors', 'presence'], {
    beat: async ({ epoch, jobs, load, freeMemoryBytes }, context) => {
      const agentId = await requireEpoch(epoch, context)
      return { agentId, epoch, at: context.now, jobs, vitals: { load, freeMemoryBytes } }
    },
    react: async (input, context) => {
      const agentId = callingAgent(context)
      const stop = await jobsToStop(input.jobs, agentId, context)
      const messages = []
      const self = { kind: 'agent', id: agentId } as const
      if (await countsAsGone(agentId, context))
        messages.push({ to: self, event: { type: 'heartbeatReceived', epoch: input.epoch } })
      if ((await looseCount(agentId, context)) > 0) {
        const listed = new Set(input.jobs.map((job) => job.jobId))
        const jobIds = (await looseJobs(agentId, context)).filter((jobId) => !listed.has(jobId))
        if (jobIds.length > 0) messages.push({ to: self, event: { type: 'jobsGone', jobIds } })
      }
      if (input.clis) messages.push({ to: self, event: { type: 'clisReported', clis: input.clis } })
      const { destinations } = input
      if (destinations && (await areNew(destinations, agentId, context)))
        messages.push({ to: self, event: { type: 'destinationsReported', destinations } })
      return { messages, answer: { serverTime: toDateTime(context.now), stop } }
    },
  }),
  handle(rotateAgentCredential, ['actors', 'presence', 'secrets'], {
    translate: async (input, context) => {
      const agentId = await requireEpoch(input.epoch, context)
      const { token, hash } = context.secrets.newSecret('agent_')
      return {
        messages: [{ to: { kind: 'agent', id: agentId }, event: { type: 'rotate', newHash: hash } }],
        answer: () => ({ credential: token }),
      }
    },
  }),
]
