/** The maximum delay of a timer in Node, in milliseconds. */
const longestTimerMs = 2 ** 31 - 1

/** A timer that can be paused. */
export class Countdown {
  private leftMs: number
  private startedAt = 0
  private timer: NodeJS.Timeout | undefined
  private readonly onZero: () => void

  constructor(ms: number, onZero: () => void) {
    this.leftMs = ms
    this.onZero = onZero
    this.resume()
  }

  resume(): void {
    if (this.timer) return
    this.startedAt = performance.now()
    this.timer = setTimeout(this.onZero, Math.min(this.leftMs, longestTimerMs))
  }

  pause(): void {
    if (!this.timer) return
    this.stop()
    this.leftMs = Math.max(0, this.leftMs - (performance.now() - this.startedAt))
  }

  stop(): void {
    clearTimeout(this.timer)
    this.timer = undefined
  }
}
