/**
 * The actors in memory: each message waits in its actor's mailbox, is decided on the durable state, and ends when the step that
 * it caused is durable. One step of an actor is under way at a time.
 */
import type { ActorRef, ActorRow } from '../spec/actor.ts'
import { Failure } from '../spec/failure.ts'
import { Cell, type Delivery, type Flight } from './cell.ts'
import { Committer } from './committer.ts'
import { conflicts, decide, decideTimer } from './decide.ts'
import { restoreLive, rowOf } from './live.ts'
import { Loader } from './loader.ts'
import type { Logic } from './logic.ts'
import type { Origin } from './messages.ts'
import type { Clock, CommitFailed, Journal, LostReason, StoredActor } from './ports.ts'
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
  takeDone(): readonly string[]
  restoreDone(ids: readonly string[]): void
  problem(error: unknown, context: Readonly<Record<string, unknown>>): void
}

export class Mailboxes {
  readonly #options: MailboxOptions
  readonly #cells = new Map<string, Cell>()
  readonly #loader: Loader
  readonly #committer: Committer
  /** Those with something to decide, in the order in which they became so. */
  #ready: Cell[] = []
  #pending = 0
  #closed = false

  constructor(options: MailboxOptions) {
    this.#options = options
    const problem = (error: unknown) => options.problem(error, {})
    this.#loader = new Loader(options.journal, options.clock, problem)
    this.#committer = new Committer(options.journal, options.clock, {
      collect: (limit) => this.#collect(limit),
      load: () => this.#pending,
      committed: (flights) => this.#committed(flights),
      lost: (flight, reason) => this.#lost(flight, reason),
      failed: (flight, error) => this.#failed(flight, error),
      takeDone: options.takeDone,
      restoreDone: options.restoreDone,
      problem,
    })
  }

  get load(): { readonly actors: number; readonly messages: number } {
    return { actors: this.#cells.size, messages: this.#pending }
  }

  receive(ref: ActorRef, delivery: Delivery): void {
    const cell = this.#cell(ref)
    const { mailboxDepth, mailboxTotal } = this.#options
    if (this.#closed || cell.mailbox.length >= mailboxDepth || this.#pending >= mailboxTotal) {
      delivery.end({ type: 'refused', failure: this.#closed ? stopping() : tooMany(ref) })
      return
    }
    // A new actor is not looked up first: where it does exist, the commit says so.
    if (cell.state === 'absent' && delivery.message.create !== undefined) cell.state = 'idle'
    cell.mailbox.push(delivery)
    this.#pending++
    this.#schedule(cell)
  }

  /** One of its timers may be due. */
  wake(ref: ActorRef): void {
    const cell = this.#cell(ref)
    cell.timersDue = true
    this.#schedule(cell)
  }

  async peek(ref: ActorRef): Promise<ActorRow | undefined> {
    const cell = this.#cells.get(ref.id)
    if (cell?.live !== undefined && cell.state !== 'absent') return rowOf(cell.live)
    const stored = await this.#loader.load(ref)
    return stored && rowOf(restoreLive(this.#options.logic(ref.kind), stored))
  }

  /** Another process has moved the actor on: what is in memory is not to be decided on any more. */
  outdated(ref: ActorRef, seq: number): void {
    const cell = this.#cells.get(ref.id)
    if (cell === undefined || (cell.live !== undefined && cell.live.seq >= seq)) return
    if (cell.state !== 'idle') {
      cell.stale = true
      return
    }
    cell.state = 'absent'
    if (cell.hasWork) this.#schedule(cell)
  }

  /** Puts actors out of memory that nobody has used since `before`, milliseconds since 1970. */
  passivate(before: number): void {
    for (const [id, cell] of this.#cells) {
      const resting = cell.state === 'idle' || cell.state === 'absent'
      if (resting && !cell.hasWork && cell.lastUsed < before) this.#cells.delete(id)
    }
  }

  /** Refuses new messages, and resolves when those that wait are answered. */
  async close(): Promise<void> {
    this.#closed = true
    do await this.#committer.idle()
    while (this.#pending > 0 && (await new Promise((resolve) => setImmediate(resolve, true))))
  }

  #cell(ref: ActorRef): Cell {
    let cell = this.#cells.get(ref.id)
    if (cell === undefined) {
      cell = new Cell(ref, this.#options.logic(ref.kind))
      this.#cells.set(ref.id, cell)
    }
    return cell
  }

  #schedule(cell: Cell): void {
    cell.lastUsed = this.#options.clock.now()
    if (!cell.hasWork) return
    if (cell.state === 'absent') this.#load(cell)
    if (cell.state !== 'idle' || cell.ready) return
    cell.ready = true
    this.#ready.push(cell)
    this.#committer.kick()
  }

  #load(cell: Cell): void {
    cell.state = 'loading'
    cell.stale = false
    void this.#loader.load(cell.ref).then((stored) => {
      if (!this.#restore(cell, stored)) return
      cell.state = 'idle'
      this.#schedule(cell)
    })
  }

  /** Whether what is stored fits the machine; where it doesn't, all that waits for the actor has been answered. */
  #restore(cell: Cell, stored: StoredActor | undefined): boolean {
    try {
      cell.live = stored && restoreLive(cell.logic, stored)
      return true
    } catch (error) {
      this.#unfit(cell, error)
      return false
    }
  }

  /** What is stored doesn't fit the machine. The start tries every snapshot first, so this is a defect, and is said as one. */
  #unfit(cell: Cell, error: unknown): void {
    this.#options.problem(error, { actor: cell.ref.id })
    this.#cells.delete(cell.ref.id)
    this.#pending -= cell.mailbox.length
    for (const delivery of cell.mailbox.splice(0)) delivery.end({ type: 'refused', failure: internal() })
  }

  #collect(limit: number): readonly Flight[] {
    const flights: Flight[] = []
    const ready = this.#ready
    let taken = 0
    while (flights.length < limit && taken < ready.length) {
      const cell = ready[taken++]
      if (cell === undefined) break
      cell.ready = false
      const flight = this.#advance(cell)
      if (flight) flights.push(flight)
    }
    this.#ready = taken === ready.length ? [] : ready.slice(taken)
    return flights
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
        return undefined
      }
      this.#shift(cell)
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

  #shift(cell: Cell): void {
    cell.mailbox.shift()
    this.#pending--
  }

  #unshift(cell: Cell, delivery: Delivery | undefined): void {
    if (delivery === undefined) return
    cell.mailbox.unshift(delivery)
    this.#pending++
  }

  /** Gives the answer where storage still holds the state that it was decided on; else decides again on what it holds. */
  #check(cell: Cell, delivery: Delivery, answer: () => void): void {
    cell.state = 'busy'
    void this.#loader.load(cell.ref).then((stored) => {
      if (stored?.seq === cell.live?.seq && stored?.owner === cell.live?.owner) answer()
      else {
        this.#unshift(cell, delivery)
        if (!this.#restore(cell, stored)) return
      }
      cell.state = 'idle'
      this.#schedule(cell)
    })
  }

  #committed(flights: readonly Flight[]): void {
    for (const { cell, turn, delivery } of flights) {
      cell.live = turn.next
      cell.state = cell.stale ? 'absent' : 'idle'
      delivery?.end({ type: 'stepped', row: turn.row })
      this.#schedule(cell)
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
    } else this.#unshift(cell, delivery)
    this.#schedule(cell)
  }

  #failed(flight: Flight, error: CommitFailed): void {
    flight.cell.state = 'idle'
    this.#report(flight, error)
    this.#refuse(flight, error.unique ? nameTaken(flight.cell.ref) : internal())
    this.#schedule(flight.cell)
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

export function internal(): Failure {
  return new Failure('INTERNAL', 'Something went wrong on the server; its log says what, under this request ID.')
}

export function stopping(): Failure {
  return new Failure('UNAVAILABLE', 'The server is stopping.', { retryAfterMs: 1_000 })
}

function tooMany(ref: ActorRef): Failure {
  return new Failure('UNAVAILABLE', `Too many messages wait for ${ref.id}.`, { retryAfterMs: 500 })
}

function expired(): Failure {
  return new Failure('UNAVAILABLE', 'It waited too long for its turn and was not carried out.', { retryAfterMs: 500 })
}

function nameTaken(ref: ActorRef): Failure {
  return new Failure('CONFLICT', `Another ${ref.kind} has this name already.`, {
    details: { reason: conflicts.taken },
  })
}
