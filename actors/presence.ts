/**
 * Who is alive. Heartbeats live in memory and are written back in batches; only a change of state becomes a message. Silence is
 * counted from the latest of the last heartbeat that this process saw, the last one that any process wrote back, and this
 * process's start, so that neither a restart nor a second process loses anybody.
 */
import type { ActorEvent, ActorRef, ActorRow } from '../spec/actor.ts'
import type { Beat, PresenceReader, Vitals } from '../spec/operation.ts'
import type { Clock, Feed, PresenceStore } from './ports.ts'

/** Milliseconds without a heartbeat after which an agent counts as disconnected, then as lost; and a job's lease as run out. */
export const silenceMs = 45_000
export const lossMs = 180_000
export const leaseMs = 45_000
const lookMs = 1_000
const writeMs = 5_000

interface Seen {
  at: number
  /** The last heartbeat that this very process received. */
  heardAt: number | undefined
  seq: number
  epoch: number
  loose: number
  vitals: Vitals | undefined
  /** Whether `at` is newer than what was written back. */
  fresh: boolean
  status: string
}

interface Lease {
  readonly agentId: string
  readonly attempt: number
  renewedAt: number
}

export interface PresenceOptions {
  readonly store: PresenceStore
  readonly feed: Feed
  readonly clock: Clock
  /** Sends a message; a refusal is fine (somebody else was faster), anything else is reported. */
  tell(to: ActorRef, event: ActorEvent): Promise<void>
  /** Every agent that is neither pending nor revoked, and every running job, from storage. */
  load(): Promise<{ readonly agents: readonly ActorRow[]; readonly jobs: readonly ActorRow[] }>
  /** Some of them, as they stand in storage. */
  rows(ids: readonly string[]): Promise<ReadonlyMap<string, ActorRow>>
  problem(error: unknown): void
}

export class Presence implements PresenceReader {
  readonly #options: PresenceOptions
  readonly #agents = new Map<string, Seen>()
  readonly #leases = new Map<string, Lease>()
  /** Agents and jobs that other processes have moved on. */
  #hinted = new Set<string>()
  /** Hints may have been missed. */
  #missed = false
  #startedAt = 0
  #ends: (() => void)[] = []
  #cancel: (() => void) | undefined
  #wroteAt = 0

  constructor(options: PresenceOptions) {
    this.#options = options
  }

  async start(): Promise<void> {
    const { feed, clock, load, store } = this.#options
    this.#startedAt = clock.now()
    this.#ends = [
      feed.onKind('agent', ({ ref, row }) => (row ? this.#onAgent(row) : this.#hinted.add(ref.id))),
      feed.onKind('job', ({ ref, row }) => (row ? this.#onJob(row) : this.#hinted.add(ref.id))),
      feed.onGap(() => {
        this.#missed = true
      }),
    ]
    const { agents, jobs } = await load()
    for (const row of [...agents, ...jobs]) this.#onRow(row)
    for (const [id, at] of await store.read([...this.#agents.keys()])) {
      const seen = this.#agents.get(id)
      if (seen) seen.at = Math.max(seen.at, at)
    }
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
    seen.at = beat.at
    seen.heardAt = beat.at
    seen.vitals = beat.vitals ?? seen.vitals
    seen.fresh = true
    for (const { jobId, attempt } of beat.jobs) {
      const lease = this.#leases.get(jobId)
      if (lease?.agentId === beat.agentId && lease.attempt === attempt) lease.renewedAt = beat.at
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
    if (seen === undefined) {
      // Until its heartbeat is known it counts as seen at our start, or at its own last change where that is later.
      this.#agents.set(row.id, {
        at: Math.max(this.#startedAt, row.changedAt),
        heardAt: undefined,
        seq,
        epoch,
        loose,
        vitals: undefined,
        fresh: false,
        status,
      })
      return
    }
    // What was looked up may be older than what was heard meanwhile.
    if (seq < seen.seq) return
    if (epoch > seen.epoch) seen.at = Math.max(seen.at, row.changedAt)
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
    this.#leases.set(row.id, { agentId, attempt, renewedAt: Math.max(this.#startedAt, row.changedAt) })
  }

  #schedule(): void {
    this.#cancel = this.#options.clock.after(lookMs, () => {
      void this.#look()
        .catch((error: unknown) => this.#options.problem(error))
        .finally(() => this.#schedule())
    })
  }

  async #look(): Promise<void> {
    const now = this.#options.clock.now()
    if (now - this.#wroteAt >= writeMs) await this.#writeBack()
    await this.#catchUp()
    await this.#lookForSilence(now)
    this.#lookForLeases(now)
  }

  /** What other processes did with agents and jobs: the feed only hints at it. */
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
    // Another process may have heard from them.
    const elsewhere = await this.#options.store.read(silent.map(([id]) => id))
    for (const [id, seen] of silent) {
      seen.at = Math.max(seen.at, elsewhere.get(id) ?? 0)
      const type = dueMessage(seen, now)
      if (type !== undefined) this.#tell({ kind: 'agent', id }, { type, epoch: seen.epoch })
    }
  }

  #lookForLeases(now: number): void {
    for (const [id, lease] of this.#leases) {
      // Where the agent itself is silent, its own state decides; a lease runs out when it beats and no longer names the job.
      // Which jobs it names, only the process knows that it beats to.
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
    this.#wroteAt = this.#options.clock.now()
    const fresh = [...this.#agents].filter(([, seen]) => seen.fresh)
    if (fresh.length === 0) return
    for (const [, seen] of fresh) seen.fresh = false
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

/** What an agent's silence calls for; `undefined` where it is not silent, or its state says so already. */
function dueMessage(seen: Seen, now: number): 'silent' | 'lost' | undefined {
  const silence = now - seen.at
  if (silence > lossMs && seen.status !== 'LOST') return 'lost'
  if (silence > silenceMs && seen.status === 'CONNECTED') return 'silent'
  return undefined
}
