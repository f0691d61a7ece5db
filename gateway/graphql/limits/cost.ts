/**
 * The maximum cost of a query, computed before it is executed: an object costs 1 and a leaf nothing. A connection weighs its
 * `first`. A plain list weighs the rows that it has (`RowCounts`), or the most that it ever has (`ListBounds`), or 100. Depth is
 * counted on the same walk. Fragments are counted once and multiplied, so that a small text that spreads one fragment many times
 * costs no time to refuse.
 */
import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLCompositeType,
  type GraphQLField,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isCompositeType,
  isInterfaceType,
  isListType,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from 'graphql'
import { defaultPageSize } from '../../../spec/core/connections.ts'
import type { Operation } from '../../operations/handler.ts'
import type { ListBounds } from './listBounds.ts'

/** Rows of the plain lists of one request, by their field nodes. */
export type RowCounts = ReadonlyMap<FieldNode, number>

export interface Cost {
  readonly units: number
  readonly depth: number
}

const plainList = 100
/** Introspection is bounded by a rule of graphql-js's own; it costs as much as a long list. */
const introspectionUnits = 1_000

type Variables = Readonly<Record<string, unknown>> | null | undefined

export class CostMeter {
  readonly #schema: GraphQLSchema
  readonly #own: ReadonlyMap<string, number>
  readonly #bounds: ListBounds
  /** Costs that depend on no variable, by document and operation. */
  readonly #fixed = new WeakMap<OperationDefinitionNode, Cost>()

  constructor(schema: GraphQLSchema, operations: readonly Operation[], bounds: ListBounds) {
    this.#schema = schema
    this.#bounds = bounds
    this.#own = new Map(
      operations.map((operation) => [
        `${operation.kind} ${operation.name}`,
        operation.kind === 'query' ? (operation.cost ?? 0) : 0,
      ]),
    )
  }

  measure(
    document: DocumentNode,
    operation: OperationDefinitionNode,
    variables: Variables,
    counts: RowCounts | undefined,
  ): Cost {
    const known = counts === undefined ? this.#fixed.get(operation) : undefined
    if (known) return known
    const facts = { schema: this.#schema, own: this.#own, bounds: this.#bounds, counts }
    const walk = new Walk(facts, document, operation, variables)
    const root = this.#schema.getRootType(operation.operation)
    const cost = root ? walk.selections(operation.selectionSet, root, undefined, true) : { units: 0, depth: 0 }
    if (!walk.usedVariables && counts === undefined) this.#fixed.set(operation, cost)
    return cost
  }
}

interface Facts {
  readonly schema: GraphQLSchema
  /** Of operations, beside their selections. */
  readonly own: ReadonlyMap<string, number>
  readonly bounds: ListBounds
  readonly counts: RowCounts | undefined
}

class Walk {
  usedVariables = false
  readonly #facts: Facts
  readonly #operation: OperationDefinitionNode
  readonly #variables: Variables
  readonly #fragments = new Map<string, FragmentDefinitionNode>()
  readonly #measured = new Map<string, Cost>()

  constructor(facts: Facts, document: DocumentNode, operation: OperationDefinitionNode, variables: Variables) {
    this.#facts = facts
    this.#operation = operation
    this.#variables = variables
    for (const definition of document.definitions)
      if (definition.kind === Kind.FRAGMENT_DEFINITION) this.#fragments.set(definition.name.value, definition)
  }

  /** @param pageSize the `first` of the field that the selections are of, which a list directly below weighs */
  selections(set: SelectionSetNode, parent: GraphQLCompositeType, pageSize: number | undefined, root = false): Cost {
    let units = 0
    let depth = 0
    for (const selection of set.selections) {
      const cost =
        selection.kind === Kind.FIELD
          ? this.#field(selection, parent, pageSize, root)
          : selection.kind === Kind.INLINE_FRAGMENT
            ? this.selections(
                selection.selectionSet,
                this.#condition(selection.typeCondition?.name.value, parent),
                pageSize,
                root,
              )
            : this.#spread(selection.name.value, parent, pageSize, root)
      units += cost.units
      depth = Math.max(depth, cost.depth)
    }
    return { units, depth }
  }

