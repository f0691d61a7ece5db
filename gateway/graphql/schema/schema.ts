/** A plain graphql-js schema from the printed text, with resolvers attached by name. */
import {
  buildSchema,
  type GraphQLFieldMap,
  type GraphQLSchema,
  isInterfaceType,
  isObjectType,
  isUnionType,
} from 'graphql'
import type { Logger } from 'pino'
import * as v from 'valibot'
import type { System } from '../../../actors/messages.ts'
import { anyId } from '../../../spec/core/types.ts'
import { authorize } from '../../auth/access.ts'
import { noteHandled } from '../../http/handled.ts'
import type { Mutation, Operation, Query } from '../../operations/handler.ts'
import { carryOut } from '../../operations/translate.ts'
import type { GraphqlContext } from '../contextValue.ts'
import { checkedInput } from '../input.ts'
import { Objects } from './objects.ts'
import { type Catalogue, printCatalogue } from './print.ts'

type Fields = GraphQLFieldMap<unknown, GraphqlContext>
type Arguments = Readonly<Record<string, unknown>>

export interface SchemaParts extends Catalogue {
  readonly system: System
  readonly log: Logger
}

export function buildCatalogueSchema(parts: SchemaParts): GraphQLSchema {
  const schema = buildSchema(printCatalogue(parts))
  const objects = new Objects(parts.objectTypes)
  attachOperations(schema, parts)
  attachNode(schema, parts, objects)
  attachRelations(schema, parts, objects)
  resolveChoices(schema)
  return schema
}

function attachOperations(schema: GraphQLSchema, parts: SchemaParts): void {
  const queries: Fields = schema.getQueryType()?.getFields() ?? {}
  const mutations: Fields = schema.getMutationType()?.getFields() ?? {}
  for (const operation of parts.operations) {
    if (operation.kind === 'query') {
      const field = queries[operation.name]
      if (field) field.resolve = (_root, args, context) => read(operation, args, context, parts)
    } else if (operation.kind === 'mutation') {
      const field = mutations[operation.name]
      if (field) field.resolve = (_root, args, context) => mutate(operation, args, context, parts)
    }
  }
}

function read(operation: Query, args: Arguments, { request }: GraphqlContext, { log }: SchemaParts): unknown {
  authorize(operation.name, operation.access, request.principal)
  const input = checkedInput(operation.input, args)
  noteHandled(log, operation.name, request)
  return operation.read(input as never, request)
}

function mutate(
  operation: Mutation,
  args: Arguments,
  { request }: GraphqlContext,
  { system, log }: SchemaParts,
): Promise<unknown> {
  authorize(operation.name, operation.access, request.principal)
  const input = checkedInput(operation.input, inputOf(operation, args))
  noteHandled(log, operation.name, request)
  return carryOut(operation, input, request, system)
}

/** Where an operation's input stands among GraphQL's arguments. */
export function inputOf(operation: Operation, args: Arguments): unknown {
  return operation.kind === 'mutation' && operation.flatArguments !== true ? (args.input ?? {}) : args
}

const nodeInput = v.object({ id: anyId })

function attachNode(schema: GraphQLSchema, { operations, log }: SchemaParts, objects: Objects): void {
  const field: Fields[string] | undefined = schema.getQueryType()?.getFields().node
  if (!field || operations.some((operation) => operation.name === 'node')) return
  field.resolve = async (_root, args: Arguments, { request, loaders }: GraphqlContext) => {
    authorize('node', 'people', request.principal)
    const { id } = checkedInput(nodeInput, args) as v.InferOutput<typeof nodeInput>
    noteHandled(log, 'node', request)
    const row = await loaders.row(id)
    return row ? objects.ofKind(row, request) : null
  }
}

function attachRelations(schema: GraphQLSchema, catalogue: Catalogue, objects: Objects): void {
  for (const object of catalogue.objectTypes) {
    const type = schema.getType(object.name)
    if (!isObjectType(type)) continue
    const fields: Fields = type.getFields()
    for (const [name, relation] of Object.entries(object.relations)) {
      const field = fields[name]
      if (field)
        field.resolve = (parent, _args, context) =>
          objects.related(relation, parent as Record<string, unknown>, context)
    }
  }
}

/** An object says by `__typename` which of an interface's or union's types it is. */
function resolveChoices(schema: GraphQLSchema): void {
  for (const type of Object.values(schema.getTypeMap())) {
    if (isInterfaceType(type) || isUnionType(type))
      type.resolveType = (value) => (value as { readonly __typename?: string }).__typename
  }
}
