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
  after: v.pipe(cursor, v.description('Continues after a page: its `endCursor`.')),
  last: v.pipe(
    v.nullish(pageSize),
    v.description('The number of nodes from the end of the list. Not together with `first` and `after`.'),
  ),
  before: v.pipe(cursor, v.description('With `last`: continues before a page, its `startCursor`.')),
}

/** The arguments of a connection inside an object. It goes forward only. */
export const nestedPageArguments = v.object({
  first: v.pipe(v.nullish(pageSize, defaultNestedPageSize), v.description('The number of nodes, 1 to 100.')),
  after: v.pipe(cursor, v.description('Continues after a page: its `endCursor`.')),
})

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

const mark = 'c1:'

export function toCursor(position: string): string {
  return btoa(mark + position)
}

/** @throws Failure BAD_USER_INPUT */
export function fromCursor(given: string, field: string): string {
  let position: string | undefined
  try {
    const plain = atob(given)
    // Positions are IDs and sequences. This server issued no other cursors.
    if (plain.startsWith(mark) && /^\w{1,60}$/.test(plain.slice(mark.length))) position = plain.slice(mark.length)
  } catch {
    // Not Base64, so not a cursor of this server.
  }
  if (position === undefined) throw notACursor(field)
  return position
}

export function notACursor(field: string): Failure {
  return new Failure('BAD_USER_INPUT', `${field} is not a cursor of this list.`, { details: { field } })
}
