import * as v from 'valibot'
import type { Schema } from '../../../spec/core/types.ts'
import type { Query } from '../handler.ts'
import type { Additions, GraphqlObject } from '../objectType.ts'
import type { RequestContext } from '../requestContext.ts'

interface SchemaParts {
  readonly type: string
  readonly wrapped?: Schema
  readonly entries?: Readonly<Record<string, Schema>>
  readonly item?: Schema
}
const readParts = (schema: Schema): SchemaParts => schema as unknown as SchemaParts

/**
 * Adapts the answer of a query for a tool. Its objects contain their `additions`, which GraphQL loads as fields. A page has `nodes`
 * without `edges`, so that it contains each object once.
 */
export function adaptAnswer(query: Query): Query {
  const { output, read, additions } = query
  const nullable = readParts(output).type === 'nullable'
  const bare = nullable ? (readParts(output).wrapped as Schema) : output
  const { edges, nodes, ...rest } = readParts(bare).entries ?? {}
  const isPage = edges !== undefined && nodes !== undefined
  if (!isPage && additions === undefined) return query
  const item = isPage ? (readParts(nodes).item as Schema) : bare
  const object = additions === undefined ? item : withFields(item, additions)
  const shaped = isPage ? withDescription(v.object({ nodes: v.array(object), ...rest }), bare) : object
  return Object.freeze({
    ...query,
    output: nullable ? v.nullable(shaped) : shaped,
    read: async (input: Parameters<typeof read>[0], context: RequestContext) => {
      const answer = (await read(input, context)) as GraphqlObject | null
      if (answer === null) return null
      if (!isPage) return (await addFields([answer], additions, context))[0]
      const { edges: _, nodes: found, ...page } = answer
      return { nodes: await addFields(found as readonly GraphqlObject[], additions, context), ...page }
    },
  })
}

function withFields(schema: Schema, additions: Additions): Schema {
  const more = Object.entries(additions).map(([name, { output, nullable, description }]) => [
    name,
    v.pipe(nullable ? v.nullable(output) : output, v.description(description)),
  ])
  return withDescription(v.object({ ...readParts(schema).entries, ...Object.fromEntries(more) }), schema)
}

function withDescription(schema: Schema, original: Schema): Schema {
  const description = v.getDescription(original)
  return description === undefined ? schema : v.pipe(schema, v.description(description))
}

async function addFields(
  parents: readonly GraphqlObject[],
  additions: Additions | undefined,
  context: RequestContext,
): Promise<readonly GraphqlObject[]> {
  const fields = await Promise.all(
    Object.entries(additions ?? {}).map(async ([name, { load }]) => [name, await load(parents, context, {})] as const),
  )
  return parents.map((parent, index) => ({
    ...parent,
    ...Object.fromEntries(fields.map(([name, values]) => [name, values[index]])),
  }))
}
