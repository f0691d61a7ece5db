/** A response that a view shows. It is read again if it may be out of date. */
import { useCallback, useEffect, useRef } from 'preact/hooks'
import { connectionStore } from '../state/connectionStore.ts'
import { useLocalStore } from '../state/useLocalStore.ts'
import { useSelector } from '../state/useSelector.ts'
import { type ApiError, getRetryDelay, toApiError } from './apiError.ts'
import { callWhenVisible } from './callWhenVisible.ts'
import type { GraphqlDocument, ReadonlyDeep } from './graphql.ts'
import { createQueryStore } from './queryStore.ts'
import { requestGraphql } from './request.ts'

export interface QueryResult<T> {
  /** The last response. It is kept while a newer one is read. */
  readonly data: T | undefined
  readonly error: ApiError | undefined
  readonly refresh: () => void
}

/** The pause between two reads if many changes arrive. */
const defaultPauseMs = 250

export interface RefreshPolicy {
  /** Milliseconds after which the response is out of date. It is not read again while the page is hidden. */
  readonly everyMs?: number | undefined
  /** The minimum time between two reads, however many changes arrive. */
  readonly pauseMs?: number
}

export function useQuery<Result, Variables>(
  query: GraphqlDocument<Result, Variables>,
  variables: ReadonlyDeep<Variables>,
  policy: RefreshPolicy = {},
): QueryResult<Result> {
  return useAsyncData(JSON.stringify([query, variables]), () => requestGraphql(query, variables), policy)
}

/** @param key identifies the request. Another key is another request */
export function useAsyncData<T>(
  key: string,
  read: () => Promise<T>,
  { everyMs, pauseMs = defaultPauseMs }: RefreshPolicy = {},
): QueryResult<T> {
  const [context, { trigger }] = useLocalStore(createQueryStore<T>)
  const refreshTimer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const readAgain = useRef<() => void>(undefined)
  const refresh = useCallback(() => {
    if (refreshTimer.current !== undefined) return
    refreshTimer.current = setTimeout(() => {
      refreshTimer.current = undefined
      readAgain.current?.()
    }, pauseMs)
  }, [])
  const resyncCount = useSelector(connectionStore, ({ resyncCount }) => resyncCount)
  useEffect(() => {
    let isCurrent = true
    let isReading = false
    // Set if a change arrived while the response was awaited. The response is shown anyway: changes may arrive faster than responses.
    let isOutdated = false
    let cancel = () => {}
    const readOnce = () => {
      isOutdated = isReading
      if (isReading) return
      isReading = true
      cancel()
      read()
        .then(
          (data) => {
            if (isCurrent) trigger.responded({ key, data })
            return isOutdated ? pauseMs : everyMs
          },
          (cause: unknown) => {
            const error = toApiError(cause)
            if (isCurrent) trigger.failed({ key, error })
            return getRetryDelay(error) ?? (isOutdated ? pauseMs : undefined)
          },
        )
        .then((ms) => {
          isReading = false
          if (isCurrent && ms !== undefined) cancel = callWhenVisible(ms, readOnce)
        })
    }
    readAgain.current = readOnce
    readOnce()
    return () => {
      isCurrent = false
      cancel()
    }
  }, [key, resyncCount])
  useEffect(() => () => clearTimeout(refreshTimer.current), [])
  return {
    data: context.key === key ? context.data : undefined,
    error: context.key === key ? context.error : undefined,
    refresh,
  }
}
