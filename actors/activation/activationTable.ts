/** The actors in memory: finds the activation of each message, bounds what is queued, and hands pending commits to the writer. */

import type { AnyActorRef, AnyActorRow } from '../anyKind.ts'
import type { Logic } from '../decide/logic.ts'
import { stopping, tooMany } from '../decide/refusals.ts'
import type { CommitFailed, Journal, LostReason } from '../ports/journal.ts'
import { Activation, type ActivationOwner, type ActivationServices, type PendingCommit } from './activation.ts'
import { type BatchSource, BatchWriter, type DeliveredEffects } from './batchWriter.ts'
import type { Delivery } from './delivery.ts'
import { Loader } from './loader.ts'
import type { PreparedTransition } from './prepareTransition.ts'
import { restoreSnapshot, type Snapshot, toActorRow } from './snapshot.ts'

export interface ActivationTableOptions extends Omit<ActivationServices, 'loader'> {
  logic(kind: string): Logic
  readonly journal: Journal
  readonly deliveredEffects: DeliveredEffects
  /** How many asks may be queued for one actor. One more is refused UNAVAILABLE. */
  readonly messagesPerActor: number
  /** The same for all actors together, and for effects in flight: it bounds the memory. */
  readonly messagesWaiting: number
  effectsInFlight(): number
  /** Transitions that became durable together. */
  onCommitted(transitions: readonly PreparedTransition[]): void
}

export class ActivationTable implements ActivationOwner, BatchSource<PendingCommit> {
  readonly #options: ActivationTableOptions
  readonly #services: ActivationServices
  readonly #activations = new Map<string, Activation>()
  readonly #writer: BatchWriter<PendingCommit>
  /** Those with something to decide, in the order in which they became so. */
  #enqueued: Activation[] = []
  /** How many of them, from the first, were taken. */
  #taken = 0
  #queued = 0
  #queuedAsks = 0
  #isClosed = false

  constructor(options: ActivationTableOptions) {
    this.#options = options
    const { journal, clock, deliveredEffects } = options
    const problem = (error: unknown) => options.problem(error, {})
    this.#services = { ...options, loader: new Loader(journal, clock, problem) }
    this.#writer = new BatchWriter({ journal, clock, deliveredEffects, problem }, this)
  }

  get load(): { readonly actors: number; readonly messages: number } {
    return { actors: this.#activations.size, messages: this.#queued }
  }

  receive(ref: AnyActorRef, delivery: Delivery): void {
    const activation = this.#find(ref)
    const isAsk = delivery.deadline !== undefined
    if (this.#isClosed) delivery.end({ type: 'refused', failure: stopping() })
    else if (isAsk && this.#isFull(activation)) delivery.end({ type: 'refused', failure: tooMany(ref) })
    else activation.receive(delivery)
  }

  /** One of its timers may be due. */
  timerDue(ref: AnyActorRef): void {
    if (!this.#options.quarantine.isPaused(ref.id)) this.#find(ref).timerDue()
  }

  /** Another process committed the transition `seq`: the snapshot in memory must not be decided on any more. */
  invalidate(ref: AnyActorRef, seq: number): void {
    this.#activations.get(ref.id)?.invalidate(seq)
  }

  /** @throws Failure UNAVAILABLE */
  async peek(ref: AnyActorRef): Promise<AnyActorRow | undefined> {
    const snapshot = await this.readSnapshot(ref)
    return snapshot && toActorRow(snapshot)
  }

  /** The durable snapshot on which a message would be decided now. @throws Failure UNAVAILABLE */
  async readSnapshot(ref: AnyActorRef): Promise<Snapshot | undefined> {
    const activation = this.#activations.get(ref.id)
    if (activation?.currentSnapshot !== undefined) return activation.currentSnapshot
    const loaded = await this.#services.loader.loadOnce(ref, activation?.knownSnapshot)
    return loaded && restoreSnapshot(this.#options.logic(ref.kind), loaded.stored, loaded.members)
  }

  /** Removes activations that have not been used since `before`, milliseconds since 1970. */
  passivate(before: number): void {
    for (const [id, activation] of this.#activations) {
      if (activation.isIdleSince(before)) this.#activations.delete(id)
    }
  }

  /** Refuses new messages, and resolves when those that are queued have their outcomes. */
  async close(): Promise<void> {
    this.#isClosed = true
    do await this.#writer.idle()
    while (this.#queued > 0 && (await new Promise((resolve) => setImmediate(resolve, true))))
  }

  enqueue(activation: Activation): void {
    this.#enqueued.push(activation)
    this.#writer.requestBatch()
  }

  count({ deadline }: Delivery, by: 1 | -1): void {
    this.#queued += by
    if (deadline !== undefined) this.#queuedAsks += by
  }

  remove({ ref }: Activation): void {
    this.#activations.delete(ref.id)
  }

  get waiting(): number {
    return this.#queued
  }

  takeBatch(limit: number): readonly PendingCommit[] {
    const { clock } = this.#options
    const moment = { now: clock.now(), monotonic: clock.monotonic() }
    const commits: PendingCommit[] = []
    while (commits.length < limit) {
      const activation = this.#enqueued[this.#taken]
      if (activation === undefined) break
      this.#taken++
      const commit = activation.decideNext(moment)
      if (commit !== undefined) commits.push(commit)
    }
    // Moved up when half of it is taken, so that a long list is not copied for each batch.
    if (this.#taken * 2 >= this.#enqueued.length) {
      this.#enqueued = this.#enqueued.slice(this.#taken)
      this.#taken = 0
    }
    return commits
  }

  committed(commits: readonly PendingCommit[]): void {
    const committedAt = this.#options.clock.monotonic()
    for (const commit of commits) commit.activation.committed(commit, committedAt)
    // A listener that throws changes nothing about what is durable, and the lost commits of the batch must still be ended.
    try {
      this.#options.onCommitted(commits.map(({ prepared }) => prepared))
    } catch (error) {
      this.#options.problem(error, { part: 'committed' })
    }
  }

  lost(commit: PendingCommit, reason: LostReason): void {
    commit.activation.lost(commit, reason)
  }

  failed(commit: PendingCommit, error: CommitFailed): void {
    commit.activation.failed(commit, error)
  }

  #find(ref: AnyActorRef): Activation {
    let activation = this.#activations.get(ref.id)
    if (activation === undefined) {
      activation = new Activation(ref, this.#options.logic(ref.kind), this.#services, this)
      this.#activations.set(ref.id, activation)
    }
    return activation
  }

  /**
   * Effects count for the total: they are caused by messages, so if more are in flight than can be carried out, no more messages
   * are accepted. A message of the runtime itself is refused for neither.
   */
  #isFull(activation: Activation): boolean {
    const { messagesPerActor, messagesWaiting, effectsInFlight } = this.#options
    return (
      activation.queuedAsks >= messagesPerActor ||
      this.#queuedAsks >= messagesWaiting ||
      effectsInFlight() >= messagesWaiting
    )
  }
}
