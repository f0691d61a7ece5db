/**
 * One actor in memory: its queue of messages and the snapshot on which the next message is decided.
 *
 * A message takes this path: `receive` queues it. `decideNext` takes it from the queue, decides it and returns the transition as a
 * pending commit. `committed`, `lost` or `failed` ends it. There is at most one pending commit, so the snapshot is always durable,
 * and a transition that was not written needs no undoing: its message is decided again.
 */
import { Failure } from '../../spec/core/failure.ts'
import type { AnyActorRef } from '../anyKind.ts'
import { decide, decideTimer } from '../decide/decide.ts'
import type { Logic } from '../decide/logic.ts'
import { expired, internal, nameTaken, quarantined } from '../decide/refusals.ts'
import type { Origin } from '../messages.ts'
import type { Clock } from '../ports/clock.ts'
import type { CommitFailed, LostReason, StoredActor, Write } from '../ports/journal.ts'
import type { TimerCheck } from '../ports/timerIndex.ts'
import type { Quarantine } from '../timers/quarantine.ts'
import { earliestDue, firstDue } from '../timers/timers.ts'
import { Contention } from './contention.ts'
import type { Delivery } from './delivery.ts'
import type { LoadedActor, Loader } from './loader.ts'
import { type PreparedTransition, prepareTransition } from './prepareTransition.ts'
import { restoreSnapshot, type Snapshot, toActorRow } from './snapshot.ts'

/** The services that all activations of a process share. */
export interface ActivationServices {
  readonly loader: Loader
  readonly clock: Clock
  /** The token of this process, new at each start: half of the fence. */
  readonly owner: string
  /**
   * Whether other processes may write the same actors. Then an answer that writes nothing (a refusal, a repeat) is given only
   * after storage has confirmed the snapshot on which it was decided.
   */
  readonly shared: boolean
  readonly quarantine: Quarantine
  /** 0 to 1; spreads the rests between turns on contended actors. */
  random(): number
  /** Another process committed first. Announces that this process waits to commit too. */
  onContended(ref: AnyActorRef, seq: number): void
  /** Storage reported a due timer of the actor, and none is due. */
  onNoTimerDue(check: TimerCheck): void
  problem(error: unknown, context: Readonly<Record<string, unknown>>): void
}

/** The table that holds the activation. */
export interface ActivationOwner {
  /** It has something to decide. Called once until it is taken by `decideNext`. */
  enqueue(activation: Activation): void
  /** The number of its queued messages changed. */
  count(delivery: Delivery, by: 1 | -1): void
  /** It can't be used any more. */
  remove(activation: Activation): void
}

/** A transition that is on its way to storage. Without a delivery it is that of a timer. */
export interface PendingCommit {
  readonly activation: Activation
  readonly prepared: PreparedTransition
  readonly write: Write
  readonly delivery: Delivery | undefined
  /** When it was decided, on the monotonic clock. */
  readonly decidedAt: number
}

/** One moment by both clocks: all that is decided for one batch is decided at one moment. */
export interface Moment {
  readonly now: number
  readonly monotonic: number
}

/**
 * - `unknown`: not read yet, or outdated. It must be loaded before anything but a creation is decided.
 * - `loading`: one load is in flight.
 * - `ready`: `#snapshot` is what storage holds (`undefined`: there is no such actor).
 * - `busy`: a commit, or the check of an answer, is in flight.
 */
type Status = 'unknown' | 'loading' | 'ready' | 'busy'

export class Activation {
  readonly ref: AnyActorRef
  readonly #logic: Logic
  readonly #services: ActivationServices
  readonly #owner: ActivationOwner
  #status: Status = 'unknown'
  /** Durable. While the status is `unknown` or `loading` it is outdated, and the next load reads only what changed since. */
  #snapshot: Snapshot | undefined
  /** In the order of arrival. */
  readonly #queue: Delivery[] = []
  #queuedAsks = 0
  /** A timer may be due: timers that are due are fired before any message is decided. */
  #timersDue = false
  #isEnqueued = false
  /** Another process committed a transition while this one was busy. */
  #isStale = false
  readonly #contention = new Contention()
  /** Ends the rest in which the actor is left to other processes. */
  #endRest: (() => void) | undefined
  #lastUsed = 0

