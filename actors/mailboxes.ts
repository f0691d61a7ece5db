/**
 * The actors in memory: each message waits in its actor's mailbox, is decided on the durable state, and ends when the step that
 * it caused is durable. One step of an actor is under way at a time.
 */
import type { ActorRef, ActorRow } from '../spec/actor.ts'
import { Failure } from '../spec/failure.ts'
import type { Cell, Delivery, Flight } from './cell.ts'
import { Cells } from './cells.ts'
import { Committer } from './committer.ts'
import { decide, decideTimer } from './decide.ts'
import { type Live, restoreLive, rowOf } from './live.ts'
import { Loader } from './loader.ts'
import type { Logic } from './logic.ts'
import type { Origin } from './messages.ts'
import type { Clock, CommitFailed, Journal, Look, LostReason } from './ports.ts'
import { expired, internal, nameTaken, stopping, tooMany } from './refusals.ts'
import { earliestDue } from './timers.ts'
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
  /** Messages that may wait in one mailbox; one more is refused UNAVAILABLE. */
  readonly mailboxDepth: number
  /** The same for all mailboxes together, so that what waits in memory is bounded. */
  readonly mailboxTotal: number
  /** Steps that became durable together, in one call. */
  onCommitted(turns: readonly Turn[]): void
  /** It was woken for a timer and none is due. */
  onIdleWake(look: Look): void
  takeDone(): readonly string[]
  restoreDone(ids: readonly string[]): void
  problem(error: unknown, context: Readonly<Record<string, unknown>>): void
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
      problem: (error, context) => options.problem(error, context),
    })
    this.#committer = new Committer(options.journal, options.clock, {
      collect: (limit) => this.#cells.take(limit, (cell) => this.#advance(cell)),
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
    const { mailboxDepth, mailboxTotal } = this.#options
    if (this.#closed || cell.mailbox.length >= mailboxDepth || this.#cells.pending >= mailboxTotal) {
      delivery.end({ type: 'refused', failure: this.#closed ? stopping() : tooMany(ref) })
      return
    }
    // A new actor is not looked up first: where it does exist, the commit says so.
    if (cell.state === 'absent' && delivery.message.create !== undefined) cell.state = 'idle'
    this.#cells.push(cell, delivery)
  }

  /** One of its timers may be due. */
  wake(ref: ActorRef): void {
    const cell = this.#cells.of(ref)
    cell.timersDue = true
    this.#cells.schedule(cell)
  }

  async peek(ref: ActorRef): Promise<ActorRow | undefined> {
    const live = await this.look(ref)
    return live && rowOf(live)
  }

  /** The durable state that a message would be decided on now. */
  async look(ref: ActorRef): Promise<Live | undefined> {
    const cell = this.#cells.find(ref)
    if (cell?.live !== undefined && cell.state !== 'absent') return cell.live
    const stored = await this.#loader.load(ref)
    return stored && restoreLive(this.#options.logic(ref.kind), stored)
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

  /** Decides until there is a step to commit, or nothing is left that can be decided now. */
  #advance(cell: Cell): Flight | undefined {
    const now = this.#options.clock.now()
    while (cell.hasWork && cell.state === 'idle') {
      const delivery = cell.mailbox[0]
      const flight = this.#timer(cell, delivery, now)
      if (flight) return flight
      if (delivery === undefined) {
        cell.timersDue = false
        this.#lookAgain(cell, now)
        return undefined
      }
      this.#cells.shift(cell)
      if (delivery.deadline !== undefined && now >= delivery.deadline) {
        delivery.end({ type: 'refused', failure: expired() })
        continue
      }
      const step = this.#decide(cell, delivery, now)
      if (step) return step
    }
    return undefined
  }

  #timer(cell: Cell, delivery: Delivery | undefined, now: number): Flight | undefined {
    if (cell.live === undefined || cell.live.timers.length === 0) return undefined
    // A message that was received before a deadline counts, even where it waited in the mailbox past it.
    const dueBy = delivery === undefined ? now : Math.min(now, delivery.message.origin.receivedAt)
    const origin: Origin = { cause: 'timer', principal: 'system', requestId: 'timer', receivedAt: now }
    const transition = decideTimer(cell.logic, cell.live, dueBy, now, origin)
    return transition && this.#takeOff(cell, turnOf(cell.logic, transition, this.#options.owner), undefined)
  }

  #lookAgain({ live }: Cell, now: number): void {
    if (live?.nextDue === undefined || live.nextDue > now) return
    this.#options.onIdleWake({ ref: live.ref, seq: live.seq, nextDue: earliestDue(live.timers) })
  }

  #decide(cell: Cell, delivery: Delivery, now: number): Flight | undefined {
    try {
      const decision = decide(cell.logic, cell.ref, cell.live, delivery.message, now)
      if (decision.type === 'transition') {
        return this.#takeOff(cell, turnOf(cell.logic, decision.transition, this.#options.owner), delivery)
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

  #takeOff(cell: Cell, turn: Turn, delivery: Delivery | undefined): Flight {
    cell.state = 'busy'
    return { cell, turn, delivery }
  }

  /** Gives the answer where storage still holds the state that it was decided on; else decides again on what it holds. */
  #check(cell: Cell, delivery: Delivery, answer: () => void): void {
    cell.state = 'busy'
    void this.#loader.load(cell.ref).then((stored) => {
      if (stored?.seq === cell.live?.seq && stored?.owner === cell.live?.owner) answer()
      else {
        this.#cells.unshift(cell, delivery)
        if (!this.#cells.restore(cell, stored)) return
      }
      cell.state = 'idle'
      this.#cells.schedule(cell)
    })
  }

  #committed(flights: readonly Flight[]): void {
    for (const { cell, turn, delivery } of flights) {
      cell.live = turn.next
      cell.state = cell.stale ? 'absent' : 'idle'
      delivery?.end({ type: 'stepped', row: turn.row })
      this.#cells.schedule(cell)
    }
    this.#options.onCommitted(flights.map((flight) => flight.turn))
  }

  #lost(flight: Flight, reason: LostReason): void {
    const { cell, delivery } = flight
    cell.live = undefined
    cell.state = 'absent'
    if (reason === 'consumed') delivery?.end({ type: 'consumed' })
    else if (reason === 'idempotency') delivery?.end({ type: 'keyTaken' })
    else if (reason === 'unique') {
      // Nobody else would hear of it.
      if (delivery === undefined) this.#report(flight, nameTaken(cell.ref))
      this.#refuse(flight, nameTaken(cell.ref))
    } else if (delivery !== undefined) this.#cells.unshift(cell, delivery)
    this.#cells.schedule(cell)
  }

  #failed(flight: Flight, error: CommitFailed): void {
    flight.cell.state = 'idle'
    this.#report(flight, error)
    this.#refuse(flight, error.unique ? nameTaken(flight.cell.ref) : internal())
    this.#cells.schedule(flight.cell)
  }

  /** A timer whose step can't be written is not tried in a loop: storage finds it again with the next look. */
  #refuse({ cell, delivery }: Flight, failure: Failure): void {
    if (delivery === undefined) cell.timersDue = false
    else delivery.end({ type: 'refused', failure })
  }

  #report({ cell, turn }: Flight, error: Error): void {
    this.#options.problem(error, { actor: cell.ref.id, event: turn.step.event, requestId: turn.step.requestId })
  }
}
