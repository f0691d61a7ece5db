/** A clock that stands still until a test moves it. Its two times move together, except where the wall clock is set. */
import type { Clock } from '../../actors/ports/clock.ts'

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

  /** Sets the wall clock forward by `ms`, or back; nothing falls due by that. */
  setForward(ms: number): void {
    this.#wallClockAhead += ms
  }

  after(ms: number, callback: () => void): () => void {
    const alarm: Alarm = { at: this.#now + ms, callback }
    this.#alarms.add(alarm)
    return () => void this.#alarms.delete(alarm)
  }

  /** Moves on by `ms`, calling back what falls due on the way, in its order, and lets what it starts settle. */
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

  /** Moves on by `ms` at once, as for a machine that slept: what fell due meanwhile is called back once, now. */
  async leap(ms: number): Promise<void> {
    this.#now += ms
    const due = [...this.#alarms].filter(({ at }) => at <= this.#now).sort((a, b) => a.at - b.at)
    for (const alarm of due) {
      if (this.#alarms.delete(alarm)) alarm.callback()
    }
    await settled()
  }
}

/** Lets work that is under way in memory come to rest. */
export async function settled(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve))
}
