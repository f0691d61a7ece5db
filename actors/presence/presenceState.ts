/**
 * The presence of agents and the leases of their jobs, as this process has received them. They are kept only in memory: after a restart
 * they are read from storage. Each change is a named event of the store.
 *
 * The entries change in place. A copy of a map of 100,000 agents would take milliseconds for each event. `revision` is different after
 * each event, so the store's subscribers and selections see each change.
 */
import { createStore } from '@xstate/store'
import type { AnyActorRow } from '../anyKind.ts'
import type { Beat, Vitals } from '../ports/presence.ts'

export interface AgentPresence {
  /** When the agent was last seen, milliseconds since 1970. It is shown and stored, and never used to measure silence. */
  seenAt: number
  /** The start of the agent's silence, on the monotonic clock. */
  aliveAt: number
  /** When this process last received a heartbeat of the agent itself, on the monotonic clock. */
  receivedAt: number | undefined
  /** The time that this process last wrote to storage or read there. If storage has another time, another process received a heartbeat. */
  storedAt: number | undefined
  seq: number
  epoch: number
  loose: number
  vitals: Vitals | undefined
  /** Whether `seenAt` is newer than the stored time. */
  isUnwritten: boolean
  status: string
}

export interface JobLease {
  readonly agentId: string
  readonly attempt: number
  /** On the monotonic clock. */
  renewedAt: number
}

export interface PresenceContext {
  readonly agents: Map<string, AgentPresence>
  readonly leases: Map<string, JobLease>
  readonly revision: number
}

/** On the monotonic clock. */
interface AtTime {
  readonly now: number
}

export interface ReceivedBeat {
  readonly beat: Beat
  /** On the monotonic clock. */
  readonly receivedAt: number
}

/** A transition that changes the entries in place. */
function change<Payload>(apply: (context: PresenceContext, payload: Payload) => void) {
  return (context: PresenceContext, payload: Payload): PresenceContext => {
    apply(context, payload)
    return { ...context, revision: context.revision + 1 }
  }
}

export function createPresenceState() {
  return createStore({
    context: { agents: new Map(), leases: new Map(), revision: 0 } as PresenceContext,
    on: {
      heartbeatsReceived: change((context, { beats }: { readonly beats: readonly ReceivedBeat[] }) => {
        for (const beat of beats) receiveBeat(context, beat)
      }),
      /** Another process has received a heartbeat of each agent whose stored time has changed since the last read. */
      storedTimesRead: change(readStoredTimes),
      agentChanged: change(changeAgent),
      jobChanged: change(changeJob),
      /** This process did not run for a while, so the measurement of each silence starts again. */
      processResumed: change(({ agents, leases }, { now }: AtTime) => {
        for (const agent of agents.values()) agent.aliveAt = now
        for (const lease of leases.values()) lease.renewedAt = now
      }),
      leaseExpired: change(({ leases }, { jobId, now }: AtTime & { readonly jobId: string }) => {
        const lease = leases.get(jobId)
        if (lease !== undefined) lease.renewedAt = now
      }),
      writeBegan: change((_, { agents }: { readonly agents: readonly AgentPresence[] }) => {
        for (const agent of agents) {
          agent.isUnwritten = false
          agent.storedAt = agent.seenAt
        }
      }),
      writeFailed: change((_, { agents }: { readonly agents: readonly AgentPresence[] }) => {
        for (const agent of agents) agent.isUnwritten = true
      }),
    },
  })
}

function receiveBeat({ agents, leases }: PresenceContext, { beat, receivedAt }: ReceivedBeat): void {
  const agent = agents.get(beat.agentId)
  if (agent === undefined) return
  agent.seenAt = beat.at
  agent.aliveAt = receivedAt
  agent.receivedAt = receivedAt
  agent.vitals = beat.vitals ?? agent.vitals
  agent.isUnwritten = true
  for (const { jobId, attempt } of beat.jobs) {
    const lease = leases.get(jobId)
    if (lease?.agentId === beat.agentId && lease.attempt === attempt) lease.renewedAt = receivedAt
  }
}

function readStoredTimes(
  { agents }: PresenceContext,
  { times, now }: AtTime & { readonly times: ReadonlyMap<string, number> },
): void {
  for (const [id, at] of times) {
    const agent = agents.get(id)
    if (agent === undefined || agent.storedAt === at) continue
    const isNew = agent.storedAt !== undefined
    agent.storedAt = at
    if (!agent.isUnwritten) agent.seenAt = Math.max(agent.seenAt, at)
    if (isNew) agent.aliveAt = now
  }
}

function changeAgent({ agents }: PresenceContext, { row, now }: AtTime & { readonly row: AnyActorRow }): void {
  const { seq } = row
  const { status, terminal } = row.columns
  if (terminal || status === 'PENDING') {
    agents.delete(row.id)
    return
  }
  const epoch = Number(row.context.epoch ?? 0)
  const loose = Number(row.context.loose ?? 0)
  const agent = agents.get(row.id)
  if (agent === undefined) {
    agents.set(row.id, {
      seenAt: row.changedAt,
      // Until its first heartbeat, silence is counted from when this process loaded the agent, at its start or later.
      aliveAt: now,
      receivedAt: undefined,
      storedAt: undefined,
      seq,
      epoch,
      loose,
      vitals: undefined,
      isUnwritten: false,
      status,
    })
    return
  }
  // A row that was read from storage may be older than one that came through the feed in the meantime.
  if (seq < agent.seq) return
  if (epoch > agent.epoch) {
    agent.seenAt = Math.max(agent.seenAt, row.changedAt)
    agent.aliveAt = now
  }
  agent.seq = seq
  agent.epoch = epoch
  agent.loose = loose
  agent.status = status
}

function changeJob({ leases }: PresenceContext, { row, now }: AtTime & { readonly row: AnyActorRow }): void {
  const { status, agentId } = row.columns
  if (status !== 'RUNNING' || agentId === undefined) {
    leases.delete(row.id)
    return
  }
  const attempt = Number(row.context.attempt ?? 0)
  if (leases.get(row.id)?.attempt !== attempt) leases.set(row.id, { agentId, attempt, renewedAt: now })
}
