/** The fields of `Query` that are part of GraphQL's own surface and not operations of the service. */
import { type GraphQLFieldMap, type GraphQLSchema, isObjectType } from 'graphql'
import * as v from 'valibot'
import type { ActorRow } from '../../../spec/core/actor.ts'
import { Failure } from '../../../spec/core/failure.ts'
import { anyId, toDateTime } from '../../../spec/core/types.ts'
import type { Executor } from '../../operations/execute.ts'
import type { GraphqlObject } from '../../operations/objectType.ts'
import { actorOf } from '../../operations/operators/actorRecord.ts'
import type { GraphqlContext } from '../contextValue.ts'
import type { Objects } from './objects.ts'

type Arguments = Readonly<Record<string, unknown>>

/** The number of IDs that one `nodes` may name. */
export const nodesMax = 100

export const ownFieldsText = `  """Any object by its ID. Null if it does not exist."""
  node(id: ID!): Node

  """Objects by their IDs, at most ${nodesMax}, in the order of the IDs. Null for each that does not exist."""
  nodes(ids: [ID!]!): [Node]!

  """The cost of this request, and the points that are left."""
  rateLimit: RateLimit!`

export const ownTypes: Readonly<Record<string, string>> = {
  Node: `"""An object with an ID."""
interface Node {
  id: ID!
}`,
  RateLimit: `"""The cost of a request, and the points of the caller that are left."""
type RateLimit {
  """The cost units of this request: at least the number of objects in its answer."""
  cost: Int!
  """The points of this request: one for every 100 cost units or part of them."""
  points: Int!
  """The number of points in each window of 5 minutes."""
  limit: Int!
  """The number of points that are left in this window."""
  remaining: Int!
  """The end of the window."""
  resetAt: DateTime!
}`,
}

const node = { name: 'node', access: 'people', input: v.object({ id: anyId }) } as const
const nodes = {
  name: 'nodes',
  access: 'people',
  input: v.object({ ids: v.pipe(v.array(anyId), v.maxLength(nodesMax, `must have at most ${nodesMax} IDs`)) }),
} as const
const rateLimit = { name: 'rateLimit', access: 'people', input: undefined } as const

export function attachOwnFields(schema: GraphQLSchema, objects: Objects, executor: Executor): void {
  const type = schema.getQueryType()
  const fields: GraphQLFieldMap<unknown, GraphqlContext> = isObjectType(type) ? type.getFields() : {}
  const shown = (row: ActorRow | undefined, { request }: GraphqlContext): GraphqlObject | null =>
    row === undefined ? null : (objects.ofKind(row, request) ?? { __typename: 'Actor', ...actorOf(row) })
  if (fields.node)
    fields.node.resolve = async (_root, args: Arguments, context) => {
      const { id } = executor.accept(node, args, context.request) as v.InferOutput<typeof node.input>
      return shown(await context.loaders.row(id), context)
    }
  if (fields.nodes)
    fields.nodes.resolve = async (_root, args: Arguments, context) => {
      const { ids } = executor.accept(nodes, args, context.request) as v.InferOutput<typeof nodes.input>
      const rows = await Promise.all(ids.map((id) => context.loaders.row(id)))
      return rows.map((row) => shown(row, context))
    }
  if (fields.rateLimit)
    fields.rateLimit.resolve = (_root, args: Arguments, { request, charge }) => {
      executor.accept(rateLimit, args, request)
      if (charge === undefined) throw new Failure('INTERNAL', 'The request was not charged.')
      const { limit, remaining, resetMs } = charge.budget
      return {
        cost: charge.units,
        points: charge.points,
        limit,
        remaining,
        resetAt: toDateTime(request.now + resetMs),
      }
    }
}
