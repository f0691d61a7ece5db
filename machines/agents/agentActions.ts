/** The context, events and actions of an agent. Its members: `job/<id>`, `loose/<id>`, `queue/<id>`, `skill/<id>`, `clis`,
 * `destinations`. */

import type { Json } from '../../spec/core/actor.ts'
import { addUsage, type RunUsage, type UsageTotals } from '../../spec/runs/usageTotals.ts'
import { notify } from '../devices/notify.ts'
import { fanOut, type Outcome } from '../framework/act.ts'
import type { MachineContext, Tell } from '../framework/define.ts'
import type { Members } from '../framework/members.ts'
import { noteClis } from './agentClis.ts'
import { agentMembers } from './agentKeys.ts'
import type { ReportedSkill } from './agentSkills.ts'
import type { AgentTags, SetTags } from './agentTags.ts'

export type AgentInit = {
  readonly enrollmentId: string
  readonly name: string
  /** SHA-256 of the first credential. */
  readonly credentialHash: string
  readonly facts: AgentFacts
  readonly createdAt: number
}

export type AgentFacts = {
  readonly hostname: string
  readonly platform: string
  readonly arch: string
  readonly version: string
}

export interface AgentContext extends MachineContext {
  readonly init: AgentInit
  readonly members: Members
  readonly id: string
  readonly facts: AgentFacts
  /** Incremented at every connection. */
  readonly epoch: number
  readonly connectedAt: number | null
  /** When it was lost last. Absent if it never was, or only in an earlier version. */
  readonly lostAt?: number
  /** SHA-256 of the credential with which the agent authenticates, and of the next credential until its first use. */
  readonly credential: { readonly hash: string; readonly next: string | null }
  readonly drain: { readonly draining: boolean; readonly revision: number }
  /** Whether the agent is connected, and so whether waiting jobs are offered to it. */
  readonly online: boolean
  /** The number of ended jobs for which the agent has not confirmed that no process is left. */
  readonly loose: number
  /** Absent until they are set for the first time. */
  readonly tags?: AgentTags
  /** Of its ended runs. Absent if none reported any. */
  readonly usage?: UsageTotals
}

/** The jobs to which a connection must still be reported. */
export type Greetings = {
  /** Running jobs that the agent did not name. */
  readonly forgot: readonly string[]
  /** Ended jobs that the agent did not name. */
  readonly gone: readonly string[]
  /** The waiting jobs are offered in the order of their keys, starting after this one. */
  readonly after: string
}

/** A job that has not ended. `waiting`: the job has asked for an offer and has none. */
export type LiveJob = {
  readonly topLevel: boolean
  readonly waiting: boolean
  /** The number of processes that the agent could not end, if that report came before the end of the job itself. */
  readonly left?: number
}
/** A job that has ended while some of its processes may still run. `runId` is its run or step. `left` is null if the agent never reported it. */
export type LooseJob = { readonly queueId: string | null; readonly runId: string | null; readonly left: number | null }

