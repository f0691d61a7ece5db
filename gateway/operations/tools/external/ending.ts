/** Ends a call if its caller cancels, this process stops, the server is silent for too long, or the call exceeds its longest time. */
import type { Clock } from '../../../../actors/ports/clock.ts'
import { TooSlow } from './problems.ts'

export interface Ending {
  readonly signal: AbortSignal
  /** Restarts the time of silence, because the server has sent something. */
  touch(): void
  close(): void
}

export interface EndingOptions {
  readonly clock: Clock
  readonly signals: readonly AbortSignal[]
  readonly idleMs: number
  readonly longestMs: number
}

export function endingOf({ clock, signals, idleMs, longestMs }: EndingOptions): Ending {
  const late = new AbortController()
  const after = (ms: number, what: string) =>
    clock.after(ms, () => late.abort(new TooSlow(`The server ${what} within ${ms / 1_000} s.`)))
  let stopIdle = after(idleMs, 'sent neither an answer nor progress')
  const stopLongest = after(longestMs, 'did not answer')
  return {
    signal: AbortSignal.any([...signals, late.signal]),
    touch() {
      stopIdle()
      stopIdle = after(idleMs, 'sent neither an answer nor progress')
    },
    close() {
      stopIdle()
      stopLongest()
    },
  }
}
