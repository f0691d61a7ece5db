/** A response that a view shows. It is read again if it may be out of date. */
import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import { ask, type Refusal, refusalOf } from './ask.ts'
import { returns } from './live.ts'

export interface Asked<T> {
  /** The last response. It is kept while a newer one is read. */
  readonly data: T | undefined
  readonly refusal: Refusal | undefined
  readonly refresh: () => void
}

/** The pause between two reads if many changes arrive. */
const shortestPauseMs = 250
const againMs = 5_000

export interface Freshness {
  /** Milliseconds after which the response is out of date. It is not read again while the page is hidden. */
  readonly everyMs?: number | undefined
  /** The minimum time between two reads, however many changes arrive. */
  readonly pauseMs?: number
}

export function useQuery<T>(
  query: string,
  variables: Readonly<Record<string, unknown>> = {},
  freshness: Freshness = {},
): Asked<T> {
  return useAnswer(JSON.stringify([query, variables]), () => ask<T>(query, variables), freshness)
}

/** @param key identifies the request. Another key is another request */
export function useAnswer<T>(
  key: string,
  read: () => Promise<T>,
  { everyMs, pauseMs = shortestPauseMs }: Freshness = {},
): Asked<T> {
  const [state, setState] = useState<{ readonly key: string; readonly data?: T; readonly refusal?: Refusal }>({
    key: '',
  })
  const waiting = useRef<ReturnType<typeof setTimeout>>(undefined)
  const reader = useRef<() => void>(undefined)
  const refresh = useCallback(() => {
    if (waiting.current !== undefined) return
    waiting.current = setTimeout(() => {
      waiting.current = undefined
      reader.current?.()
    }, pauseMs)
  }, [])
  const returned = returns.value
  useEffect(() => {
    let current = true
    let reading = false
    // Set if a change came while the answer was awaited. The answer is shown all the same: changes may come faster than answers.
    let old = false
    let cancel = () => {}
    const again = () => {
      old = reading
      if (reading) return
      reading = true
      cancel()
      read()
        .then(
          (data) => {
            if (current) setState({ key, data })
            return old ? pauseMs : everyMs
          },
          (error: unknown) => {
            const refusal = refusalOf(error)
            if (current) setState((before) => (before.key === key ? { ...before, refusal } : { key, refusal }))
            if (refusal.retryable) return Math.max(againMs, 1_000 * (refusal.retryAfterSeconds ?? 0))
            return old ? pauseMs : undefined
          },
        )
        .then((ms) => {
          reading = false
          if (current && ms !== undefined) cancel = whenSeen(ms, again)
        })
    }
    reader.current = again
    again()
    return () => {
      current = false
      cancel()
    }
  }, [key, returned])
  useEffect(() => () => clearTimeout(waiting.current), [])
  return {
    data: state.key === key ? state.data : undefined,
    refusal: state.key === key ? state.refusal : undefined,
    refresh,
  }
}

/** Calls back after some time. If the page is hidden then, it waits until the page is visible. @returns a function that cancels it */
function whenSeen(ms: number, callback: () => void): () => void {
  const due = () => {
    if (!document.hidden) callback()
    else document.addEventListener('visibilitychange', due, { once: true })
  }
  const timer = setTimeout(due, ms)
  return () => {
    clearTimeout(timer)
    document.removeEventListener('visibilitychange', due)
  }
}
