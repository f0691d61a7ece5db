import type { Clock } from './ports.ts'

/** The machine's own clock. */
export const systemClock: Clock = Object.freeze({
  now: () => Date.now(),
  monotonic: () => performance.now(),
  after(ms: number, callback: () => void) {
    const timeout = setTimeout(callback, ms)
    timeout.unref()
    return () => clearTimeout(timeout)
  },
})
