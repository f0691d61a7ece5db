/** Builds a plain graphql-js schema from the printed text and attaches resolvers by name. */
import {
  buildSchema,
  type GraphQLFieldMap,
  type GraphQLSchema,
  isInterfaceType,
  isObjectType,
  isUnionType,
} from 'graphql'
import { countRows } from '../../operations/core/connections.ts'
import type { Executor } from '../../operations/execute.ts'
import type { Operation } from '../../operations/handler.ts'
import type { GraphqlContext } from '../contextValue.ts'
import { Objects } from './objects.ts'
import { attachOwnFields } from './ownFields.ts'
import { type Catalog, printCatalog } from './print.ts'
import { rootTypeOf, takesOneInput } from './rootType.ts'

type Fields = GraphQLFieldMap<unknown, GraphqlContext>
type Arguments = Readonly<Record<string, unknown>>

export function buildCatalogSchema(catalog: Catalog, executor: Executor): GraphQLSchema {
  // The text is the same at each start, and a test validates it.
  const schema = buildSchema(printCatalog(catalog), { assumeValidSDL: true })
  const objects = new Objects(catalog.objectTypes)
  attachOperations(schema, catalog, executor)
  attachOwnFields(schema, objects, executor)
  attachRelations(schema, catalog, objects)
  attachTotalCounts(schema)
  resolveChoices(schema)
  return schema
}

function attachOperations(schema: GraphQLSchema, { operations }: Catalog, executor: Executor): void {
  const queries: Fields = schema.getQueryType()?.getFields() ?? {}
  const mutations: Fields = schema.getMutationType()?.getFields() ?? {}
  for (const operation of operations) {
    if (operation.kind === 'subscription') continue
    const field = (rootTypeOf(operation) === 'query' ? queries : mutations)[operation.name]
    if (field)
      field.resolve = (_root, args, { request }) => executor.execute(operation, inputOf(operation, args), request)
  }
}

/** Returns an operation's input from GraphQL's arguments. */
export function inputOf(operation: Operation, args: Arguments): unknown {
  return takesOneInput(operation) ? (args.input ?? {}) : args
}

function attachRelations(schema: GraphQLSchema, catalog: Catalog, objects: Objects): void {
  for (const object of catalog.objectTypes) {
    const type = schema.getType(object.name)
    if (!isObjectType(type)) continue
    const fields: Fields = type.getFields()
    for (const [name, relation] of Object.entries(object.relations)) {
      const field = fields[name]
      if (field)
        field.resolve = (parent, args: Arguments, context) =>
          objects.related(relation, parent as Record<string, unknown>, args, context)
    }
  }
}

/** Lists are counted only if a request selects `totalCount`. */
function attachTotalCounts(schema: GraphQLSchema): void {
  for (const type of Object.values(schema.getTypeMap())) {
    const totalCount = isObjectType(type) ? type.getFields().totalCount : undefined
    if (totalCount) totalCount.resolve = (page) => countRows((page as { readonly totalCount: unknown }).totalCount)
  }
}

/** Resolves interfaces and unions by the `__typename` of the object. */
function resolveChoices(schema: GraphQLSchema): void {
  for (const type of Object.values(schema.getTypeMap())) {
    if (isInterfaceType(type) || isUnionType(type))
      type.resolveType = (value) => (value as { readonly __typename?: string }).__typename
  }
}
