import type { TypedRow } from '../../../machines/rows.ts'
import { defaultPageSize, fromCursor, toCursor } from '../../../spec/core/connections.ts'
import { Failure } from '../../../spec/core/failure.ts'
import type { ActorKind } from '../../../spec/core/ids.ts'
import type { RowQuery } from '../../../storage/ports/views.ts'
import type { TypedViews } from '../typedViews.ts'

export interface PageArguments {
  readonly first?: number | null | undefined
  readonly after?: string | null | undefined
  readonly last?: number | null | undefined
  readonly before?: string | null | undefined
}

/** @typeParam C the number of all nodes, or how it is read */
export interface Page<T, C = number> {
  readonly edges: { cursor: string; node: T }[]
  readonly nodes: T[]
  readonly pageInfo: {
    hasNextPage: boolean
    hasPreviousPage: boolean
    startCursor: string | null
    endCursor: string | null
  }
  readonly totalCount: C
}

export interface Direction {
  readonly limit: number
  /** From the end of the list towards its beginning. */
  readonly backward: boolean
  readonly after: string | undefined
}

/** @throws Failure BAD_USER_INPUT where both directions are asked for */
export function directionOf({ first, after, last, before }: PageArguments): Direction {
  const backward = last !== null && last !== undefined
  const wrong = backward ? isGiven({ first, after }) : isGiven({ before })
  if (wrong !== undefined) {
    throw new Failure('BAD_USER_INPUT', 'A page goes either forward (first, after) or backward (last, before).', {
      details: { field: wrong },
    })
  }
  const given = backward ? before : after
  return {
    limit: (backward ? last : first) ?? defaultPageSize,
    backward,
    after: given === null || given === undefined ? undefined : fromCursor(given, backward ? 'before' : 'after'),
  }
}

function isGiven(args: Readonly<Record<string, unknown>>): string | undefined {
  return Object.keys(args).find((name) => args[name] !== null && args[name] !== undefined)
}

/** Makes a page of up to `limit + 1` items, which stand in the direction in which they were read. */
export function pageOf<R, T, C = number>(
  read: readonly R[],
  direction: Direction,
  positionOf: (item: R) => string,
  make: (item: R) => T,
  totalCount: C,
): Page<T, C> {
  const more = read.length > direction.limit
  const kept = read.slice(0, direction.limit)
  if (direction.backward) kept.reverse()
  const edges = kept.map((item) => ({ cursor: toCursor(positionOf(item)), node: make(item) }))
  const beyond = direction.after !== undefined
  return {
    edges,
    nodes: edges.map((edge) => edge.node),
    pageInfo: {
      hasNextPage: direction.backward ? beyond : more,
      hasPreviousPage: direction.backward ? more : beyond,
      startCursor: edges[0]?.cursor ?? null,
      endCursor: edges.at(-1)?.cursor ?? null,
    },
    totalCount,
  }
}

/** A page of rows, newest first: by ID, or by `sortAt` if the order is `sorted`. */
export async function pageOfRows<K extends ActorKind, T>(
  views: TypedViews,
  query: Omit<RowQuery<K>, 'limit' | 'after' | 'descending'>,
  page: PageArguments,
  make: (row: TypedRow<K>) => T,
): Promise<Page<T>> {
  const direction = directionOf(page)
  const [rows, totalCount] = await Promise.all([
    views.list({
      ...query,
      descending: !direction.backward,
      limit: direction.limit + 1,
      ...(direction.after === undefined ? {} : { after: { id: direction.after } }),
    }),
    views.count(query),
  ])
  return pageOf(rows, direction, (row) => row.id, make, totalCount)
}