export type AgentEvent =
  | {
      type: 'connect'
      at: number
      facts: AgentFacts
      clis: Json
      /** Running jobs that the agent did not name. */
      forgot: readonly string[]
      /** Ended jobs that the agent did not name: no process of them is left. */
      gone: readonly string[]
    }
  | ({ type: 'connectMore'; at: number; epoch: number } & Greetings)
  | { type: 'disconnected'; at: number; epoch: number }
  | { type: 'silent'; at: number; epoch: number }
  /** A heartbeat on the present connection of an agent that was treated as silent. */
  | { type: 'heartbeatReceived'; at: number; epoch: number }
  | { type: 'lost'; at: number; epoch?: number }
  | { type: 'leasesOver'; at: number; after: string; epoch: number }
  | { type: 'jobWaiting'; at: number; jobId: string; topLevel: boolean; again?: boolean }
  | {
      type: 'jobEnded'
      at: number
      jobId: string
      settled: boolean
      left: number | null
      runId: string | null
      queueId: string | null
      usage?: RunUsage | null
    }
  | { type: 'jobsGone'; at: number; jobIds: readonly string[] }
  | { type: 'jobLeft'; at: number; jobId: string; left: number }
  | { type: 'queueAdded'; at: number; queueId: string; worktreeId: string }
  | { type: 'queueRemoved'; at: number; queueId: string }
  /** `reason` is for readers of the journal. */
  | { type: 'drain'; at: number; reason?: string | null }
  | { type: 'activate'; at: number; reason?: string | null }
  | { type: 'drainMore'; at: number; after: string; revision: number }
  | { type: 'revoke'; at: number; reason?: string | null }
  | { type: 'enrollmentOver'; at: number }
  | { type: 'revokeMore'; at: number; after: string }
  | { type: 'rotate'; at: number; newHash: string }
  | { type: 'recredential'; at: number; hash: string }
  | { type: 'credentialUsed'; at: number; hash: string }
  | { type: 'clisReported'; at: number; clis: Json }
  | { type: 'destinationsReported'; at: number; destinations: Json }
  | { type: 'skillsReported'; at: number; skills: readonly ReportedSkill[] }
  | SetTags

const toSelf = (context: AgentContext, event: Tell['event']): Tell => ({ to: { kind: 'agent', id: context.id }, event })
const toJob = (id: string, event: Tell['event']): Tell => ({ to: { kind: 'job', id }, event, echo: id })
const toQueue = (id: string, event: Tell['event']): Tell => ({ to: { kind: 'worktreeQueue', id }, event })

/** At most `room` members after a key, and the key of the last of them if there are more. */
function slice(
  members: Members,
  prefix: string,
  after: string,
  room = fanOut,
): { page: (readonly [string, Json])[]; last: string | null } {
  const page: (readonly [string, Json])[] = []
  for (let pair = members.first(prefix, after); pair !== undefined; pair = members.first(prefix, pair[0])) {
    if (page.length >= room) return { page, last: page.at(-1)?.[0] ?? after }
    page.push(pair)
  }
  return { page, last: null }
}

const toEnrollment = ({ init }: AgentContext, type: 'agentMade' | 'used'): Tell => ({
  to: { kind: 'enrollment', id: init.enrollmentId },
  event: { type },
})

/**
 * The first transition. If the token expired between its claim and this transition, the expiry found no agent to revoke. So the agent asks
 * its enrollment whether the claim is still valid.
 */
export const begin = (context: AgentContext): Outcome<AgentContext> => ({ tell: [toEnrollment(context, 'agentMade')] })

export function connect(context: AgentContext, event: AgentEvent & { type: 'connect' }): Outcome<AgentContext> {
  const set = { epoch: context.epoch + 1, online: true, facts: event.facts, connectedAt: event.at }
  const members = noteClis(context.members, event.clis, event.at)
  const first = context.connectedAt === null ? [toEnrollment(context, 'used')] : []
  const { gone, forgot } = event
  const greeted = greet({ ...context, ...set, members }, { gone, forgot, after: '' }, fanOut - first.length)
  return { set: { ...set, ...greeted.set }, tell: [...first, ...(greeted.tell ?? [])] }
}

/**
 * Processes a connection, in this order and with at most `room` messages: it frees the slots of jobs that are gone, sends `agentForgot` to
 * jobs that the agent did not name, and offers the waiting jobs. The rest follows in later transitions.
 */
