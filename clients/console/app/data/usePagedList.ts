/**
 * A connection of the API as a list. The first page is read again when it may be out of date. Later pages are read when the user
 * scrolls to them.
 */
import { useEffect, useMemo, useReducer, useRef } from 'preact/hooks'
import { useLocalStore } from '../state/useLocalStore.ts'
import { type ApiError, getRetryDelay, toApiError } from './apiError.ts'
import { callWhenVisible } from './callWhenVisible.ts'
import type { GraphqlDocument, ReadonlyDeep } from './graphql.ts'
import { type ConnectionPage, readGap, rereadPages } from './laterPages.ts'
import { createPagedListStore, type LaterRead } from './pagedListStore.ts'
import { requestGraphql } from './request.ts'
import { type RefreshPolicy, useQuery } from './useQuery.ts'

export interface PagedList<T> {
  /** Each item once, in its latest version. Undefined until the first page is loaded. */
  readonly items: readonly T[] | undefined
  readonly totalCount: number
  readonly error: ApiError | undefined
  readonly hasMore: boolean
  /** Reads the next page. */
  readonly loadMore: () => void
  /** Reads the first page again. */
  readonly refresh: () => void
  /** Reads all loaded pages again, for a change that may concern any of them. */
  readonly refreshAll: () => void
}

/**
 * @param field the field of the query with the connection
 * @param policy when the first page is read again
 */
export function usePagedList<
  Field extends string,
  Result extends Readonly<Record<Field, ConnectionPage<unknown>>>,
  Variables extends { after?: string | null },
>(
  query: GraphqlDocument<Result, Variables>,
  field: Field,
  variables: ReadonlyDeep<Variables>,
  getId: (item: Result[Field]['nodes'][number]) => string,
  policy: RefreshPolicy = {},
): PagedList<Result[Field]['nodes'][number]> {
  return usePagedConnection(
    query,
    (result): ConnectionPage<Result[Field]['nodes'][number]> => result[field],
    variables,
    getId,
    policy,
  )
}

const emptyPage: ConnectionPage<never> = { totalCount: 0, nodes: [], pageInfo: { hasNextPage: false, endCursor: null } }

/**
 * As `usePagedList`, for a connection inside an object.
 * @param getPage returns the connection. Undefined if the object does not exist: the list is then empty
 */
export function usePagedConnection<Item, Result, Variables extends { after?: string | null }>(
  query: GraphqlDocument<Result, Variables>,
  getPage: (result: Result) => ConnectionPage<Item> | undefined,
  variables: ReadonlyDeep<Variables>,
  getId: (item: Item) => string,
  policy: RefreshPolicy = {},
): PagedList<Item> {
  const key = JSON.stringify([query, variables])
  const { data, error, refresh } = useQuery(query, { ...variables, after: null }, policy)
  const [context, { trigger }] = useLocalStore(createPagedListStore<Item>)
  const first = useMemo(() => (data === undefined ? undefined : (getPage(data) ?? emptyPage)), [data])
  const later = context.key === key ? context.later : undefined
  const end = (later ?? first)?.pageInfo
  const readPageAfter = async (after: string | null): Promise<ConnectionPage<Item>> =>
    getPage(await requestGraphql(query, { ...variables, after })) ?? emptyPage
  // A read that is not needed any more is not repeated, and its error is not shown.
  const isNeeded = (read: LaterRead) => (read === 'NEXT' ? end?.hasNextPage === true : later !== undefined)
  const failures = useMemo(
    () => context.failures.filter((failure) => failure.key === key && isNeeded(failure.read)),
    [context.failures, key, isNeeded('NEXT'), isNeeded('ALL')],
  )
  // With another filter it is another list. An answer for the former one comes too late.
  const shownKey = useRef(key)
  shownKey.current = key
  const isShown = () => shownKey.current === key
  const fail = (read: LaterRead, cause: unknown) => trigger.failed({ key, read, error: toApiError(cause) })
  const [gapReads, readGapAgain] = useReducer((count: number) => count + 1, 0)
  // The rows that new items have moved off the first page are read again.
  useEffect(() => {
    if (first === undefined || later === undefined) return
    let isCurrent = true
    readGap(first, later, getId, readPageAfter).then(
      (filled) => isCurrent && trigger.gapFilled({ key, later: filled }),
      (cause: unknown) => isCurrent && fail('GAP', cause),
    )
    return () => {
      isCurrent = false
    }
  }, [first, later, gapReads])
  const loadMore = () => {
    const after = end?.endCursor
    if (context.loadingKey === key || !end?.hasNextPage || !after) return
    trigger.loadStarted({ key })
    readPageAfter(after).then(
      (page) => (isShown() ? trigger.loaded({ key, after, page }) : trigger.loadDropped({ key })),
      (cause: unknown) => (isShown() ? fail('NEXT', cause) : trigger.loadDropped({ key })),
    )
  }
  const rereadCount = useRef(0)
  const refreshAll = () => {
    refresh()
    if (later === undefined) return
    rereadCount.current++
    const number = rereadCount.current
    rereadPages(later, readPageAfter).then(
      // An earlier read may end last, with older items.
      (read) => isShown() && number === rereadCount.current && trigger.reread({ key, later: read }),
      (cause: unknown) => isShown() && fail('ALL', cause),
    )
  }
  // A failed read is repeated after a pause. It then reads for the pages that are loaded at that time.
  const readAgain = useRef<Readonly<Record<LaterRead, () => void>>>(undefined)
  readAgain.current = { NEXT: loadMore, GAP: () => readGapAgain(undefined), ALL: refreshAll }
  useEffect(() => {
    const cancels = failures.map(({ read, error: cause }) => {
      const delay = getRetryDelay(cause)
      return delay === undefined ? undefined : callWhenVisible(delay, () => readAgain.current?.[read]())
    })
    return () => {
      for (const cancel of cancels) cancel?.()
    }
  }, [failures])
  // An item of the first page is not shown a second time in an older version.
  const items = useMemo(() => {
    if (first === undefined) return undefined
    const byId = new Map<string, Item>()
    for (const item of [...first.nodes, ...(later?.nodes ?? [])])
      if (!byId.has(getId(item))) byId.set(getId(item), item)
    return [...byId.values()]
  }, [first, later])
  return {
    items,
    totalCount: first?.totalCount ?? 0,
    error: error ?? failures[0]?.error,
    hasMore: end?.hasNextPage === true,
    loadMore,
    refresh,
    refreshAll,
  }
}
