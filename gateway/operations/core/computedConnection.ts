import { createHash } from 'node:crypto'
import { connectionOf, nestedPageArguments } from '../../../spec/core/connections.ts'
import type { Schema } from '../../../spec/core/types.ts'
import type { GraphqlObject, Relation, RelationContext } from '../objectType.ts'
import { directionOf, type Page, type PageArguments, pageOf } from './connections.ts'

interface ComputedConnection<T> {
  readonly description: string
  /** The position of an item, unique in its list: letters, digits and underscores. */
  positionOf(item: T): string
  /** All items of each parent, in the order of the parents. */
  load(parents: readonly GraphqlObject[], context: RelationContext): Promise<readonly (readonly T[])[]>
}

/** A connection inside an object whose nodes are not actors but parts of a list that is read whole. */
export function computedConnection<T>(
  typeName: string,
  node: Schema,
  { description, positionOf, load }: ComputedConnection<T>,
) {
  return connectionRelation(typeName, node, description, async (parents, context, args) => {
    const lists = await load(parents, context)
    return lists.map((items) => pageOfList(items, args, positionOf))
  })
}

/** A list whose items are read by their numbers, from 0. */
export interface NumberedList<T> {
  readonly length: number
  /** The items from `from` up to and without `to`. */
  read(from: number, to: number): Promise<readonly T[]>
}

/** A connection inside an object whose nodes are numbered parts of a list that is too long to be read whole. */
export function numberedConnection<T extends { readonly number: number }>(
  typeName: string,
  node: Schema,
  { description, listOf }: { readonly description: string; listOf(parent: GraphqlObject): NumberedList<T> },
) {
  return connectionRelation(typeName, node, description, (parents, _, args) =>
    Promise.all(parents.map((parent) => pageOfNumbered(listOf(parent), args))),
  )
}

function connectionRelation<T>(
  typeName: string,
  node: Schema,
  description: string,
  load: (
    parents: readonly GraphqlObject[],
    context: RelationContext,
    args: PageArguments,
  ) => Promise<readonly Page<T>[]>,
) {
  return {
    type: 'derived',
    output: connectionOf(typeName, node),
    arguments: nestedPageArguments,
    nullable: false,
    description,
    load,
  } as const satisfies Relation & { readonly description: string; readonly nullable: boolean }
}

/** The list goes forward only. A cursor of another list begins at the start, as in `pageOfList`. */
async function pageOfNumbered<T extends { readonly number: number }>(
  list: NumberedList<T>,
  page: PageArguments,
): Promise<Page<T>> {
  const direction = directionOf(page)
  const last = Number(direction.after ?? -1)
  const from = Number.isInteger(last) && last >= 0 && last < list.length ? last + 1 : 0
  const read = await list.read(from, Math.min(list.length, from + direction.limit + 1))
  return pageOf(
    read,
    direction,
    ({ number }) => String(number),
    (item) => item,
    list.length,
  )
}

/** A position for a text of any length and any characters, such as a name. */
export function positionOfText(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 24)
}

/**
 * A page of a list that is in memory. The list goes forward only.
 * @param positionOf the position of an item, unique in the list: letters, digits and underscores
 */
export function pageOfList<T>(items: readonly T[], page: PageArguments, positionOf: (item: T) => string): Page<T> {
  const direction = directionOf(page)
  const last = direction.after === undefined ? -1 : items.findIndex((item) => positionOf(item) === direction.after)
  const rest = items.slice(last + 1, last + 2 + direction.limit)
  return pageOf(rest, direction, positionOf, (item) => item, items.length)
}
