/** Lists that can grow, as Relay connections: newest first, 1 to 100 a page, opaque cursors. */
import * as v from 'valibot'
import type { ActorRow } from './actor.ts'
import { Failure } from './failure.ts'
import { int, named, type Schema, text } from './types.ts'
import type { RowQuery, Views } from './views.ts'

const size = v.nullish(v.pipe(int, v.minValue(1), v.maxValue(100)))
const cursor = v.nullish(text({ max: 200 }))

/** The arguments of every connection. */
export const pageArguments = {
  first: v.pipe(size, v.description('How many, 1 to 100; 50 where nothing is said.')),
  after: v.pipe(cursor, v.description('Goes on behind a page: its `endCursor`.')),
  last: v.pipe(size, v.description('So many from the end of the list; not together with `first` and `after`.')),
  before: v.pipe(cursor, v.description('With `last`: goes on before a page, its `startCursor`.')),
}

export interface PageArguments {
  readonly first?: number | null | undefined
  readonly after?: string | null | undefined
  readonly last?: number | null | undefined
  readonly before?: string | null | undefined
}

export const pageInfo = named(
  'PageInfo',
  'Where a page stands in its list.',
  v.object({
    hasNextPage: v.boolean(),
    hasPreviousPage: v.boolean(),
    startCursor: v.nullable(v.string()),
    endCursor: v.nullable(v.string()),
  }),
)

export function connectionOf<const S extends Schema>(typeName: string, node: S) {
  const edge = named(`${typeName}Edge`, `One ${typeName} of a list.`, v.object({ cursor: v.string(), node }))
  return named(
    `${typeName}Connection`,
    `A page of a list of ${typeName}.`,
    v.object({ edges: v.array(edge), nodes: v.array(node), pageInfo, totalCount: int }),
  )
}

export interface Page<T> {
  readonly edges: { cursor: string; node: T }[]
  readonly nodes: T[]
  readonly pageInfo: {
    hasNextPage: boolean
    hasPreviousPage: boolean
    startCursor: string | null
    endCursor: string | null
  }
  readonly totalCount: number
}

const mark = 'c1:'

export function toCursor(position: string): string {
  return btoa(mark + position)
}

/** @throws Failure BAD_USER_INPUT */
export function fromCursor(given: string, field: string): string {
  let position: string | undefined
  try {
    const plain = atob(given)
    // Positions are IDs and sequences; anything else never came from here.
    if (plain.startsWith(mark) && /^\w{1,60}$/.test(plain.slice(mark.length))) position = plain.slice(mark.length)
  } catch {
    // Not Base64: no cursor of ours.
  }
  if (position === undefined) throw notACursor(field)
  return position
}

export function notACursor(field: string): Failure {
  return new Failure('BAD_USER_INPUT', `${field} is not a cursor of this list.`, { details: { field } })
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
    limit: (backward ? last : first) ?? 50,
    backward,
    after: given === null || given === undefined ? undefined : fromCursor(given, backward ? 'before' : 'after'),
  }
}

function isGiven(args: Readonly<Record<string, unknown>>): string | undefined {
  return Object.keys(args).find((name) => args[name] !== null && args[name] !== undefined)
}

/** Makes a page of up to `limit + 1` items, which stand in the direction in which they were read. */
export function pageOf<R, T>(
  read: readonly R[],
  direction: Direction,
  positionOf: (item: R) => string,
  make: (item: R) => T,
  totalCount: number,
): Page<T> {
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

/** A page of rows, newest first. */
export async function pageOfRows<T>(
  views: Views,
  query: Omit<RowQuery, 'limit' | 'after' | 'descending' | 'order'>,
  page: PageArguments,
  make: (row: ActorRow) => T,
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
