/**
 * Reads the sizes of the lists that a request will return, so that its cost is known before it is executed. A size is used for all
 * requests of the same second: a price may be that old.
 */
import { type FieldNode, type GraphQLSchema, getArgumentValues, getVariableValues } from 'graphql'
import { LRUCache } from 'lru-cache'
import { verdict } from '../../../spec/core/principal.ts'
import { parseInput } from '../../operations/core/parseInput.ts'
import type { ListCounts, Mutation, Operation, Query } from '../../operations/handler.ts'
import type { MaybePromise, RequestContext } from '../../operations/requestContext.ts'
import type { Prepared } from '../pipeline/prepared.ts'
import type { Parameters } from '../schema/parameters.ts'
import type { RequestListCounts } from './cost.ts'

type Counted = Query | Mutation
type VariableValues = NonNullable<ReturnType<typeof getVariableValues>['variableValues']>

const keptMs = 1_000
const knownCounts = 1_000

export class ListCounter {
  readonly #schema: GraphQLSchema
  /** By the kind of operation and its name. */
  readonly #counted: ReadonlyMap<string, Counted>
  readonly #known = new LRUCache<string, Promise<ListCounts>>({ max: knownCounts, ttl: keptMs })

  constructor(schema: GraphQLSchema, operations: readonly Operation[]) {
    this.#schema = schema
    this.#counted = new Map(
      operations.flatMap((one) =>
        (one.kind === 'query' || one.kind === 'mutation') && one.listCounts !== undefined
          ? [[`${one.kind} ${one.name}`, one] as const]
          : [],
      ),
    )
  }

  /** @returns undefined if no list of the request is counted */
  count(
    prepared: Prepared,
    { variables }: Parameters,
    request: RequestContext,
  ): MaybePromise<RequestListCounts | undefined> {
    const counted = prepared.rootFields.flatMap((node) => {
      const operation = this.#counted.get(`${prepared.operation.operation} ${node.name.value}`)
      return operation === undefined ? [] : [{ node, operation }]
    })
    return counted.length === 0 ? undefined : this.#read(counted, prepared, variables ?? {}, request)
  }

  async #read(
    counted: readonly { readonly node: FieldNode; readonly operation: Counted }[],
    { operation: document }: Prepared,
    given: Readonly<Record<string, unknown>>,
    request: RequestContext,
  ): Promise<RequestListCounts> {
    const { variableValues } = getVariableValues(this.#schema, document.variableDefinitions ?? [], given)
    const counts = new Map<FieldNode, ListCounts>()
    if (variableValues === undefined) return counts
    await Promise.all(
      counted.map(async ({ node, operation }) => {
        const found = await this.#countsOf(node, operation, variableValues, request)
        if (found !== undefined) counts.set(node, found)
      }),
    )
    return counts
  }

  /** @returns undefined if the request will be refused: its execution returns the reason */
  #countsOf(
    node: FieldNode,
    operation: Counted,
    variables: VariableValues,
    request: RequestContext,
  ): MaybePromise<ListCounts | undefined> {
    const isMutation = operation.kind === 'mutation'
    const root = isMutation ? this.#schema.getMutationType() : this.#schema.getQueryType()
    const field = root?.getFields()[node.name.value]
    if (!operation.listCounts || !field || verdict(operation.access, request.principal.kind) !== 'allowed')
      return undefined
    let input: unknown
    try {
      const args = getArgumentValues(field, node, variables)
      input = parseInput(operation.input, isMutation && operation.flatArguments !== true ? args.input : args)
    } catch {
      return undefined
    }
    const key = `${operation.name} ${JSON.stringify(input)}`
    const known = this.#known.get(key)
    if (known !== undefined) return known
    const counts = operation.listCounts(input as never, request)
    if (!(counts instanceof Promise)) return counts
    this.#known.set(key, counts)
    counts.catch(() => this.#known.delete(key))
    return counts
  }
}
