/** Lists that can grow, as Relay connections: newest first, 1 to 100 entries a page, opaque cursors. */
import * as v from 'valibot'
import { Failure } from './failure.ts'
import { int, named, type Schema, text } from './types.ts'

/** The number of nodes on a page if the request does not name one, of a list and of a list inside an object. */
export const defaultPageSize = 50
export const defaultNestedPageSize = 20

const pageSize = v.pipe(int, v.minValue(1), v.maxValue(100))
const cursor = v.nullish(text({ max: 200 }))

/** The arguments of every connection. */
export const pageArguments = {
  first: v.pipe(v.nullish(pageSize), v.description(`The number of nodes, 1 to 100. Default: ${defaultPageSize}.`)),
  after: v.pipe(cursor, v.description('Continues after a page. It is the `endCursor` of that page.')),
  last: v.pipe(
    v.nullish(pageSize),
    v.description('The number of nodes from the end of the list. Not together with `first` and `after`.'),
  ),
  before: v.pipe(cursor, v.description('With `last`: continues before a page. It is the `startCursor` of that page.')),
}

/** The arguments of a connection inside an object. It goes forward only. */
export const nestedPageArguments = v.object({
  first: v.pipe(v.nullish(pageSize, defaultNestedPageSize), v.description('The number of nodes, 1 to 100.')),
  after: v.pipe(cursor, v.description('Continues after a page. It is the `endCursor` of that page.')),
})

export const orderDirection = named(
  'OrderDirection',
  'ASC: the smallest or earliest first. DESC: the largest or latest first.',
  v.picklist(['ASC', 'DESC']),
)

export type OrderDirection = v.InferOutput<typeof orderDirection>

/** The order that a list has if the request names none. */
const defaultOrder = { field: 'CREATED_AT', direction: 'DESC' } as const

/** @param fields by which a list can be ordered. Each one needs an index, or a list that stays short. */
export function orderByOf<const F extends string>(typeName: string, fields: readonly ['CREATED_AT', ...F[]]) {
  const field = named(`${typeName}OrderField`, `A field by which a list of ${typeName} is ordered.`, v.picklist(fields))
  const order = named(
    `${typeName}OrderInput`,
    `The order of a list of ${typeName}. Equal values are ordered by their IDs.`,
    v.object({ field, direction: orderDirection }),
  )
  return v.pipe(v.nullish(order), v.description('Default: CREATED_AT, DESC.'))
}

export interface ListOrder {
  readonly field: string
  readonly direction: OrderDirection
}

/** The mark of an order in its cursors. Undefined for the default order, whose cursors have none. */
export function orderMark(order: ListOrder | null | undefined): string | undefined {
  const { field, direction } = order ?? defaultOrder
  const isDefault = field === defaultOrder.field && direction === defaultOrder.direction
  return isDefault ? undefined : `${field} ${direction}`
}

export const pageInfo = named(
  'PageInfo',
  'The position of a page in its list.',
  v.object({
    hasNextPage: v.boolean(),
    hasPreviousPage: v.boolean(),
    startCursor: v.nullable(v.string()),
    endCursor: v.nullable(v.string()),
  }),
)

/** @param more fields in addition to those of every connection */
export function connectionOf<const S extends Schema, const M extends v.ObjectEntries = Record<never, never>>(
  typeName: string,
  node: S,
  more: M = {} as M,
) {
  const edge = named(`${typeName}Edge`, `One ${typeName} of a list.`, v.object({ cursor: v.string(), node }))
  return named(
    `${typeName}Connection`,
    `A page of a list of ${typeName}.`,
    v.object({ edges: v.array(edge), nodes: v.array(node), pageInfo, totalCount: int, ...more }),
  )
}

const mark = 'c1:'
/** The beginning of a cursor whose list does not have the default order. The mark of the order follows, and a colon. */
const orderedMark = 'c2:'

/** @param order its mark: `orderMark` */
export function toCursor(position: string, order?: string): string {
  return btoa(order === undefined ? mark + position : `${orderedMark}${order}:${position}`)
}

/**
 * @param order the mark of the order that the request names
 * @throws Failure BAD_USER_INPUT also for a cursor of another order: the page would begin anywhere
 */
export function fromCursor(given: string, field: string, order?: string): string {
  const cursor = parseCursor(given)
  if (cursor === undefined) throw notACursor(field)
  if (cursor.order !== order) throw cursorOfAnotherOrder(field, cursor.order)
  return cursor.position
}

interface Cursor {
  readonly position: string
  readonly order: string | undefined
}

/** Positions are IDs and sequences. This server issued no other cursors. */
function parseCursor(given: string): Cursor | undefined {
  let plain: string
  try {
    plain = atob(given)
  } catch {
    return undefined
  }
  const [, order, position] = /^(?:c1|c2:([A-Z_]{1,40} (?:ASC|DESC))):(\w{1,60})$/.exec(plain) ?? []
  return position === undefined ? undefined : { position, order }
}

function cursorOfAnotherOrder(field: string, order: string | undefined): Failure {
  const own = order ?? `${defaultOrder.field} ${defaultOrder.direction}`
  return new Failure(
    'BAD_USER_INPUT',
    `${field} is a cursor of the order ${own}, and orderBy names another one. Repeat the orderBy of the page that the cursor is from, or omit ${field}.`,
    { details: { field } },
  )
}

export function notACursor(field: string): Failure {
  return new Failure('BAD_USER_INPUT', `${field} is not a cursor of this list. Give a cursor of a previous answer.`, {
    details: { field },
  })
}