export function greet(context: AgentContext, { gone, forgot, after }: Greetings, room = fanOut): Outcome<AgentContext> {
  const settled = settle(context, gone.slice(0, room))
  const missing = forgot.slice(0, Math.max(0, room - gone.length))
  const { page, last } = slice(
    context.members,
    agentMembers.liveJob.prefix,
    after,
    Math.max(0, room - gone.length - forgot.length),
  )
  const tell: Tell[] = [...settled.tell, ...missing.map((id) => toJob(id, { type: 'agentForgot' }))]
  let { members } = settled.set
  for (const [key, value] of page) {
    const job = value as LiveJob
    if (!job.waiting || !mayOffer(context, job)) continue
    members = members.with(key, { ...job, waiting: false })
    tell.push(toJob(agentMembers.liveJob.toId(key), { type: 'offer', epoch: context.epoch }))
  }
  if (gone.length > room || forgot.length > missing.length || last !== null) {
    const rest: Greetings = { gone: gone.slice(room), forgot: forgot.slice(missing.length), after: last ?? '~' }
    tell.push(toSelf(context, { type: 'connectMore', epoch: context.epoch, ...rest }))
  }
  return { set: { ...settled.set, members }, tell }
}

/** The agent was connected all the time, but its heartbeats did not arrive. The jobs that waited in the meantime are offered. */
export function comeBack(context: AgentContext): Outcome<AgentContext> {
  const offered = greet({ ...context, online: true }, { gone: [], forgot: [], after: '' })
  return { ...offered, set: { ...offered.set, online: true } }
}

const mayOffer = (context: AgentContext, job: LiveJob): boolean =>
  context.online && !(context.drain.draining && job.topLevel)

export function takeJob(context: AgentContext, event: AgentEvent & { type: 'jobWaiting' }): Outcome<AgentContext> {
  const job: LiveJob = { topLevel: event.topLevel, waiting: true }
  const offered = mayOffer(context, job)
  const members = context.members.with(agentMembers.liveJob.toKey(event.jobId), { ...job, waiting: !offered })
  if (offered) return { set: { members }, tell: [toJob(event.jobId, { type: 'offer', epoch: context.epoch })] }
  return { set: { members }, tell: event.again ? [toJob(event.jobId, { type: 'notOffered' })] : [] }
}

export function endJob(context: AgentContext, event: AgentEvent & { type: 'jobEnded' }): Outcome<AgentContext> {
  const job = context.members.get(agentMembers.liveJob.toKey(event.jobId)) as LiveJob | undefined
  const members = context.members.without(agentMembers.liveJob.toKey(event.jobId))
  const usage = event.usage ? { usage: addUsage(context.usage, event.usage) } : {}
  if (event.settled) return { set: { members, ...usage } }
  const { queueId, runId } = event
  const left = event.left ?? job?.left ?? null
  return {
    set: {
      members: members.with(agentMembers.looseJob.toKey(event.jobId), { queueId, runId, left }),
      loose: context.loose + 1,
      ...usage,
    },
  }
}

/**
 * The agent reports, after the job was given up here, which processes it could not end. The slot is then free only when the agent confirms
 * that none is left.
 */
export function noteLeft(
  context: AgentContext,
  { jobId, left }: AgentEvent & { type: 'jobLeft' },
): Outcome<AgentContext> {
  const key = [agentMembers.looseJob.toKey(jobId), agentMembers.liveJob.toKey(jobId)].find((one) =>
    context.members.has(one),
  )
  if (key === undefined) return {}
  const job = context.members.get(key) as LooseJob | LiveJob
  return { set: { members: context.members.with(key, { ...job, left }) } }
}

/** The job refused the offer because it has ended or is in another state. If it needs an offer, it asks again. */
export function dropJob(context: AgentContext, jobId: string): Outcome<AgentContext> {
  return { set: { members: context.members.without(agentMembers.liveJob.toKey(jobId)) } }
}

/** The agent confirms that no process of these jobs is left. One slice at a time. */
export function settleLoose(context: AgentContext, jobIds: readonly string[]): Outcome<AgentContext> {
  const { set, tell } = settle(context, jobIds.slice(0, fanOut))
  const rest = jobIds.slice(fanOut)
  return { set, tell: rest.length === 0 ? tell : [...tell, toSelf(context, { type: 'jobsGone', jobIds: rest })] }
}

