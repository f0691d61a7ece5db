/**
 * A connection of the API as a list. The first page is read again when it may be out of date. Later pages are read when the user
 * scrolls to them.
 */
import { useEffect, useMemo, useState } from 'preact/hooks'
import { ask, type Refusal, refusalOf } from './ask.ts'
import { type Behind, type Connection, readTo } from './behind.ts'
import { type Freshness, useQuery } from './useQuery.ts'

export interface List<T> {
  /** Each item once, in its latest version. Undefined until the first page is loaded. */
  readonly nodes: readonly T[] | undefined
  readonly totalCount: number
  readonly refusal: Refusal | undefined
  readonly hasMore: boolean
  /** Reads the next page. */
  readonly more: () => void
  readonly refresh: () => void
}

/** @param query has the variable `$after` @param freshness of the first page */
export function useList<T>(
  query: string,
  field: string,
  variables: Readonly<Record<string, unknown>>,
  idOf: (one: T) => string,
  freshness: Freshness = {},
): List<T> {
  const key = JSON.stringify([query, variables])
  const { data, refusal, refresh } = useQuery<Record<string, Connection<T>>>(
    query,
    { ...variables, after: null },
    freshness,
  )
  const [read, setRead] = useState<{ readonly key: string; readonly behind: Behind<T> | undefined }>({
    key,
    behind: undefined,
  })
  const [reading, setReading] = useState('')
  const [failed, setFailed] = useState<Refusal>()
  const first = data?.[field]
  const behind = read.key === key ? read.behind : undefined
  const end = (behind ?? first)?.pageInfo
  const pageAfter = async (after: string | null): Promise<Connection<T>> => {
    const page = (await ask<Record<string, Connection<T>>>(query, { ...variables, after }))[field]
    if (page === undefined) throw new TypeError(`The answer has no ${field}.`)
    return page
  }
  // New items move rows off the first page. They are read again, so that no row between is missing.
  useEffect(() => {
    if (first === undefined || behind === undefined) return
    let current = true
    readTo(first, behind, idOf, pageAfter).then(
      (joined) => {
        if (!current) return
        setFailed(undefined)
        if (joined !== behind) setRead({ key, behind: joined })
      },
      (error: unknown) => current && setFailed(refusalOf(error)),
    )
    return () => {
      current = false
    }
  }, [first, behind])
  const more = () => {
    const after = end?.endCursor
    if (reading === key || !end?.hasNextPage || !after) return
    setReading(key)
    setFailed(undefined)
    pageAfter(after)
      .then(
        ({ nodes, pageInfo }) =>
          setRead((before) => {
            const known = before.key === key ? before.behind : undefined
            if (known === undefined) return { key, behind: { after, nodes, pageInfo } }
            // If the list was restarted meanwhile, its end is another one.
            if (known.pageInfo.endCursor !== after) return before
            return { key, behind: { after: known.after, nodes: [...known.nodes, ...nodes], pageInfo } }
          }),
        (error: unknown) => setFailed(refusalOf(error)),
      )
      .finally(() => setReading(''))
  }
  // An item of the first page is not shown a second time in an older version.
  const nodes = useMemo(() => {
    if (first === undefined) return undefined
    const all = new Map<string, T>()
    for (const one of [...first.nodes, ...(behind?.nodes ?? [])]) if (!all.has(idOf(one))) all.set(idOf(one), one)
    return [...all.values()]
  }, [first, behind])
  return {
    nodes,
    totalCount: first?.totalCount ?? 0,
    refusal: refusal ?? failed,
    hasMore: end?.hasNextPage === true,
    more,
    refresh,
  }
}
