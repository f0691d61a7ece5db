/** An actor's place in memory: its mailbox and the durable state that the next message is decided on. */
import type { ActorRef, ActorRow } from '../spec/actor.ts'
import type { Failure } from '../spec/failure.ts'
import type { Message } from './decide.ts'
import type { Live } from './live.ts'
import type { Logic } from './logic.ts'
import type { Turn } from './turn.ts'

/** How a message ended. Every message ends in one of these, once. */
export type Outcome =
  /** It caused a step, which is durable. */
  | { readonly type: 'stepped'; readonly row: ActorRow }
  /** It had been carried out before; nothing was written. */
  | { readonly type: 'repeated'; readonly row: ActorRow }
  /** The outbox row that it delivers is gone: another process, or an earlier attempt, has delivered it. */
  | { readonly type: 'consumed' }
  /** The idempotency key was taken by a request that came first. */
  | { readonly type: 'keyTaken' }
  | { readonly type: 'refused'; readonly failure: Failure }

/** A message in a mailbox, with who waits for its end. */
export interface Delivery {
  readonly message: Message
  /** After this time nobody waits any more, and the message is not carried out; milliseconds since 1970. */
  readonly deadline: number | undefined
  end(outcome: Outcome): void
}

/**
 * - `absent`: not looked up yet, or known to be stale: it must be loaded before anything is decided.
 * - `loading`: one load is under way, and messages queue behind it.
 * - `idle`: `live` is what storage holds (`undefined`: there is no such actor).
 * - `busy`: a step, or the check of an answer, is under way; nothing else is decided meanwhile.
 */
export type CellState = 'absent' | 'loading' | 'idle' | 'busy'

export class Cell {
  readonly ref: ActorRef
  readonly logic: Logic
  state: CellState = 'absent'
  live: Live | undefined
  /** Arrival order. */
  readonly mailbox: Delivery[] = []
  /** A timer may be due: step through those that are before anything else. */
  timersDue = false
  /** Stands in the list of those with something to decide. */
  ready = false
  /** Another process changed it while it was busy here. */
  stale = false
  lastUsed = 0

  constructor(ref: ActorRef, logic: Logic) {
    this.ref = ref
    this.logic = logic
  }

  get hasWork(): boolean {
    return this.mailbox.length > 0 || this.timersDue
  }
}

/** What a cell has under way in a batch. Without a delivery it is the step of a timer. */
export interface Flight {
  readonly cell: Cell
  readonly turn: Turn
  readonly delivery: Delivery | undefined
}
