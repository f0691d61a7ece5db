/**
 * Presence of agents. Heartbeats are kept in memory and written in batches. Only a change of state becomes a message. Silence is counted
 * from the latest of three times, so that no agent becomes LOST because of a restart or of a second process:
 * - when this process received the last heartbeat
 * - when this process last found a newer heartbeat of another process in storage
 * - when this process started
 *
 * Silence is measured on the monotonic clock, so that no agent becomes LOST when the wall clock is set. After this process was suspended,
 * the measurement starts again from zero: heartbeats of that time may still wait in its sockets, or the agents have to connect again.
 */
import type { ActorEvent, ActorRef, ActorRow } from '../spec/core/actor.ts'
import type { Clock } from './ports/clock.ts'
import type { Feed } from './ports/feed.ts'
import type { Beat, PresenceReader, PresenceStore, Vitals } from './ports/presence.ts'

/**
 * Milliseconds without a heartbeat after which an agent counts as disconnected, and after which it counts as lost. `leaseMs`: after this
 * time without a renewal, a job's lease expires.
 */
export const silenceMs = 45_000
export const lossMs = 180_000
export const leaseMs = 45_000
const lookMs = 1_000
const writeMs = 5_000
/** Milliseconds between reads of the heartbeats that other processes wrote, for agents that are connected to those. */
const elsewhereMs = 10_000
/** If a check is this late, the process was suspended or its machine slept. Milliseconds. */
const suspendedMs = 5_000

interface Seen {
  /** When the agent was last seen, milliseconds since 1970. It is shown and stored, and never used to measure silence. */
  at: number
  /** The start of the agent's silence, on the monotonic clock. */
  aliveAt: number
  /** When this process last received a heartbeat of the agent itself, on the monotonic clock. */
  heardAt: number | undefined
  /** The time that this process last wrote to storage or read there. If storage has another time, another process received a heartbeat. */
  storedAt: number | undefined
  seq: number
  epoch: number
  loose: number
  vitals: Vitals | undefined
  /** Whether `at` is newer than the stored time. */
  fresh: boolean
  status: string
}

interface Lease {
  readonly agentId: string
  readonly attempt: number
  /** On the monotonic clock. */
  renewedAt: number
}

export interface PresenceOptions {
  readonly store: PresenceStore
  readonly feed: Feed
  readonly clock: Clock
  /** Sends a message. A refusal resolves: another process was faster. Any other error is reported. */
  tell(to: ActorRef, event: ActorEvent): Promise<void>
  /** Every agent that is neither pending nor revoked, and every running job, from storage. */
  load(): Promise<{ readonly agents: readonly ActorRow[]; readonly jobs: readonly ActorRow[] }>
  /** The stored rows of these actors. */
  rows(ids: readonly string[]): Promise<ReadonlyMap<string, ActorRow>>
  problem(error: unknown): void
}

export class Presence implements PresenceReader {
  readonly #options: PresenceOptions
  readonly #agents = new Map<string, Seen>()
  readonly #leases = new Map<string, Lease>()
  /** Agents and jobs whose transitions another process committed. */
  #hinted = new Set<string>()
  /** Whether hints may have been missed. */
  #missed = false
  #ends: (() => void)[] = []
  #cancel: (() => void) | undefined
  #wroteAt = Number.NEGATIVE_INFINITY
  #readAt = Number.NEGATIVE_INFINITY

  constructor(options: PresenceOptions) {
    this.#options = options
  }

