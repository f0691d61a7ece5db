import type { Clock } from './ports.ts'

/** This machine's own clock. It is right only until the time of the database is known. */
export const systemClock: Clock = clockOf(Date)

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