  constructor(ref: AnyActorRef, logic: Logic, services: ActivationServices, owner: ActivationOwner) {
    this.ref = ref
    this.#logic = logic
    this.#services = services
    this.#owner = owner
  }

  /** Queued messages whose senders wait for the reply. */
  get queuedAsks(): number {
    return this.#queuedAsks
  }

  /** The durable snapshot, if it is known that no other process has gone on since. */
  get currentSnapshot(): Snapshot | undefined {
    return this.#status === 'ready' || this.#status === 'busy' ? this.#snapshot : undefined
  }

  /** As `currentSnapshot`, but perhaps outdated: a load that is given it reads only what changed since. */
  get knownSnapshot(): Snapshot | undefined {
    return this.#snapshot
  }

  get #hasWork(): boolean {
    return this.#queue.length > 0 || this.#timersDue
  }

  /**
   * A creation is decided without a load: if the actor exists, the commit reports it. The status stays `unknown`, so that whatever
   * comes after a creation that was not written is decided on what storage holds.
   */
  get #canDecide(): boolean {
    if (this.#endRest !== undefined) return false
    if (this.#status === 'ready') return true
    return this.#status === 'unknown' && this.#snapshot === undefined && this.#queue[0]?.message.create !== undefined
  }

  receive(delivery: Delivery): void {
    this.#queue.push(delivery)
    this.#count(delivery, 1)
    this.#schedule()
  }

  /** One of its timers may be due. */
  timerDue(): void {
    this.#timersDue = true
    this.#schedule()
  }

  /** Another process committed the transition `seq`. */
  invalidate(seq: number): void {
    this.#contention.observeOther(this.#services.clock.monotonic())
    if (this.#snapshot !== undefined && this.#snapshot.seq >= seq) return
    if (this.#status !== 'ready') {
      this.#isStale = true
      return
    }
    this.#status = 'unknown'
    this.#endRest?.()
  }

  /** Whether nothing is queued or in flight, and it has not been used since `before`, milliseconds since 1970. */
  isIdleSince(before: number): boolean {
    const isResting = this.#status === 'ready' || this.#status === 'unknown'
    return isResting && !this.#hasWork && this.#lastUsed < before
  }

  /** Decides until there is a transition to commit, or nothing is left that can be decided now. */
  decideNext(moment: Moment): PendingCommit | undefined {
    this.#isEnqueued = false
    if (this.#beginRest(moment)) return undefined
    while (this.#hasWork && this.#canDecide) {
      const delivery = this.#queue[0]
      const timer = this.#fireTimer(delivery, moment)
      if (timer !== undefined && timer !== 'blocked') return timer
      if (delivery === undefined) {
        this.#timersDue = false
        if (timer === undefined) this.#reportNoTimerDue(moment.now)
        return undefined
      }
      this.#queue.shift()
      this.#count(delivery, -1)
      if (timer === 'blocked' && delivery.message.operatorAction === undefined) {
        // An operator action is decided all the same: it may take the actor out of the state whose timer fails.
        delivery.end({ type: 'refused', failure: quarantined(this.ref) })
      } else if (delivery.deadline !== undefined && moment.monotonic >= delivery.deadline) {
        delivery.end({ type: 'refused', failure: expired() })
      } else {
        const commit = this.#decide(delivery, moment)
        if (commit !== undefined) return commit
      }
    }
    // Messages behind a creation that was not carried out, or after a transition of another process, need the actor to be loaded.
    if (this.#status === 'unknown') this.#schedule()
    return undefined
  }

  /** The pending commit is durable. */
  committed({ prepared, delivery, decidedAt }: PendingCommit, committedAt: number): void {
    this.#snapshot = prepared.after
    this.#contention.recordCommit(decidedAt, committedAt)
    this.#services.quarantine.release(this.ref.id)
    this.#status = this.#isStale ? 'unknown' : 'ready'
    delivery?.end({ type: 'committed', row: prepared.row })
    this.#schedule()
  }

  /** The pending commit was not written, since something that it depends on has changed. */
  lost(commit: PendingCommit, reason: LostReason): void {
    const { delivery } = commit
    this.#status = 'unknown'
    if (reason === 'fence') this.#contention.recordLoss(this.#services.clock.monotonic())
    if (reason === 'consumed') delivery?.end({ type: 'consumed' })
    else if (reason === 'idempotency') delivery?.end({ type: 'keyTaken' })
    else if (reason === 'unique') this.#refuse(commit, nameTaken(this.ref), nameTaken(this.ref))
    else if (delivery !== undefined) this.#putBack(delivery)
    // Even for a creation: what was decided lost against what is stored.
    this.#touch()
    if (this.#hasWork) this.#load()
  }

  /** The pending commit can't be written, and it alone is the cause. */
  failed(commit: PendingCommit, error: CommitFailed): void {
    // After a creation it is still unknown whether the actor exists.
    this.#status = this.#snapshot === undefined ? 'unknown' : 'ready'
    const { event, requestId } = commit.prepared.entry
    if (commit.delivery !== undefined) this.#services.problem(error, { actor: this.ref.id, event, requestId })
    this.#refuse(commit, error.unique ? nameTaken(this.ref) : internal(), error)
    this.#schedule()
  }

  /** Loads the actor, or enqueues it for a decision, if it has work. */
  #schedule(): void {
    this.#touch()
    if (!this.#hasWork || this.#endRest !== undefined) return
    if (this.#status === 'unknown' && !this.#canDecide) this.#load()
    if (!this.#canDecide || this.#isEnqueued) return
    this.#isEnqueued = true
    this.#owner.enqueue(this)
  }

  #touch(): void {
    this.#lastUsed = this.#services.clock.now()
  }

  #load(): void {
    this.#status = 'loading'
    this.#isStale = false
    const { loader } = this.#services
    void loader.load(this.ref, this.#snapshot).then((loaded) => {
      this.#contention.recordLoad(loader.lastMs)
      if (!this.#restore(loaded)) return
      this.#announceContention()
      this.#status = 'ready'
      this.#schedule()
    })
  }

  /** False if what is stored does not fit the machine. Then everything that was queued has been refused. */
  #restore(loaded: LoadedActor | undefined): boolean {
    try {
      this.#snapshot = loaded && restoreSnapshot(this.#logic, loaded.stored, loaded.members)
      return true
    } catch (error) {
      this.#quarantine((loaded as LoadedActor).stored, error)
      return false
    }
  }

  /** The start of the program tries every snapshot of another version first, so this is a defect. */
  #quarantine({ kind, id, seq }: StoredActor, error: unknown): void {
    this.#services.quarantine.add({ kind, id }, seq, error, { cause: 'snapshot' })
    this.#owner.remove(this)
    for (const delivery of this.#queue.splice(0)) {
      this.#count(delivery, -1)
      delivery.end({ type: 'refused', failure: internal() })
    }
  }

  #announceContention(): void {
    const { clock, onContended, problem } = this.#services
    if (this.#snapshot === undefined || !this.#contention.takeAnnouncement(clock.monotonic())) return
    try {
      onContended(this.ref, this.#snapshot.seq)
    } catch (error) {
      problem(error, { part: 'feed' })
    }
  }

  /** Whether the turn of this process on a contended actor is over. Then the actor is left to the other processes for a moment. */
  #beginRest({ monotonic }: Moment): boolean {
    if (!this.#hasWork || !this.#canDecide) return false
    const { clock, random } = this.#services
    const ms = this.#contention.takeRestMs(monotonic, random)
    if (ms === 0) return false
    const end = (): void => {
      cancel()
      this.#endRest = undefined
      this.#schedule()
    }
    const cancel = clock.after(ms, end)
    this.#endRest = end
    return true
  }

  /** The transition of a timer that is due before the message, or `blocked`: a timer is due, and its transition fails. */
  #fireTimer(delivery: Delivery | undefined, moment: Moment): PendingCommit | 'blocked' | undefined {
    const { now } = moment
    const snapshot = this.#snapshot
    if (snapshot === undefined || snapshot.timers.length === 0) return undefined
    // A message that was received before a deadline is in time, even if it was queued past it.
    const dueBy = delivery === undefined ? now : Math.min(now, delivery.message.origin.receivedAt)
    const { quarantine } = this.#services
    if (quarantine.isPaused(this.ref.id) && firstDue(snapshot.timers, dueBy) !== undefined) return 'blocked'
    const origin: Origin = { cause: 'timer', principal: 'system', requestId: 'timer', receivedAt: now }
    try {
      const transition = decideTimer(this.#logic, snapshot, dueBy, now, origin)
      return transition && this.#begin(this.#prepare(transition), undefined, moment)
    } catch (error) {
      const timer = firstDue(snapshot.timers, dueBy)?.event
      quarantine.add(this.ref, snapshot.seq, error, { cause: 'timer', event: timer })
      return 'blocked'
    }
  }

  #reportNoTimerDue(now: number): void {
    const { quarantine, onNoTimerDue } = this.#services
    quarantine.release(this.ref.id)
    const snapshot = this.#snapshot
    if (snapshot?.nextDue === undefined || snapshot.nextDue > now) return
    onNoTimerDue({ ref: snapshot.ref, seq: snapshot.seq, nextDue: earliestDue(snapshot.timers) })
  }

  #decide(delivery: Delivery, moment: Moment): PendingCommit | undefined {
    try {
      const decision = decide(this.#logic, this.ref, this.#snapshot, delivery.message, moment.now)
      if (decision.type === 'transition') return this.#begin(this.#prepare(decision.transition), delivery, moment)
      const answer = () =>
        delivery.end(decision.type === 'repeated' ? { type: 'repeated', row: toActorRow(decision.snapshot) } : decision)
      if (this.#services.shared) this.#confirm(delivery, answer)
      else answer()
    } catch (error) {
      const { event, origin } = delivery.message
      this.#services.problem(error, { actor: this.ref.id, event: event.type, requestId: origin.requestId })
      delivery.end({ type: 'refused', failure: error instanceof Failure ? error : internal() })
    }
    return undefined
  }

  #prepare(transition: Parameters<typeof prepareTransition>[1]): PreparedTransition {
    return prepareTransition(this.#logic, transition, this.#services.owner)
  }

  #begin(prepared: PreparedTransition, delivery: Delivery | undefined, { monotonic }: Moment): PendingCommit {
    this.#status = 'busy'
    return { activation: this, prepared, write: prepared.write, delivery, decidedAt: monotonic }
  }

  /** Gives the answer if storage still holds the snapshot on which it was decided. If not, decides again on what it holds. */
  #confirm(delivery: Delivery, answer: () => void): void {
    this.#status = 'busy'
    void this.#services.loader.load(this.ref, this.#snapshot).then((loaded) => {
      const known = this.#snapshot
      if (loaded?.stored.seq === known?.seq && loaded?.stored.owner === known?.owner) answer()
      else {
        this.#putBack(delivery)
        if (!this.#restore(loaded)) return
      }
      this.#status = 'ready'
      this.#schedule()
    })
  }

  /** The timer whose transition can't be written is not tried in a loop: the actor goes to quarantine. */
  #refuse({ delivery, prepared }: PendingCommit, failure: Failure, error: Error): void {
    if (delivery !== undefined) {
      delivery.end({ type: 'refused', failure })
      return
    }
    this.#timersDue = false
    const { after, entry } = prepared
    this.#services.quarantine.add(this.ref, after.seq - 1, error, { cause: 'timer', event: entry.event })
  }

  /** Before everything that came after it. */
  #putBack(delivery: Delivery): void {
    this.#queue.unshift(delivery)
    this.#count(delivery, 1)
  }

  #count(delivery: Delivery, by: 1 | -1): void {
    if (delivery.deadline !== undefined) this.#queuedAsks += by
    this.#owner.count(delivery, by)
  }
}
