/**
 * A faster way to answer queries: a document that comes again becomes functions that write its answer as JSON, with no result
 * object, path or field info in between. It covers queries without errors; whatever else there is, graphql-js answers from the
 * beginning, which a query, having no effects, allows. `test/gateway/graphql/compiled.test.ts` compares the two byte by byte.
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
import { outside, type Variables, type Writer, type Written } from './compiled/writer.ts'
import type { GraphqlContext } from './contextValue.ts'
import type { Prepared } from './prepare.ts'

type Operation = Prepared['operation']
type Given = Readonly<Record<string, unknown>> | undefined

interface Compiled {
  /** Variables of `@skip` and `@include`. */
  readonly conditions: readonly string[]
  readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>
  /** By the values of the conditions. */
  readonly plans: Map<string, Writer>
  /** Of all plans. */
  readonly size: { fields: number }
}

/** Each condition doubles the plans that one document may need. */
const mostConditions = 4
/** Fields of all plans that are kept; each has some functions. */
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
   * The answer as JSON, `{"data":…}`. `undefined`, thrown or rejected: it is for graphql-js to answer. A document is compiled
   * when it comes again: many never do.
   */
  answer(prepared: Prepared, given: Given, context: GraphqlContext): Written | undefined {
    const compiled = this.#compiled.get(prepared.operation) ?? this.#begin(prepared)
    if (compiled === undefined) return undefined
    const variables = this.#variables(prepared, given)
    const write = variables && this.#plan(prepared, compiled, variables)
    if (variables === undefined || write === undefined) return undefined
    const data = write(undefined, { context, variables })
    return typeof data === 'string' ? `{"data":${data}}` : data.then((text) => `{"data":${text}}`)
  }

  #begin({ document, operation }: Prepared): Compiled | undefined {
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

  #variables({ operation }: Prepared, given: Given): Variables | undefined {
    const definitions = operation.variableDefinitions ?? []
    if (definitions.length === 0) return noVariables
    return getVariableValues(this.#schema, definitions, given ?? {}).variableValues
  }

  #plan({ operation }: Prepared, compiled: Compiled, { coerced }: Variables): Writer | undefined {
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
      if (error !== outside) throw error
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