  #spread(name: string, parent: GraphQLCompositeType, pageSize: number | undefined, root: boolean): Cost {
    const key = `${name} ${pageSize} ${root}`
    const known = this.#measured.get(key)
    if (known) return known
    const fragment = this.#fragments.get(name)
    if (!fragment) return { units: 0, depth: 0 }
    const type = this.#condition(fragment.typeCondition.name.value, parent)
    const cost = this.selections(fragment.selectionSet, type, pageSize, root)
    this.#measured.set(key, cost)
    return cost
  }

  #field(node: FieldNode, parent: GraphQLCompositeType, pageSize: number | undefined, root: boolean): Cost {
    const name = node.name.value
    if (name.startsWith('__')) return { units: name === '__typename' ? 0 : introspectionUnits, depth: 1 }
    const field = isObjectType(parent) || isInterfaceType(parent) ? parent.getFields()[name] : undefined
    if (!field) return { units: 0, depth: 1 }
    const named = getNamedType(field.type)
    const own = root ? this.#facts.own.get(`${this.#operation.operation} ${name}`) : 0
    if (!isCompositeType(named) || !node.selectionSet) return { units: root ? own || 1 : 0, depth: 1 }
    const asked = this.#asked(node, field)
    const inner = this.selections(node.selectionSet, named, asked)
    const isList = isListType(getNullableType(field.type))
    const weight = isList
      ? (this.#namedIds(node) ?? this.#weight(node, `${parent.name}.${name}`, asked ?? pageSize))
      : 1
    return { units: (own ?? 0) + weight * (1 + inner.units), depth: inner.depth + 1 }
  }

  #weight(node: FieldNode, name: string, pageSize: number | undefined): number {
    const { counts, bounds } = this.#facts
    const rows = counts?.get(node)
    if (rows !== undefined) return rows
    const most = bounds.get(name)
    return Math.min(pageSize ?? most ?? plainList, most ?? Number.POSITIVE_INFINITY)
  }

  /** The number of objects of a list that are requested by their IDs. */
  #namedIds(node: FieldNode): number | undefined {
    const ids = node.arguments?.find(({ name }) => name.value === 'ids')?.value
    if (ids?.kind === Kind.LIST) return ids.values.length
    if (ids?.kind !== Kind.VARIABLE) return undefined
    this.usedVariables = true
    const value = this.#variables?.[ids.name.value]
    return Array.isArray(value) ? value.length : undefined
  }

  /** The field's `first` or `last`. */
  #asked(node: FieldNode, field: GraphQLField<unknown, unknown>): number | undefined {
    if (!field.args.some((arg) => arg.name === 'first' || arg.name === 'last')) return undefined
    for (const argument of node.arguments ?? []) {
      if (argument.name.value !== 'first' && argument.name.value !== 'last') continue
      if (argument.value.kind === Kind.INT) return Math.max(0, Number(argument.value.value))
      if (argument.value.kind === Kind.VARIABLE) {
        this.usedVariables = true
        const value = this.#variables?.[argument.value.name.value]
        if (typeof value === 'number') return Math.max(0, value)
      }
    }
    const [argument] = field.args.filter((arg) => arg.name === 'first' && arg.default?.literal?.kind === Kind.INT)
    const literal = argument?.default?.literal
    return literal?.kind === Kind.INT ? Number(literal.value) : defaultPageSize
  }

  #condition(name: string | undefined, parent: GraphQLCompositeType): GraphQLCompositeType {
    const type = name === undefined ? undefined : this.#facts.schema.getType(name)
    return isCompositeType(type) ? type : parent
  }
}
