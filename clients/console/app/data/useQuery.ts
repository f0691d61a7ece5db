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
const pauseMs = 250
const againMs = 5_000

/** @param everyMs where time alone makes it old */
export function useQuery<T>(
  query: string,
  variables: Readonly<Record<string, unknown>> = {},
  everyMs?: number,
): Asked<T> {
  return useAnswer(JSON.stringify([query, variables]), () => ask<T>(query, variables), everyMs)
}

/** @param key what is asked: another key is another question @param everyMs where time alone makes it old */
export function useAnswer<T>(key: string, read: () => Promise<T>, everyMs?: number): Asked<T> {
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
    let again: ReturnType<typeof setTimeout> | undefined
    read().then(
      (data) => {
        if (!current) return
        setState({ key, data })
        if (everyMs !== undefined) again = setTimeout(() => setTurn((before) => before + 1), everyMs)
      },
      (error: unknown) => {
        if (!current) return
        const refusal = refusalOf(error)
        setState((before) => (before.key === key ? { ...before, refusal } : { key, refusal }))
        if (refusal.retryable) again = setTimeout(() => setTurn((before) => before + 1), againMs)
      },
    )
    return () => {
      current = false
      clearTimeout(again)
    }
  }, [key, turn, returned])
  useEffect(() => () => clearTimeout(waiting.current), [])
  return {
    data: state.key === key ? state.data : undefined,
    refusal: state.key === key ? state.refusal : undefined,
    refresh,
  }
}
