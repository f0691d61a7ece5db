/**
 * Finds due timers. The snapshots hold them; storage returns the actors that have one that is due. It is asked at the earliest time
 * that this process has received, and at least every second, so that no timer depends on a notification.
 */
import type { AnyActorRef } from '../anyKind.ts'
import type { Clock } from '../ports/clock.ts'
import type { TimerCheck, TimerIndex } from '../ports/timerIndex.ts'

const longestWaitMs = 1_000
/** Storage is not asked more often than this. */
const shortestWaitMs = 20
const pageSize = 500

export interface TimerSchedulerOptions {
  readonly timers: TimerIndex
  readonly clock: Clock
  /** Those that this program has machines for. */
  readonly kinds: readonly string[]
  onDue(ref: AnyActorRef): void
  problem(error: unknown): void
}

export class TimerScheduler {
  readonly #options: TimerSchedulerOptions
  #cancel: (() => void) | undefined
  #next = Number.POSITIVE_INFINITY
  #checking = false
  #stopped = true
  #again: TimerCheck[] = []

  constructor(options: TimerSchedulerOptions) {
    this.#options = options
  }

  start(): void {
    this.#stopped = false
    void this.#check()
  }

  stop(): void {
    this.#stopped = true
    this.#cancel?.()
  }

  /** A timer became durable that is due at `due`, milliseconds since 1970. */
  expect(due: number): void {
    if (due < this.#next) this.#checkAt(due)
  }

  /** No timer of this actor was due: its time in storage is corrected, with those of the other actors of this tick. */
  correct(check: TimerCheck): void {
    this.#again.push(check)
    if (this.#again.length > 1) return
    setImmediate(() => {
      const checks = this.#again
      this.#again = []
      const { timers, clock, problem } = this.#options
      timers.rearm(checks, clock.now()).catch(problem)
    })
  }

  #checkAt(time: number): void {
    this.#next = time
    if (this.#stopped || this.#checking) return
    this.#cancel?.()
    const { clock } = this.#options
    const wait = Math.min(longestWaitMs, Math.max(shortestWaitMs, time - clock.now()))
    this.#cancel = clock.after(wait, () => void this.#check())
  }

  async #check(): Promise<void> {
    const { timers, clock, kinds, onDue, problem } = this.#options
    this.#checking = true
    this.#next = Number.POSITIVE_INFINITY
    try {
      const due = await timers.due(clock.now(), pageSize, kinds)
      for (const { ref } of due) onDue(ref)
      if (due.length === pageSize) this.#next = clock.now()
    } catch (error) {
      problem(error)
    }
    this.#checking = false
    this.#checkAt(Math.min(this.#next, clock.now() + longestWaitMs))
  }
}
