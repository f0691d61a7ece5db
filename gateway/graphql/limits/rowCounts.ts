/**
 * Counts the rows of the plain lists that a query asks for, so that its cost is known before it is executed. A count serves all who ask
 * within a second: a price may be that old.
 */
import { type FieldNode, type GraphQLSchema, getArgumentValues, getVariableValues } from 'graphql'
import { LRUCache } from 'lru-cache'
import { verdict } from '../../../spec/core/principal.ts'
import { parseInput } from '../../operations/core/parseInput.ts'
import type { Operation, Query } from '../../operations/handler.ts'
import type { MaybePromise, MessageContext } from '../../operations/requestContext.ts'
import type { Prepared } from '../prepare.ts'
import type { Parameters } from '../schema/parameters.ts'
import { rootFields } from '../schema/roots.ts'
import type { RowCounts } from './cost.ts'

const keptMs = 1_000
const knownCounts = 1_000

export class RowCounter {
  readonly #schema: GraphQLSchema
  readonly #counted: ReadonlyMap<string, Query>
  readonly #known = new LRUCache<string, Promise<number>>({ max: knownCounts, ttl: keptMs })

  constructor(schema: GraphQLSchema, operations: readonly Operation[]) {
    this.#schema = schema
    this.#counted = new Map(
      operations.flatMap((one) => (one.kind === 'query' && one.rows !== undefined ? [[one.name, one] as const] : [])),
    )
  }

  /** @returns undefined if no list of the query is counted */
  count(prepared: Prepared, { variables }: Parameters, request: MessageContext): MaybePromise<RowCounts | undefined> {
    if (prepared.operation.operation !== 'query') return undefined
    const nodes = rootFields(prepared).filter(({ name }) => this.#counted.has(name.value))
    return nodes.length === 0 ? undefined : this.#read(nodes, prepared, variables ?? {}, request)
  }

  async #read(
    nodes: readonly FieldNode[],
    { operation }: Prepared,
    given: Readonly<Record<string, unknown>>,
    request: MessageContext,
  ): Promise<RowCounts> {
    const { variableValues } = getVariableValues(this.#schema, operation.variableDefinitions ?? [], given)
    const counts = new Map<FieldNode, number>()
    if (variableValues === undefined) return counts
    await Promise.all(
      nodes.map(async (node) => {
        const rows = await this.#rows(node, variableValues, request)
        if (rows !== undefined) counts.set(node, rows)
      }),
    )
    return counts
  }

  /** @returns undefined if the query will be refused: its execution returns the reason */
  #rows(
    node: FieldNode,
    variables: NonNullable<ReturnType<typeof getVariableValues>['variableValues']>,
    request: MessageContext,
  ): MaybePromise<number | undefined> {
    const query = this.#counted.get(node.name.value)
    const field = this.#schema.getQueryType()?.getFields()[node.name.value]
    if (!query?.rows || !field || verdict(query.access, request.principal.kind) !== 'allowed') return undefined
    let input: unknown
    try {
      input = parseInput(query.input, getArgumentValues(field, node, variables))
    } catch {
      return undefined
    }
    const key = `${query.name} ${JSON.stringify(input)}`
    const known = this.#known.get(key)
    if (known !== undefined) return known
    const rows = query.rows(input as never, request)
    if (!(rows instanceof Promise)) return rows
    this.#known.set(key, rows)
    rows.catch(() => this.#known.delete(key))
    return rows
  }
}
