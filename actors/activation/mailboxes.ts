/**
 * The actors in memory: each message waits in its actor's mailbox, is decided on the durable state, and ends when the step that
 * it caused is durable. One step of an actor is under way at a time.
 */
import type { ActorRef, ActorRow } from '../../spec/core/actor.ts'
import { Failure } from '../../spec/core/failure.ts'
import { decide, decideTimer } from '../decide/decide.ts'
import type { Logic } from '../decide/logic.ts'
import { expired, internal, nameTaken, quarantined, stopping, tooMany } from '../decide/refusals.ts'
import type { Origin } from '../messages.ts'
import type { Clock } from '../ports/clock.ts'
import type { CommitFailed, Journal, LostReason } from '../ports/journal.ts'
import type { Look } from '../ports/timerIndex.ts'
import type { Quarantine } from '../timers/quarantine.ts'
import { earliestDue, firstDue } from '../timers/timers.ts'
import type { Cell, Delivery, Flight } from './cell.ts'
import { Cells } from './cells.ts'
import { Committer } from './committer.ts'
import { type Live, restoreLive, rowOf } from './live.ts'
import { Loader } from './loader.ts'
import { type Turn, turnOf } from './turn.ts'

export interface MailboxOptions {
  logic(kind: ActorRef['kind']): Logic
  readonly journal: Journal
  readonly clock: Clock
  /** The token of this process, new at each start: half of the fence. */
  readonly owner: string
  /**
   * Whether other processes may write the same actors. Then an answer that writes nothing (a refusal, a repeat) is given only
   * after storage has confirmed the state that it was decided on.
   */
  readonly shared: boolean
  /** Messages that somebody waits for and that may stand in one mailbox; one more is refused UNAVAILABLE. */
  readonly mailboxDepth: number
  /** The same for all mailboxes together, and for effects under way, so that what waits in memory is bounded. */
  readonly mailboxTotal: number
  effectsUnderWay(): number
  readonly quarantine: Quarantine
  /** 0 to 1; spreads the rests between turns on contended actors. */
  random(): number
  /** Another process was first here, and went on: it is to know that this one waits for its turn. */
  onContended(ref: ActorRef, seq: number): void
  /** Steps that became durable together, in one call. */
  onCommitted(turns: readonly Turn[]): void
  /** It was woken for a timer and none is due. */
  onIdleWake(look: Look): void
  takeDone(): readonly string[]
  restoreDone(ids: readonly string[]): void
  problem(error: unknown, context: Readonly<Record<string, unknown>>): void
}

/** The time by both clocks, read once for many actors. */
interface Moment {
  readonly now: number
  readonly monotonic: number
}

export class Mailboxes {
  readonly #options: MailboxOptions
  readonly #cells: Cells
  readonly #loader: Loader
  readonly #committer: Committer
  #closed = false

