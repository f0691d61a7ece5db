import * as v from 'valibot'
import { type ObjectType, type Query, query } from './operation.ts'
import type { ToolFacts } from './tools/tool.ts'
import { idOf } from './types.ts'

/** The query of one object by its ID, named as its kind; null where there is none. */
export function oneById(
  { kind, schema, fromRow }: Pick<ObjectType, 'kind' | 'schema' | 'fromRow'>,
  tool?: ToolFacts,
): Query {
  return query({
    name: kind,
    description: `One ${kind}, by its ID.`,
    access: 'people',
    ...(tool && { tool }),
    input: v.object({ id: idOf(kind) }),
    output: v.nullable(schema),
    read: async ({ id }, context) => {
      const row = await context.views.get(id)
      return row === undefined ? null : fromRow(row, context)
    },
  })
}
