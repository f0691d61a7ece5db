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

/** @param field the field of the query with the connection @param policy of the first page */
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
  const failure = context.failure?.key === key && isNeeded(context.failure.read) ? context.failure : undefined
  const fail = (read: LaterRead, cause: unknown) => trigger.failed({ key, read, error: toApiError(cause) })
  const [gapReads, readGapAgain] = useReducer((count: number) => count + 1, 0)
  // New items move rows off the first page. They are read again, so that no row between is missing.
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
      (page) => trigger.loaded({ key, after, page }),
      (cause: unknown) => fail('NEXT', cause),
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
      (read) => number === rereadCount.current && trigger.gapFilled({ key, later: read }),
      (cause: unknown) => fail('ALL', cause),
    )
  }
  // A failed read is repeated, as that of the first page is, with the pages that are loaded by then.
  const readAgain = useRef<Readonly<Record<LaterRead, () => void>>>(undefined)
  readAgain.current = { NEXT: loadMore, GAP: () => readGapAgain(undefined), ALL: refreshAll }
  useEffect(() => {
    if (failure === undefined) return
    const delay = getRetryDelay(failure.error)
    if (delay === undefined) return
    return callWhenVisible(delay, () => readAgain.current?.[failure.read]())
  }, [failure])
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
    error: error ?? failure?.error,
    hasMore: end?.hasNextPage === true,
    loadMore,
    refresh,
    refreshAll,
  }
}