  constructor(options: MailboxOptions) {
    this.#options = options
    const problem = (error: unknown) => options.problem(error, {})
    this.#loader = new Loader(options.journal, options.clock, problem)
    this.#cells = new Cells({
      logic: (kind) => options.logic(kind),
      loader: this.#loader,
      clock: options.clock,
      ready: () => this.#committer.kick(),
      loaded: (cell) => this.#announce(cell),
      unfit: ({ kind, id, seq }, error) => options.quarantine.add({ kind, id }, seq, error, { cause: 'snapshot' }),
    })
    this.#committer = new Committer(options.journal, options.clock, {
      collect: (limit) => this.#collect(limit),
      load: () => this.#cells.pending,
      committed: (flights) => this.#committed(flights),
      lost: (flight, reason) => this.#lost(flight, reason),
      failed: (flight, error) => this.#failed(flight, error),
      takeDone: options.takeDone,
      restoreDone: options.restoreDone,
      problem,
    })
  }

  get load(): { readonly actors: number; readonly messages: number } {
    return { actors: this.#cells.size, messages: this.#cells.pending }
  }

  receive(ref: ActorRef, delivery: Delivery): void {
    const cell = this.#cells.of(ref)
    const isAsk = delivery.deadline !== undefined
    if (this.#closed || (isAsk && this.#isFull(cell))) {
      delivery.end({ type: 'refused', failure: this.#closed ? stopping() : tooMany(ref) })
      return
    }
    this.#cells.push(cell, delivery)
  }

  /**
   * Effects count for the whole: they come of messages, so where more are under way than can be carried out, no more messages are
   * taken. What the runtime itself delivers is refused neither for the one nor for the other.
   */
  #isFull(cell: Cell): boolean {
    const { mailboxDepth, mailboxTotal, effectsUnderWay } = this.#options
    return cell.asks >= mailboxDepth || this.#cells.asks >= mailboxTotal || effectsUnderWay() >= mailboxTotal
  }

  /** One of its timers may be due. */
  wake(ref: ActorRef): void {
    if (this.#options.quarantine.isPaused(ref.id)) return
    const cell = this.#cells.of(ref)
    cell.timersDue = true
    this.#cells.schedule(cell)
  }

  async peek(ref: ActorRef): Promise<ActorRow | undefined> {
    const live = await this.look(ref)
    return live && rowOf(live)
  }

  /** The durable state that a message would be decided on now. @throws Failure UNAVAILABLE */
  async look(ref: ActorRef): Promise<Live | undefined> {
    const cell = this.#cells.find(ref)
    if (cell?.live !== undefined && (cell.state === 'idle' || cell.state === 'busy')) return cell.live
    const loaded = await this.#loader.loadOnce(ref, cell?.live)
    return loaded && restoreLive(this.#options.logic(ref.kind), loaded.stored, loaded.members)
  }

  /** Another process has moved the actor on: what is in memory is not to be decided on any more. */
  outdated(ref: ActorRef, seq: number): void {
    this.#cells.outdated(ref, seq)
  }

  /** Puts actors out of memory that nobody has used since `before`, milliseconds since 1970. */
  passivate(before: number): void {
    this.#cells.passivate(before)
  }

  /** Refuses new messages, and resolves when those that wait are answered. */
  async close(): Promise<void> {
    this.#closed = true
    do await this.#committer.idle()
    while (this.#cells.pending > 0 && (await new Promise((resolve) => setImmediate(resolve, true))))
  }

  /** All that is decided for one batch is decided at one moment. */
  #collect(limit: number): readonly Flight[] {
    const { clock } = this.#options
    const moment = { now: clock.now(), monotonic: clock.monotonic() }
    return this.#cells.take(limit, (cell) => this.#advance(cell, moment))
  }

  /** Decides until there is a step to commit, or nothing is left that can be decided now. */
  #advance(cell: Cell, moment: Moment): Flight | undefined {
    if (this.#rests(cell, moment)) return undefined
    while (cell.hasWork && cell.canDecide) {
      const delivery = cell.mailbox[0]
      const timer = this.#timer(cell, delivery, moment)
      if (timer !== undefined && timer !== 'blocked') return timer
      if (delivery === undefined) {
        cell.timersDue = false
        if (timer === undefined) this.#lookAgain(cell, moment.now)
        return undefined
      }
      this.#cells.shift(cell)
      // An operator's act is decided all the same: it may take the actor out of the state whose timer fails.
      if (timer === 'blocked' && delivery.message.act === undefined) {
        delivery.end({ type: 'refused', failure: quarantined(cell.ref) })
        continue
      }
      if (delivery.deadline !== undefined && moment.monotonic >= delivery.deadline) {
        delivery.end({ type: 'refused', failure: expired() })
        continue
      }
      const step = this.#decide(cell, delivery, moment)
      if (step) return step
    }
    // Behind a creation that was not carried out, something may wait that needs the actor loaded.
    if (cell.state === 'absent') this.#cells.schedule(cell)
    return undefined
  }

  /** Whether its turn on a contended actor is over: then it is left to the other processes for a moment. */
  #rests(cell: Cell, { monotonic }: Moment): boolean {
    if (!cell.hasWork || !cell.canDecide) return false
    const ms = cell.turns.rest(monotonic, this.#options.random)
    if (ms > 0) this.#cells.rest(cell, ms)
    return ms > 0
  }

  #announce({ live, ref, turns }: Cell): void {
    if (live === undefined || !turns.announce(this.#options.clock.monotonic())) return
    try {
      this.#options.onContended(ref, live.seq)
    } catch (error) {
      this.#options.problem(error, { part: 'feed' })
    }
  }

  /** The transition of a timer that is due before the message, or `blocked`: it is due and fails. */
  #timer(cell: Cell, delivery: Delivery | undefined, moment: Moment): Flight | 'blocked' | undefined {
    const { now } = moment
    const { live, logic, ref } = cell
    if (live === undefined || live.timers.length === 0) return undefined
    // A message that was received before a deadline counts, even where it waited in the mailbox past it.
    const dueBy = delivery === undefined ? now : Math.min(now, delivery.message.origin.receivedAt)
    const { quarantine, owner } = this.#options
    if (quarantine.isPaused(ref.id) && firstDue(live.timers, dueBy) !== undefined) return 'blocked'
    const origin: Origin = { cause: 'timer', principal: 'system', requestId: 'timer', receivedAt: now }
    try {
      const transition = decideTimer(logic, live, dueBy, now, origin)
      return transition && this.#takeOff(cell, turnOf(logic, transition, owner), undefined, moment)
    } catch (error) {
      const timer = firstDue(live.timers, dueBy)?.event
      quarantine.add(ref, live.seq, error, { cause: 'timer', event: timer })
      return 'blocked'
    }
  }

  #lookAgain({ live, ref }: Cell, now: number): void {
    this.#options.quarantine.release(ref.id)
    if (live?.nextDue === undefined || live.nextDue > now) return
    this.#options.onIdleWake({ ref: live.ref, seq: live.seq, nextDue: earliestDue(live.timers) })
  }

  #decide(cell: Cell, delivery: Delivery, moment: Moment): Flight | undefined {
    try {
      const decision = decide(cell.logic, cell.ref, cell.live, delivery.message, moment.now)
      if (decision.type === 'transition') {
        return this.#takeOff(cell, turnOf(cell.logic, decision.transition, this.#options.owner), delivery, moment)
      }
      const answer = () =>
        delivery.end(decision.type === 'repeated' ? { type: 'repeated', row: rowOf(decision.live) } : decision)
      if (this.#options.shared) this.#check(cell, delivery, answer)
      else answer()
    } catch (error) {
      const { event, origin } = delivery.message
      this.#options.problem(error, { actor: cell.ref.id, event: event.type, requestId: origin.requestId })
      delivery.end({ type: 'refused', failure: error instanceof Failure ? error : internal() })
    }
    return undefined
  }

  #takeOff(cell: Cell, turn: Turn, delivery: Delivery | undefined, { monotonic }: Moment): Flight {
    cell.state = 'busy'
    return { cell, turn, delivery, began: monotonic }
  }

  /** Gives the answer where storage still holds the state that it was decided on; else decides again on what it holds. */
  #check(cell: Cell, delivery: Delivery, answer: () => void): void {
    cell.state = 'busy'
    void this.#loader.load(cell.ref, cell.live).then((loaded) => {
      if (loaded?.stored.seq === cell.live?.seq && loaded?.stored.owner === cell.live?.owner) answer()
      else {
        this.#cells.unshift(cell, delivery)
        if (!this.#cells.restore(cell, loaded)) return
      }
      cell.state = 'idle'
      this.#cells.schedule(cell)
    })
  }

  #committed(flights: readonly Flight[]): void {
    const now = this.#options.clock.monotonic()
    for (const { cell, turn, delivery, began } of flights) {
      cell.live = turn.next
      cell.turns.committed(began, now)
      this.#options.quarantine.release(cell.ref.id)
      cell.state = cell.stale ? 'absent' : 'idle'
      delivery?.end({ type: 'stepped', row: turn.row })
      this.#cells.schedule(cell)
    }
    // What is durable stays so, and the flights that lost are still to be ended.
    try {
      this.#options.onCommitted(flights.map((flight) => flight.turn))
    } catch (error) {
      this.#options.problem(error, { part: 'committed' })
    }
  }

  #lost(flight: Flight, reason: LostReason): void {
    const { cell, delivery } = flight
    cell.state = 'absent'
    if (reason === 'fence') cell.turns.lost(this.#options.clock.monotonic())
    if (reason === 'consumed') delivery?.end({ type: 'consumed' })
    else if (reason === 'idempotency') delivery?.end({ type: 'keyTaken' })
    else if (reason === 'unique') this.#refuse(flight, nameTaken(cell.ref), nameTaken(cell.ref))
    else if (delivery !== undefined) this.#cells.unshift(cell, delivery)
    this.#cells.reload(cell)
  }

  #failed(flight: Flight, error: CommitFailed): void {
    const { cell } = flight
    // Of a creation it is still unknown whether the actor exists.
    cell.state = cell.live === undefined ? 'absent' : 'idle'
    const { event, requestId } = flight.turn.step
    if (flight.delivery !== undefined) this.#options.problem(error, { actor: cell.ref.id, event, requestId })
    this.#refuse(flight, error.unique ? nameTaken(cell.ref) : internal(), error)
    this.#cells.schedule(cell)
  }

  /** A timer whose step can't be written is not tried in a loop: the actor goes to quarantine. */
  #refuse({ cell, turn, delivery }: Flight, failure: Failure, error: Error): void {
    if (delivery !== undefined) {
      delivery.end({ type: 'refused', failure })
      return
    }
    cell.timersDue = false
    this.#options.quarantine.add(cell.ref, turn.next.seq - 1, error, { cause: 'timer', event: turn.step.event })
  }
}
