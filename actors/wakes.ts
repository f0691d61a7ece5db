/**
 * Finds due timers. The snapshots hold them; storage says which actors have one that is due. It is asked at the earliest time
 * that this process knows of, and every second whatever it knows, so that nobody's timer depends on having been told.
 */
import type { ActorRef } from '../spec/actor.ts'
import type { Clock, Look, TimerIndex } from './ports.ts'

const longestWaitMs = 1_000
/** Storage is not asked more often than this. */
const shortestWaitMs = 20
const pageSize = 500

export class Wakes {
  readonly #timers: TimerIndex
  readonly #clock: Clock
  readonly #wake: (ref: ActorRef) => void
  readonly #problem: (error: unknown) => void
  #cancel: (() => void) | undefined
  #next = Number.POSITIVE_INFINITY
  #looking = false
  #stopped = true
  #again: Look[] = []

  constructor(timers: TimerIndex, clock: Clock, wake: (ref: ActorRef) => void, problem: (error: unknown) => void) {
    this.#timers = timers
    this.#clock = clock
    this.#wake = wake
    this.#problem = problem
  }

  start(): void {
    this.#stopped = false
    void this.#look()
  }

  stop(): void {
    this.#stopped = true
    this.#cancel?.()
  }

  /** A timer became durable that is due at `due`, milliseconds since 1970. */
  expect(due: number): void {
    if (due < this.#next) this.#lookAt(due)
  }

  /** Nothing of this actor was due: its time in storage is put right, with those of all others that were woken with it. */
  lookAgain(look: Look): void {
    this.#again.push(look)
    if (this.#again.length > 1) return
    setImmediate(() => {
      const looks = this.#again
      this.#again = []
      this.#timers.rearm(looks, this.#clock.now()).catch(this.#problem)
    })
  }

  #lookAt(time: number): void {
    this.#next = time
    if (this.#stopped || this.#looking) return
    this.#cancel?.()
    const wait = Math.min(longestWaitMs, Math.max(shortestWaitMs, time - this.#clock.now()))
    this.#cancel = this.#clock.after(wait, () => void this.#look())
  }

  async #look(): Promise<void> {
    this.#looking = true
    this.#next = Number.POSITIVE_INFINITY
    try {
      const due = await this.#timers.due(this.#clock.now(), pageSize)
      for (const { ref } of due) this.#wake(ref)
      if (due.length === pageSize) this.#next = this.#clock.now()
    } catch (error) {
      this.#problem(error)
    }
    this.#looking = false
    this.#lookAt(Math.min(this.#next, this.#clock.now() + longestWaitMs))
  }
}
