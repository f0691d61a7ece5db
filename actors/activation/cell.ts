/** An actor's place in memory: its mailbox and the durable state that the next message is decided on. */
import type { ActorRef, ActorRow } from '../../spec/core/actor.ts'
import type { Failure } from '../../spec/core/failure.ts'
import type { Logic } from '../decide/logic.ts'
import type { Message } from '../decide/message.ts'
import type { Live } from './live.ts'
import type { Turn } from './turn.ts'
import { Turns } from './turns.ts'

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
  /**
   * After this time nobody waits any more, and the message is not carried out; on the monotonic clock. Undefined for what the
   * runtime itself delivers: it has no deadline and counts toward no mailbox's bound, since the dispatcher bounds it.
   */
  readonly deadline: number | undefined
  end(outcome: Outcome): void
}

/**
 * - `absent`: not looked up yet, or known to be stale: it must be loaded before anything but a creation is decided.
 * - `loading`: one load is under way, and messages queue behind it.
 * - `idle`: `live` is what storage holds (`undefined`: there is no such actor).
 * - `busy`: a step, or the check of an answer, is under way; nothing else is decided meanwhile.
 */
export type CellState = 'absent' | 'loading' | 'idle' | 'busy'

export class Cell {
  readonly ref: ActorRef
  readonly logic: Logic
  state: CellState = 'absent'
  /** The durable state. In `absent` and `loading` it is outdated: what the next load reads the changes to. */
  live: Live | undefined
  /** Arrival order. */
  readonly mailbox: Delivery[] = []
  /** Those in the mailbox that somebody waits for. */
  asks = 0
  /** A timer may be due: step through those that are before anything else. */
  timersDue = false
  /** Stands in the list of those with something to decide. */
  ready = false
  /** Another process changed it while it was busy here. */
  stale = false
  readonly turns = new Turns()
  /** Ends the rest in which the actor is left to other processes. */
  endRest: (() => void) | undefined
  lastUsed = 0

  constructor(ref: ActorRef, logic: Logic) {
    this.ref = ref
    this.logic = logic
  }

  get hasWork(): boolean {
    return this.mailbox.length > 0 || this.timersDue
  }

  /**
   * A creation is decided without a load: where the actor exists, the commit says so. That it was not looked up stays recorded
   * (`absent`), so that whatever comes after a creation that was not written is decided on what storage holds.
   */
  get canDecide(): boolean {
    if (this.endRest !== undefined) return false
    if (this.state === 'idle') return true
    return this.state === 'absent' && this.live === undefined && this.mailbox[0]?.message.create !== undefined
  }
}

/** What a cell has under way in a batch. Without a delivery it is the step of a timer. */
export interface Flight {
  readonly cell: Cell
  readonly turn: Turn
  readonly delivery: Delivery | undefined
  /** When it was decided, on the monotonic clock. */
  readonly began: number
}
