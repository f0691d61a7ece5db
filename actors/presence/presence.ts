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
import type { ActorEvent, ActorRef } from '../../spec/core/actor.ts'
import type { AnyActorRow } from '../anyKind.ts'
import type { Clock } from '../ports/clock.ts'
import type { TransitionFeed } from '../ports/feed.ts'
import type { Beat, PresenceReader, PresenceStore } from '../ports/presence.ts'
import { type AgentPresence, createPresenceState, type PresenceContext, type ReceivedBeat } from './presenceState.ts'
import { agentsToReport, expiredLeases, silenceMessage, silentFor } from './silence.ts'

const lookMs = 1_000
const writeMs = 5_000
/** Milliseconds between reads of the heartbeats that other processes wrote, for agents that are connected to those. */
const elsewhereMs = 10_000
/** If a check is this late, the process was suspended or its machine slept. Milliseconds. */
const suspendedMs = 5_000

export interface PresenceOptions {
  readonly store: PresenceStore
  readonly feed: TransitionFeed
  readonly clock: Clock
  /** Sends a message. A refusal resolves: another process was faster. Any other error is reported. */
  tell(to: ActorRef<'agent' | 'job'>, event: ActorEvent): Promise<void>
  /** Every agent that is neither pending nor revoked, and every running job, from storage. */
  load(): Promise<{ readonly agents: readonly AnyActorRow[]; readonly jobs: readonly AnyActorRow[] }>
  /** The stored rows of these actors. */
  rows(ids: readonly string[]): Promise<ReadonlyMap<string, AnyActorRow>>
  problem(error: unknown): void
}

export class Presence implements PresenceReader {
  readonly #options: PresenceOptions
  readonly #state = createPresenceState()
  /** Heartbeats that the state does not show yet. One event for all that arrive together costs a fraction of an event for each. */
  #received: ReceivedBeat[] = []
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
      feed.onKind('agent', ({ ref, row }) => (row ? this.#onRow(row) : this.#hinted.add(ref.id))),
      feed.onKind('job', ({ ref, row }) => (row ? this.#onRow(row) : this.#hinted.add(ref.id))),
      feed.onGap(() => {
        this.#missed = true
      }),
    ]
    const { agents, jobs } = await load()
    for (const row of [...agents, ...jobs]) this.#onRow(row)
    await this.#lookElsewhere([...this.#context.agents.keys()])
    this.#schedule()
  }

  async stop(): Promise<void> {
    this.#cancel?.()
    for (const end of this.#ends.splice(0)) end()
    await this.#writeBack()
  }

  pulse(beat: Beat): void {
    this.#received.push({ beat, receivedAt: this.#now })
    if (this.#received.length === 1) setImmediate(() => this.#applyReceived())
  }

  lastSeen(agentId: string): number | undefined {
    return this.#current.agents.get(agentId)?.seenAt
  }

  epoch(agentId: string): number | undefined {
    return this.#context.agents.get(agentId)?.epoch
  }

  loose(agentId: string): number | undefined {
    return this.#context.agents.get(agentId)?.loose
  }

  status(agentId: string): string | undefined {
    return this.#context.agents.get(agentId)?.status
  }

  get #now(): number {
    return this.#options.clock.monotonic()
  }

  /** Without the heartbeats that have just arrived: those change no status, epoch or member. */
  get #context(): PresenceContext {
    return this.#state.getSnapshot().context
  }

  /** With all heartbeats that have arrived. */
  get #current(): PresenceContext {
    this.#applyReceived()
    return this.#context
  }

  /** Sends an event to the state, after the heartbeats that have arrived before it. */
  get #trigger() {
    this.#applyReceived()
    return this.#state.trigger
  }

  #applyReceived(): void {
    if (this.#received.length === 0) return
    const beats = this.#received
    this.#received = []
    this.#state.trigger.heartbeatsReceived({ beats })
  }

  #onRow(row: AnyActorRow): void {
    const change = { row, now: this.#now }
    if (row.kind === 'agent') this.#trigger.agentChanged(change)
    else this.#trigger.jobChanged(change)
  }

  #schedule(): void {
    const { clock } = this.#options
    const [monotonic, wall] = [clock.monotonic(), clock.now()]
    this.#cancel = clock.after(lookMs, () => {
      // While a machine sleeps, only the wall clock advances on some systems.
      const late = Math.max(clock.monotonic() - monotonic, clock.now() - wall) - lookMs
      if (late > suspendedMs) this.#beginAgain()
      void this.#look()
        .catch((error: unknown) => this.#options.problem(error))
        .finally(() => this.#schedule())
    })
  }

  /** Missing heartbeats of the time in which this process was suspended do not count as silence. */
  #beginAgain(): void {
    this.#trigger.processResumed({ now: this.#now })
  }

  async #look(): Promise<void> {
    const now = this.#now
    if (now - this.#wroteAt >= writeMs) await this.#writeBack()
    await this.#catchUp()
    if (now - this.#readAt >= elsewhereMs) {
      this.#readAt = now
      await this.#lookElsewhere(silentFor(this.#current, lookMs, now))
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
    const times = await this.#options.store.read(ids)
    this.#trigger.storedTimesRead({ times, now: this.#now })
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
    const silent = agentsToReport(this.#current, now)
    if (silent.length === 0) return
    await this.#lookElsewhere(silent)
    for (const id of silent) {
      const agent = this.#current.agents.get(id)
      if (agent === undefined) continue
      const type = silenceMessage(agent, now)
      if (type !== undefined) this.#tell({ kind: 'agent', id }, { type, epoch: agent.epoch })
    }
  }

  #lookForLeases(now: number): void {
    for (const [jobId, { attempt }] of expiredLeases(this.#current, now)) {
      this.#trigger.leaseExpired({ jobId, now })
      this.#tell({ kind: 'job', id: jobId }, { type: 'leaseExpired', attempt })
    }
  }

  #tell(to: ActorRef<'agent' | 'job'>, event: ActorEvent): void {
    void this.#options.tell(to, event).catch((error: unknown) => this.#options.problem(error))
  }

  async #writeBack(): Promise<void> {
    this.#wroteAt = this.#now
    const unwritten = [...this.#current.agents].filter(([, { isUnwritten }]) => isUnwritten)
    if (unwritten.length === 0) return
    const agents = unwritten.map(([, agent]) => agent)
    this.#trigger.writeBegan({ agents })
    try {
      await this.#options.store.write(unwritten.map(beatOf))
    } catch (error) {
      this.#trigger.writeFailed({ agents })
      throw error
    }
  }
}

function beatOf([agentId, { seenAt: at, vitals }]: readonly [string, AgentPresence]): Pick<
  Beat,
  'agentId' | 'at' | 'vitals'
> {
  return { agentId, at, ...(vitals && { vitals }) }
}