/** No process of these jobs is left, so their slots are free. */
function settle(
  context: AgentContext,
  jobIds: readonly string[],
): { set: Pick<AgentContext, 'members' | 'loose'>; tell: readonly Tell[] } {
  let { members, loose } = context
  const tell: Tell[] = []
  for (const jobId of jobIds) {
    const job = members.get(agentMembers.looseJob.toKey(jobId)) as LooseJob | undefined
    if (job === undefined) continue
    members = members.without(agentMembers.looseJob.toKey(jobId))
    loose -= 1
    if (job.queueId !== null && job.runId !== null)
      tell.push(toQueue(job.queueId, { type: 'settled', runId: job.runId }))
  }
  return { set: { members, loose }, tell }
}

/** Users are notified if the agent was executing a job, because the job's work is lost with the agent. */
export function reportLost(
  { init, id, members }: AgentContext,
  { at }: { readonly at: number },
): Outcome<AgentContext> {
  for (const [, job] of members.range(agentMembers.liveJob.prefix)) {
    if (!(job as LiveJob).waiting)
      return { set: { lostAt: at }, effects: [notify({ reason: 'AGENT_LOST', at, name: init.name, agentId: id })] }
  }
  return { set: { lostAt: at } }
}

/** After 180 s of silence the leases of all its jobs expire. */
export function endLeases(context: AgentContext, after: string): Outcome<AgentContext> {
  const { page, last } = slice(context.members, agentMembers.liveJob.prefix, after)
  const tell = page
    .filter(([, job]) => !(job as LiveJob).waiting)
    .map(([key]) => toJob(agentMembers.liveJob.toId(key), { type: 'leaseExpired' }))
  if (last !== null) tell.push(toSelf(context, { type: 'leasesOver', after: last, epoch: context.epoch }))
  return { tell }
}

export function tellDrain(context: AgentContext, after: string): Outcome<AgentContext> {
  const { page, last } = slice(context.members, agentMembers.queue.prefix, after)
  const { draining, revision } = context.drain
  const tell = page.map(([key]) => toQueue(agentMembers.queue.toId(key), { type: 'agentDrain', draining, revision }))
  if (last !== null) tell.push(toSelf(context, { type: 'drainMore', after: last, revision }))
  return { tell }
}

/**
 * Notifies the queues whether the agent accepts new top-level runs. If it accepts them again, the waiting jobs are offered. One slice at a
 * time.
 */
export function reportDrain(context: AgentContext, draining: boolean): Outcome<AgentContext> {
  const drain = { draining, revision: context.drain.revision + 1 }
  const next = { ...context, drain }
  const sent = tellDrain(next, '').tell ?? []
  if (draining) return { set: { drain }, tell: sent }
  const greeted = greet(next, { gone: [], forgot: [], after: '' }, Math.max(0, fanOut - sent.length))
  return { set: { drain, ...greeted.set }, tell: [...sent, ...(greeted.tell ?? [])] }
}

/** Jobs first, then ended jobs with processes left, then the queues. One slice at a time, and each kind by the prefix of its keys. */
export function tellRevoked(context: AgentContext, after: string): Outcome<AgentContext> {
  for (const { prefix, toId } of [agentMembers.liveJob, agentMembers.looseJob, agentMembers.queue]) {
    if (after > `${prefix}~`) continue
    const { page, last } = slice(context.members, prefix, after)
    if (page.length === 0) continue
    const tell = page.flatMap(([key, value]) => farewell(prefix, toId(key), value))
    tell.push(toSelf(context, { type: 'revokeMore', after: last ?? `${prefix}~~` }))
    return { tell }
  }
  return { tell: [toSelf(context, { type: 'revokeMore', after: '~' })] }
}

function farewell(prefix: string, id: string, value: Json): readonly Tell[] {
  if (prefix === agentMembers.liveJob.prefix) return [toJob(id, { type: 'agentRevoked' })]
  if (prefix === agentMembers.queue.prefix) return [toQueue(id, { type: 'agentRevoked' })]
  const { queueId, runId } = value as LooseJob
  return queueId !== null && runId !== null ? [toQueue(queueId, { type: 'settled', runId })] : []
}
