/** A connection of the API as a list: its first page is asked for again when it may be old, those behind it as somebody gets there. */
import { useMemo, useState } from 'preact/hooks'
import { ask, type Refusal, refusalOf } from './ask.ts'
import { useQuery } from './useQuery.ts'

interface Connection<T> {
  readonly totalCount: number
  readonly nodes: readonly T[]
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null }
}

export interface List<T> {
  /** Each once, as it was told last; undefined until the first page is there. */
  readonly nodes: readonly T[] | undefined
  readonly totalCount: number
  readonly refusal: Refusal | undefined
  readonly hasMore: boolean
  /** The next page. */
  readonly more: () => void
  readonly refresh: () => void
}

interface Older<T> {
  readonly key: string
  readonly pages: readonly Connection<T>[]
}

/** @param query takes `$after` @param everyMs where time alone makes the first page old */
export function useList<T>(
  query: string,
  field: string,
  variables: Readonly<Record<string, unknown>>,
  idOf: (one: T) => string,
  everyMs?: number,
): List<T> {
  const key = JSON.stringify([query, variables])
  const { data, refusal, refresh } = useQuery<Record<string, Connection<T>>>(
    query,
    { ...variables, after: null },
    everyMs,
  )
  const [older, setOlder] = useState<Older<T>>({ key, pages: [] })
  const [reading, setReading] = useState('')
  const [failed, setFailed] = useState<Refusal>()
  const first = data?.[field]
  const pages = older.key === key ? older.pages : []
  const last = pages.at(-1) ?? first
  const more = () => {
    const after = last?.pageInfo.endCursor
    if (reading === key || !last?.pageInfo.hasNextPage || !after) return
    setReading(key)
    setFailed(undefined)
    ask<Record<string, Connection<T>>>(query, { ...variables, after })
      .then(
        (answer) => {
          const page = answer[field]
          if (page) setOlder((before) => ({ key, pages: [...(before.key === key ? before.pages : []), page] }))
        },
        (error: unknown) => setFailed(refusalOf(error)),
      )
      .finally(() => setReading(''))
  }
  // What has moved to the first page is not shown a second time as it was.
  const nodes = useMemo(() => {
    if (first === undefined) return undefined
    const all = new Map<string, T>()
    for (const one of [first, ...pages].flatMap((page) => page.nodes)) if (!all.has(idOf(one))) all.set(idOf(one), one)
    return [...all.values()]
  }, [first, pages.length, key])
  return {
    nodes,
    totalCount: first?.totalCount ?? 0,
    refusal: refusal ?? failed,
    hasMore: last?.pageInfo.hasNextPage === true,
    more,
    refresh,
  }
}
