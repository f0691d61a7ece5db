import type { Clock } from './ports/clock.ts'

/** @param time milliseconds since 1970 by the database's clock, so that setting this machine's clock has no effect */
export function clockOf(time: Pick<Clock, 'now'>): Clock {
  return Object.freeze({
    now: () => time.now(),
    monotonic: () => performance.now(),
    after(ms: number, callback: () => void) {
      const timeout = setTimeout(callback, ms)
      timeout.unref()
      return () => clearTimeout(timeout)
    },
  })
}
