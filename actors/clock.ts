import type { Clock } from './ports/clock.ts'

/** @param time milliseconds since 1970: of the database, so that setting this machine's clock changes nothing */
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
