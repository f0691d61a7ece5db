/**
 * A faster way to execute queries: a document that arrives again is compiled to functions that write its response as JSON, without
 * result objects, paths or field infos. It covers queries without errors. graphql-js executes all others from the beginning, which is
 * safe, since a query has no effects. `test/gateway/graphql/compareCompiled.ts` compares both responses byte by byte.
 */
import {
  type DocumentNode,
  type FragmentDefinitionNode,
  type GraphQLSchema,
  getVariableValues,
  Kind,
  OperationTypeNode,
  visit,
} from 'graphql'
import { LRUCache } from 'lru-cache'
import { objectWriter } from './compiled/objects.ts'
import { collectFields } from './compiled/selections.ts'
import { notCompiled, type Variables, type Writer, type Written } from './compiled/writer.ts'
import type { GraphqlContext } from './contextValue.ts'
import type { ValidOperation } from './pipeline/prepared.ts'

type Operation = ValidOperation['operation']
type Given = Readonly<Record<string, unknown>> | undefined

interface Compiled {
  /** The variables of `@skip` and `@include`. */
  readonly conditions: readonly string[]
  readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>
  /** Plans by the values of the conditions. */
  readonly plans: Map<string, Writer>
  /** The size of all plans. */
  readonly size: { fields: number }
}

/** The maximum number of conditions. Each one doubles the number of plans that one document may need. */
const mostConditions = 4
/** The maximum number of fields of all cached plans. Each field has some functions. */
const keptFields = 200_000

const noVariables: Variables = { sources: {}, coerced: {} }

export class Compiler {
  readonly #schema: GraphQLSchema
  readonly #compiled = new LRUCache<Operation, Compiled>({ maxSize: keptFields })
  readonly #met = new WeakMap<Operation, 'once' | 'outside'>()

  constructor(schema: GraphQLSchema) {
    this.#schema = schema
  }

  /**
   * Returns the response as JSON, `{"data":…}`. If the result is `undefined`, or it throws or rejects, graphql-js must execute the
   * query. A document is compiled when it arrives for the second time, because many arrive only once.
   */
  answer(prepared: ValidOperation, given: Given, context: GraphqlContext): Written | undefined {
    const compiled = this.#compiled.get(prepared.operation) ?? this.#begin(prepared)
    if (compiled === undefined) return undefined
    const variables = this.#variables(prepared, given)
    const write = variables && this.#plan(prepared, compiled, variables)
    if (variables === undefined || write === undefined) return undefined
    const data = write(undefined, { context, variables })
    return typeof data === 'string' ? `{"data":${data}}` : data.then((text) => `{"data":${text}}`)
  }

  #begin({ document, operation }: ValidOperation): Compiled | undefined {
    const met = this.#met.get(operation)
    if (met === 'outside') return undefined
    if (met === undefined) {
      const covered = operation.operation === OperationTypeNode.QUERY && (operation.directives?.length ?? 0) === 0
      this.#met.set(operation, covered ? 'once' : 'outside')
      return undefined
    }
    const conditions = conditionsOf(document)
    if (conditions.length <= mostConditions)
      return { conditions, fragments: fragmentsOf(document), plans: new Map(), size: { fields: 1 } }
    this.#met.set(operation, 'outside')
    return undefined
  }

  #variables({ operation }: ValidOperation, given: Given): Variables | undefined {
    const definitions = operation.variableDefinitions ?? []
    if (definitions.length === 0) return noVariables
    return getVariableValues(this.#schema, definitions, given ?? {}).variableValues
  }

  #plan({ operation }: ValidOperation, compiled: Compiled, { coerced }: Variables): Writer | undefined {
    const { conditions, fragments, plans, size } = compiled
    const values = conditions.map((name) => coerced[name])
    const key = values.join()
    const known = plans.get(key)
    if (known) return known
    const root = this.#schema.getQueryType()
    if (!root || !values.every((value) => typeof value === 'boolean')) return undefined
    const decided = new Map(conditions.map((name, at) => [name, values[at] === true]))
    const document = { schema: this.#schema, fragments, conditions: decided, size }
    try {
      const plan = objectWriter(root, collectFields([operation.selectionSet], root, document), document, true)
      plans.set(key, plan)
      this.#compiled.set(operation, compiled, { size: size.fields })
      return plan
    } catch (error) {
      if (error !== notCompiled) throw error
      this.#compiled.delete(operation)
      this.#met.set(operation, 'outside')
      return undefined
    }
  }
}

function fragmentsOf({ definitions }: DocumentNode): ReadonlyMap<string, FragmentDefinitionNode> {
  return new Map(
    definitions.flatMap((one) => (one.kind === Kind.FRAGMENT_DEFINITION ? [[one.name.value, one] as const] : [])),
  )
}

function conditionsOf(document: DocumentNode): readonly string[] {
  const names = new Set<string>()
  visit(document, {
    Directive: ({ arguments: given = [] }) => {
      for (const { value } of given) if (value.kind === Kind.VARIABLE) names.add(value.name.value)
    },
  })
  return [...names]
}
