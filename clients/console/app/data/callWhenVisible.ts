/** Requests that are sent again: when, and only while the page is visible. */
import type { ApiError } from './apiError.ts'

const retryAfterMs = 5_000

/** Returns the milliseconds until a request is sent again. Undefined if it would fail again. */
export function getRetryDelay({ retryable, retryAfterSeconds = 0 }: ApiError): number | undefined {
  return retryable ? Math.max(retryAfterMs, 1_000 * retryAfterSeconds) : undefined
}

/** Calls back after some time. If the page is hidden then, it waits until the page is visible. @returns a function that cancels it */
export function callWhenVisible(ms: number, callback: () => void): () => void {
  const callIfVisible = () => {
    if (!document.hidden) callback()
    else document.addEventListener('visibilitychange', callIfVisible, { once: true })
  }
  const timer = setTimeout(callIfVisible, ms)
  return () => {
    clearTimeout(timer)
    document.removeEventListener('visibilitychange', callIfVisible)
  }
}
