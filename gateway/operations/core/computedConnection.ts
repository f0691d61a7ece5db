import { connectionOf, nestedPageArguments } from '../../../spec/core/connections.ts'
import type { Schema } from '../../../spec/core/types.ts'
import type { Made, Relation, RelationContext } from '../objectType.ts'
import { directionOf, type PageArguments, pageOf } from './connections.ts'

interface ComputedConnection<T> {
  readonly description: string
  /** The position of an item, unique in its list: letters, digits and underscores. */
  positionOf(item: T): string
  /** All items of each parent, in the order of the parents. */
  load(parents: readonly Made[], context: RelationContext): Promise<readonly (readonly T[])[]>
}

/** A connection inside an object whose nodes are not actors but parts of a list that is read whole. */
export function computedConnection<T>(
  typeName: string,
  node: Schema,
  { description, positionOf, load }: ComputedConnection<T>,
) {
  return {
    type: 'derived',
    output: connectionOf(typeName, node),
    arguments: nestedPageArguments,
    nullable: false,
    description,
    load: async (parents: readonly Made[], context: RelationContext, args: PageArguments) => {
      const direction = directionOf(args)
      const lists = await load(parents, context)
      return lists.map((items) => {
        const last =
          direction.after === undefined ? -1 : items.findIndex((item) => positionOf(item) === direction.after)
        const rest = items.slice(last + 1, last + 2 + direction.limit)
        return pageOf(rest, direction, positionOf, (item) => item, items.length)
      })
    },
  } as const satisfies Relation & { readonly description: string; readonly nullable: boolean }
}
