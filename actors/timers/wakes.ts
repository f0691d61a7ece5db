/**
 * Finds due timers. The snapshots hold them; storage returns the actors that have one that is due. It is asked at the earliest time
 * that this process has received, and at least every second, so that no timer depends on a notification.
 */
import type { AnyActorRef } from '../anyKind.ts'
import type { Clock } from '../ports/clock.ts'
import type { Look, TimerIndex } from '../ports/timerIndex.ts'

const longestWaitMs = 1_000
/** Storage is not asked more often than this. */
const shortestWaitMs = 20
const pageSize = 500

export interface WakesOptions {
  readonly timers: TimerIndex
  readonly clock: Clock
  /** Those that this program has machines for. */
  readonly kinds: readonly string[]
  wake(ref: AnyActorRef): void
  problem(error: unknown): void
}

export class Wakes {
  readonly #options: WakesOptions
  #cancel: (() => void) | undefined
  #next = Number.POSITIVE_INFINITY
  #looking = false
  #stopped = true
  #again: Look[] = []

  constructor(options: WakesOptions) {
    this.#options = options
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

  /** No timer of this actor was due: its time in storage is corrected, with those of the other actors of this tick. */
  lookAgain(look: Look): void {
    this.#again.push(look)
    if (this.#again.length > 1) return
    setImmediate(() => {
      const looks = this.#again
      this.#again = []
      const { timers, clock, problem } = this.#options
      timers.rearm(looks, clock.now()).catch(problem)
    })
  }

  #lookAt(time: number): void {
    this.#next = time
    if (this.#stopped || this.#looking) return
    this.#cancel?.()
    const { clock } = this.#options
    const wait = Math.min(longestWaitMs, Math.max(shortestWaitMs, time - clock.now()))
    this.#cancel = clock.after(wait, () => void this.#look())
  }

  async #look(): Promise<void> {
    const { timers, clock, kinds, wake, problem } = this.#options
    this.#looking = true
    this.#next = Number.POSITIVE_INFINITY
    try {
      const due = await timers.due(clock.now(), pageSize, kinds)
      for (const { ref } of due) wake(ref)
      if (due.length === pageSize) this.#next = clock.now()
    } catch (error) {
      problem(error)
    }
    this.#looking = false
    this.#lookAt(Math.min(this.#next, clock.now() + longestWaitMs))
  }
}