  async start(): Promise<void> {
    const { feed, load } = this.#options
    this.#ends = [
      feed.onKind('agent', ({ ref, row }) => (row ? this.#onAgent(row) : this.#hinted.add(ref.id))),
      feed.onKind('job', ({ ref, row }) => (row ? this.#onJob(row) : this.#hinted.add(ref.id))),
      feed.onGap(() => {
        this.#missed = true
      }),
    ]
    const { agents, jobs } = await load()
    for (const row of [...agents, ...jobs]) this.#onRow(row)
    await this.#lookElsewhere([...this.#agents.keys()])
    this.#schedule()
  }

  async stop(): Promise<void> {
    this.#cancel?.()
    for (const end of this.#ends.splice(0)) end()
    await this.#writeBack()
  }

  pulse(beat: Beat): void {
    const seen = this.#agents.get(beat.agentId)
    if (seen === undefined) return
    const now = this.#options.clock.monotonic()
    seen.at = beat.at
    seen.aliveAt = now
    seen.heardAt = now
    seen.vitals = beat.vitals ?? seen.vitals
    seen.fresh = true
    for (const { jobId, attempt } of beat.jobs) {
      const lease = this.#leases.get(jobId)
      if (lease?.agentId === beat.agentId && lease.attempt === attempt) lease.renewedAt = now
    }
  }

  lastSeen(agentId: string): number | undefined {
    return this.#agents.get(agentId)?.at
  }

  epoch(agentId: string): number | undefined {
    return this.#agents.get(agentId)?.epoch
  }

  loose(agentId: string): number | undefined {
    return this.#agents.get(agentId)?.loose
  }

  status(agentId: string): string | undefined {
    return this.#agents.get(agentId)?.status
  }

  #onRow(row: ActorRow): void {
    if (row.kind === 'agent') this.#onAgent(row)
    else this.#onJob(row)
  }

  #onAgent(row: ActorRow): void {
    const { status } = row.columns
    if (row.columns.terminal || status === 'PENDING') {
      this.#agents.delete(row.id)
      return
    }
    const { seq } = row
    const epoch = Number(row.context.epoch ?? 0)
    const loose = Number(row.context.loose ?? 0)
    const seen = this.#agents.get(row.id)
    const now = this.#options.clock.monotonic()
    if (seen === undefined) {
      this.#agents.set(row.id, {
        at: row.changedAt,
        // Until its first heartbeat, silence is counted from when this process loaded the agent, at its start or later.
        aliveAt: now,
        heardAt: undefined,
        storedAt: undefined,
        seq,
        epoch,
        loose,
        vitals: undefined,
        fresh: false,
        status,
      })
      return
    }
    // A row that was read from storage may be older than one that came through the feed in the meantime.
    if (seq < seen.seq) return
    if (epoch > seen.epoch) {
      seen.at = Math.max(seen.at, row.changedAt)
      seen.aliveAt = now
    }
    seen.seq = seq
    seen.epoch = epoch
    seen.loose = loose
    seen.status = status
  }

  #onJob(row: ActorRow): void {
    const { status, agentId } = row.columns
    if (status !== 'RUNNING' || agentId === undefined) {
      this.#leases.delete(row.id)
      return
    }
    const attempt = Number(row.context.attempt ?? 0)
    if (this.#leases.get(row.id)?.attempt === attempt) return
    this.#leases.set(row.id, { agentId, attempt, renewedAt: this.#options.clock.monotonic() })
  }

