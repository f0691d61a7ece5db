/** Ends a call if its caller cancels, this process stops, the server is silent for too long, or the call exceeds its longest time. */
import type { Clock } from '../../../../actors/ports/clock.ts'
import { ServerTimedOut } from './problems.ts'

export interface CallDeadline {
  readonly signal: AbortSignal
  /** Restarts the time of silence, because the server has sent something. */
  restartIdleTime(): void
  close(): void
}

export interface CallDeadlineOptions {
  readonly clock: Clock
  readonly signals: readonly AbortSignal[]
  readonly idleMs: number
  readonly longestMs: number
}

export function createCallDeadline({ clock, signals, idleMs, longestMs }: CallDeadlineOptions): CallDeadline {
  const late = new AbortController()
  const after = (ms: number, what: string) =>
    clock.after(ms, () => late.abort(new ServerTimedOut(`The server ${what} within ${ms / 1_000} s.`)))
  let stopIdle = after(idleMs, 'sent neither an answer nor progress')
  const stopLongest = after(longestMs, 'did not answer')
  return {
    signal: AbortSignal.any([...signals, late.signal]),
    restartIdleTime() {
      stopIdle()
      stopIdle = after(idleMs, 'sent neither an answer nor progress')
    },
    close() {
      stopIdle()
      stopLongest()
    },
  }
}
