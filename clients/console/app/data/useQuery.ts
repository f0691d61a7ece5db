/** An answer that a view shows, asked again when something says that it is old. */
import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import { ask, type Refusal, refusalOf } from './ask.ts'
import { returns } from './live.ts'

export interface Asked<T> {
  /** The last answer; it stays while a newer one is asked for. */
  readonly data: T | undefined
  readonly refusal: Refusal | undefined
  readonly refresh: () => void
}

/** Between two answers, where many things change at once. */
const shortestPauseMs = 250
const againMs = 5_000

export interface Freshness {
  /** After so many milliseconds the answer is old by itself. It is not asked for again while the page is hidden. */
  readonly everyMs?: number | undefined
  /** Between two answers, however often something says that the last one is old. */
  readonly pauseMs?: number
}

export function useQuery<T>(
  query: string,
  variables: Readonly<Record<string, unknown>> = {},
  freshness: Freshness = {},
): Asked<T> {
  return useAnswer(JSON.stringify([query, variables]), () => ask<T>(query, variables), freshness)
}

/** @param key what is asked: another key is another question */
export function useAnswer<T>(
  key: string,
  read: () => Promise<T>,
  { everyMs, pauseMs = shortestPauseMs }: Freshness = {},
): Asked<T> {
  const [state, setState] = useState<{ readonly key: string; readonly data?: T; readonly refusal?: Refusal }>({
    key: '',
  })
  const waiting = useRef<ReturnType<typeof setTimeout>>(undefined)
  const [turn, setTurn] = useState(0)
  const refresh = useCallback(() => {
    if (waiting.current !== undefined) return
    waiting.current = setTimeout(() => {
      waiting.current = undefined
      setTurn((before) => before + 1)
    }, pauseMs)
  }, [])
  const returned = returns.value
  // The key says it all, and turns are what ask again.
  useEffect(() => {
    let current = true
    let cancel = () => {}
    const again = (ms: number) => {
      cancel = whenSeen(ms, () => setTurn((before) => before + 1))
    }
    read().then(
      (data) => {
        if (!current) return
        setState({ key, data })
        if (everyMs !== undefined) again(everyMs)
      },
      (error: unknown) => {
        if (!current) return
        const refusal = refusalOf(error)
        setState((before) => (before.key === key ? { ...before, refusal } : { key, refusal }))
        if (refusal.retryable) again(Math.max(againMs, 1_000 * (refusal.retryAfterSeconds ?? 0)))
      },
    )
    return () => {
      current = false
      cancel()
    }
  }, [key, turn, returned])
  useEffect(() => () => clearTimeout(waiting.current), [])
  return {
    data: state.key === key ? state.data : undefined,
    refusal: state.key === key ? state.refusal : undefined,
    refresh,
  }
}

/** Calls back after some time, or once the page is seen again if it is hidden then. @returns what cancels it */
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
