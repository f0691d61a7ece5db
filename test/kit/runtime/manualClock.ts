/** A clock that advances only if a test advances it. Its two times advance together, unless a test sets the wall clock. */
import type { Clock } from '../../../actors/ports/clock.ts'

interface Alarm {
  readonly at: number
  readonly callback: () => void
}

export class ManualClock implements Clock {
  #now: number
  #wallClockAhead = 0
  readonly #alarms = new Set<Alarm>()

  constructor(now = Date.UTC(2026, 0, 1)) {
    this.#now = now
  }

  now(): number {
    return this.#now + this.#wallClockAhead
  }

  monotonic(): number {
    return this.#now
  }

  /** Sets the wall clock forward by `ms`, or back if negative. No timer fires because of that. */
  setForward(ms: number): void {
    this.#wallClockAhead += ms
  }

  after(ms: number, callback: () => void): () => void {
    const alarm: Alarm = { at: this.#now + ms, callback }
    this.#alarms.add(alarm)
    return () => void this.#alarms.delete(alarm)
  }

  /** Advances by `ms`. Calls the timers that fire within that time, in their order, and lets the work that they start settle. */
  async advance(ms: number): Promise<void> {
    const end = this.#now + ms
    for (;;) {
      const next = [...this.#alarms].sort((a, b) => a.at - b.at)[0]
      if (next === undefined || next.at > end) break
      this.#now = Math.max(this.#now, next.at)
      this.#alarms.delete(next)
      next.callback()
      await settled()
    }
    this.#now = end
    await settled()
  }

  /** Advances by `ms` at once, like a machine that was suspended. Timers that expired meanwhile are called once, now. */
  async leap(ms: number): Promise<void> {
    this.#now += ms
    const due = [...this.#alarms].filter(({ at }) => at <= this.#now).sort((a, b) => a.at - b.at)
    for (const alarm of due) {
      if (this.#alarms.delete(alarm)) alarm.callback()
    }
    await settled()
  }
}

/** Waits until work in memory that is in flight has settled. */
export async function settled(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve))
}