  #schedule(): void {
    const { clock } = this.#options
    const [monotonic, wall] = [clock.monotonic(), clock.now()]
    this.#cancel = clock.after(lookMs, () => {
      // While a machine sleeps, only the wall clock advances on some systems.
      const late = Math.max(clock.monotonic() - monotonic, clock.now() - wall) - lookMs
      if (late > suspendedMs) this.#beginAnew()
      void this.#look()
        .catch((error: unknown) => this.#options.problem(error))
        .finally(() => this.#schedule())
    })
  }

  /** Restarts the measurement: missing heartbeats of the time in which this process was suspended do not count as silence. */
  #beginAnew(): void {
    const now = this.#options.clock.monotonic()
    for (const seen of this.#agents.values()) seen.aliveAt = now
    for (const lease of this.#leases.values()) lease.renewedAt = now
  }

  async #look(): Promise<void> {
    const now = this.#options.clock.monotonic()
    if (now - this.#wroteAt >= writeMs) await this.#writeBack()
    await this.#catchUp()
    if (now - this.#readAt >= elsewhereMs) {
      this.#readAt = now
      await this.#lookElsewhere([...this.#agents].flatMap(([id, seen]) => (now - seen.aliveAt > lookMs ? [id] : [])))
    }
    await this.#lookForSilence(now)
    this.#lookForLeases(now)
  }

  /**
   * Reads the heartbeats that other processes wrote. A stored time that has changed since the last read is a new heartbeat, whatever the
   * clock of the other process is.
   */
  async #lookElsewhere(ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return
    const stored = await this.#options.store.read(ids)
    const now = this.#options.clock.monotonic()
    for (const [id, at] of stored) {
      const seen = this.#agents.get(id)
      if (seen === undefined || seen.storedAt === at) continue
      const isNew = seen.storedAt !== undefined
      seen.storedAt = at
      if (!seen.fresh) seen.at = Math.max(seen.at, at)
      if (isNew) seen.aliveAt = now
    }
  }

  /** Reads the agents and jobs that other processes changed. The feed only has hints of these changes. */
  async #catchUp(): Promise<void> {
    const [hinted, missed] = [this.#hinted, this.#missed]
    if (hinted.size === 0 && !missed) return
    this.#hinted = new Set()
    this.#missed = false
    try {
      const { load, rows } = this.#options
      for (const row of (await rows([...hinted])).values()) this.#onRow(row)
      if (!missed) return
      const { agents, jobs } = await load()
      for (const row of [...agents, ...jobs]) this.#onRow(row)
    } catch (error) {
      for (const id of hinted) this.#hinted.add(id)
      this.#missed ||= missed
      throw error
    }
  }

  async #lookForSilence(now: number): Promise<void> {
    const silent = [...this.#agents].filter(([, seen]) => dueMessage(seen, now) !== undefined)
    if (silent.length === 0) return
    await this.#lookElsewhere(silent.map(([id]) => id))
    for (const [id, seen] of silent) {
      const type = dueMessage(seen, now)
      if (type !== undefined) this.#tell({ kind: 'agent', id }, { type, epoch: seen.epoch })
    }
  }

  #lookForLeases(now: number): void {
    for (const [id, lease] of this.#leases) {
      // If the agent itself is silent, its own state decides. A lease expires only if the agent sends heartbeats that do not name the job
      // any more. Only the process that receives the agent's heartbeats has the names of its jobs.
      const heardAt = this.#agents.get(lease.agentId)?.heardAt
      if (heardAt === undefined || now - heardAt > silenceMs || now - lease.renewedAt <= leaseMs) continue
      lease.renewedAt = now
      this.#tell({ kind: 'job', id }, { type: 'leaseExpired', attempt: lease.attempt })
    }
  }

  #tell(to: ActorRef, event: ActorEvent): void {
    void this.#options.tell(to, event).catch((error: unknown) => this.#options.problem(error))
  }

  async #writeBack(): Promise<void> {
    this.#wroteAt = this.#options.clock.monotonic()
    const fresh = [...this.#agents].filter(([, seen]) => seen.fresh)
    if (fresh.length === 0) return
    for (const [, seen] of fresh) {
      seen.fresh = false
      seen.storedAt = seen.at
    }
    try {
      await this.#options.store.write(
        fresh.map(([agentId, { at, vitals }]) => ({ agentId, at, ...(vitals && { vitals }) })),
      )
    } catch (error) {
      for (const [, seen] of fresh) seen.fresh = true
      throw error
    }
  }
}

/** The message that an agent's silence requires. `undefined` if the agent is not silent, or if its state already shows the silence. */
function dueMessage(seen: Seen, now: number): 'silent' | 'lost' | undefined {
  const silence = now - seen.aliveAt
  if (silence > lossMs && seen.status !== 'LOST') return 'lost'
  if (silence > silenceMs && seen.status === 'CONNECTED') return 'silent'
  return undefined
}
