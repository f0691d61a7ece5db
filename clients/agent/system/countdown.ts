/** The maximum delay of a timer in Node, in milliseconds. */
const longestTimerMs = 2 ** 31 - 1

/** A timer that does not run while there is a reason: the run waits for a person, or it is paused. */
export class Countdown {
  private leftMs: number
  private startedAt = 0
  private timer: NodeJS.Timeout | undefined
  private readonly reasons = new Set<string>()
  private readonly onZero: () => void

  constructor(ms: number, onZero: () => void) {
    this.leftMs = ms
    this.onZero = onZero
    this.start()
  }

  hold(reason: string): void {
    this.reasons.add(reason)
    if (!this.timer) return
    this.stop()
    this.leftMs = Math.max(0, this.leftMs - (performance.now() - this.startedAt))
  }

  release(reason: string): void {
    if (this.reasons.delete(reason) && this.reasons.size === 0) this.start()
  }

  stop(): void {
    clearTimeout(this.timer)
    this.timer = undefined
  }

  private start(): void {
    this.startedAt = performance.now()
    this.timer = setTimeout(this.onZero, Math.min(this.leftMs, longestTimerMs))
  }
}
