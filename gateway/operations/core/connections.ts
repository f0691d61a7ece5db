import type { TypedRow } from '../../../machines/rows.ts'
import { defaultPageSize, fromCursor, type ListOrder, orderMark, toCursor } from '../../../spec/core/connections.ts'
import { Failure } from '../../../spec/core/failure.ts'
import type { ActorKind } from '../../../spec/core/ids.ts'
import type { RowOrder, RowQuery } from '../../../storage/ports/views.ts'
import type { TypedViews } from '../typedViews.ts'

export interface PageArguments {
  readonly first?: number | null | undefined
  readonly after?: string | null | undefined
  readonly last?: number | null | undefined
  readonly before?: string | null | undefined
  readonly orderBy?: ListOrder | null | undefined
}

/** @typeParam C the number of all nodes, or the function that reads it */
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

type CountRows = () => Promise<number>

/** The output of a query whose list may be counted later. */
export type Countable<Output> = Output extends { readonly totalCount: number }
  ? Omit<Output, 'totalCount'> & { readonly totalCount: number | CountRows }
  : Output

export function countRows(totalCount: unknown): unknown {
  return typeof totalCount === 'function' ? totalCount() : totalCount
}

export interface Direction {
  readonly limit: number
  /** Whether the page is read from the end of the list towards its beginning. */
  readonly backward: boolean
  readonly after: string | undefined
  /** The mark of the list's order in cursors. */
  readonly order: string | undefined
}

/** @throws Failure BAD_USER_INPUT if both directions are requested */
export function directionOf({ first, after, last, before, orderBy }: PageArguments): Direction {
  const backward = last !== null && last !== undefined
  const wrong = backward ? isGiven({ first, after }) : isGiven({ before })
  if (wrong !== undefined) {
    throw new Failure(
      'BAD_USER_INPUT',
      'A page is read either forward (first, after) or backward (last, before). Give only one pair.',
      {
        details: { field: wrong },
      },
    )
  }
  const given = backward ? before : after
  const order = orderMark(orderBy)
  return {
    limit: (backward ? last : first) ?? defaultPageSize,
    backward,
    after: given === null || given === undefined ? undefined : fromCursor(given, backward ? 'before' : 'after', order),
    order,
  }
}

function isGiven(args: Readonly<Record<string, unknown>>): string | undefined {
  return Object.keys(args).find((name) => args[name] !== null && args[name] !== undefined)
}

/** Creates a page of up to `limit + 1` items, which are in the direction in which they were read. */
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
  const edges = kept.map((item) => ({ cursor: toCursor(positionOf(item), direction.order), node: make(item) }))
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

/** The order of the rows, for each field by which a list can be ordered. */
export type RowOrders = Readonly<Record<string, RowOrder>>

const byCreation: RowOrders = { CREATED_AT: 'created' }

/**
 * A page of rows, newest first unless the page has an `orderBy`. The rows are counted only if the caller asks for the number: a count
 * reads an index entry of each row of the list, and a page only those of its own rows.
 */
export async function pageOfRows<K extends ActorKind, T>(
  views: TypedViews,
  filter: Omit<RowQuery<K>, 'limit' | 'after' | 'descending' | 'order'>,
  page: PageArguments,
  make: (row: TypedRow<K>) => T,
  orders: RowOrders = byCreation,
): Promise<Page<T, CountRows>> {
  const direction = directionOf(page)
  const { field, direction: towards } = page.orderBy ?? { field: 'CREATED_AT', direction: 'DESC' }
  const order = orders[field]
  if (order === undefined) throw new Error(`the list has no order by ${field}`)
  const rows = await views.list({
    ...filter,
    ...(order === 'created' ? {} : { order }),
    descending: (towards === 'DESC') !== direction.backward,
    limit: direction.limit + 1,
    ...(direction.after === undefined ? {} : { after: { id: direction.after } }),
  })
  return pageOf(
    rows,
    direction,
    (row) => row.id,
    make,
    () => views.count(order === 'created' ? filter : { ...filter, order }),
  )
}
