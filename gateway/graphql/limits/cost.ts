/**
 * The maximum cost of a request, computed before it is executed: at least the number of objects in its answer. An object costs 1
 * and a leaf nothing. A connection weighs its `first`. A plain list weighs the items that it has now (`ListCounts`), or the most
 * that it ever has (`ListBounds`). Depth is counted on the same walk. Fragments are counted once and multiplied, so that a small
 * text that spreads one fragment many times costs no time to refuse.
 */
import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type FragmentSpreadNode,
  type GraphQLCompositeType,
  type GraphQLField,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  type InlineFragmentNode,
  isCompositeType,
  isInterfaceType,
  isListType,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  type SelectionNode,
  type SelectionSetNode,
} from 'graphql'
import { defaultPageSize } from '../../../spec/core/connections.ts'
import type { ListCounts, Operation } from '../../operations/handler.ts'
import { rootTypeOf } from '../schema/rootType.ts'
import type { ListBounds } from './listBounds.ts'

export interface Cost {
  readonly units: number
  readonly depth: number
}

/** The sizes of the lists of one request, by its root fields. */
export type RequestListCounts = ReadonlyMap<FieldNode, ListCounts>

export interface ExpensiveField {
  /** As in the answer: `agents.codebases`. */
  readonly path: string
  readonly hasFirst: boolean
}

/** The size of a list without a known size. The schema has no such list. */
const unknownSize = 1_000

/** Introspection is bounded by a rule of graphql-js's own; it costs as much as a long list. */
const introspectionUnits = 1_000

type Variables = Readonly<Record<string, unknown>> | null | undefined

export class CostMeter {
  readonly #schema: GraphQLSchema
  readonly #own: ReadonlyMap<string, number>
  readonly #bounds: ListBounds

  constructor(schema: GraphQLSchema, operations: readonly Operation[], bounds: ListBounds) {
    this.#schema = schema
    this.#bounds = bounds
    this.#own = new Map(
      operations.map((operation) => [
        `${rootTypeOf(operation)} ${operation.name}`,
        operation.kind === 'query' ? (operation.cost ?? 0) : 0,
      ]),
    )
  }

  of(document: DocumentNode, operation: OperationDefinitionNode): OperationCost {
    return new OperationCost({ schema: this.#schema, own: this.#own, bounds: this.#bounds }, document, operation)
  }
}

/** The cost of one operation. It may depend on its variables and on the sizes of its lists. */
export class OperationCost {
  readonly #facts: Facts
  readonly #document: DocumentNode
  readonly #operation: OperationDefinitionNode
  /** A cost that depends on no variable, after its first measurement. */
  #fixed: Cost | undefined

  constructor(facts: Facts, document: DocumentNode, operation: OperationDefinitionNode) {
    this.#facts = facts
    this.#document = document
    this.#operation = operation
  }

  measure(variables: Variables, counts: RequestListCounts | undefined): Cost {
    if (counts === undefined && this.#fixed) return this.#fixed
    const walk = this.#walk(variables, counts)
    const root = this.#facts.schema.getRootType(this.#operation.operation)
    const cost = root ? walk.selections(this.#operation.selectionSet, root) : noCost
    if (!walk.usedVariables && counts === undefined) this.#fixed = cost
    return cost
  }

  /** The list that makes a request expensive; undefined if it has none. */
  mostExpensive(variables: Variables, counts: RequestListCounts | undefined): ExpensiveField | undefined {
    const root = this.#facts.schema.getRootType(this.#operation.operation)
    return root ? this.#walk(variables, counts).mostExpensive(this.#operation.selectionSet, root) : undefined
  }

  #walk(variables: Variables, counts: RequestListCounts | undefined): Walk {
    return new Walk({ ...this.#facts, counts }, this.#document, this.#operation, variables)
  }
}

interface Facts {
  readonly schema: GraphQLSchema
  /** Of operations, beside their selections. */
  readonly own: ReadonlyMap<string, number>
  readonly bounds: ListBounds
}

interface RequestFacts extends Facts {
  readonly counts: RequestListCounts | undefined
}

/** The facts about a field that the weight of the fields below it depends on. */
interface Scope {
  /** The `first` of the field, which a list directly below weighs. */
  readonly pageSize: number | undefined
  /** The sizes of the lists below. */
  readonly counts: ListCounts | undefined
}

interface WeighedField {
  readonly type: GraphQLCompositeType
  readonly selections: SelectionSetNode
  /** The number of objects that the field has at most, in each parent. */
  readonly weight: number
  /** Whether the caller can make it smaller: it has a `first`, or it is a list of its own. */
  readonly isList: boolean
  readonly hasFirst: boolean
  readonly scope: Scope
}

const noCost: Cost = { units: 0, depth: 0 }

class Walk {
  usedVariables = false
  readonly #facts: RequestFacts
  readonly #operation: OperationDefinitionNode
  readonly #variables: Variables
  readonly #fragments = new Map<string, FragmentDefinitionNode>()
  readonly #measured = new Map<string, Cost>()
  readonly #countIds = new Map<ListCounts, number>()

  constructor(facts: RequestFacts, document: DocumentNode, operation: OperationDefinitionNode, variables: Variables) {
    this.#facts = facts
    this.#operation = operation
    this.#variables = variables
    for (const definition of document.definitions)
      if (definition.kind === Kind.FRAGMENT_DEFINITION) this.#fragments.set(definition.name.value, definition)
  }

  /** @param scope undefined for the root */
  selections(set: SelectionSetNode, parent: GraphQLCompositeType, scope?: Scope): Cost {
    let units = 0
    let depth = 0
    for (const selection of set.selections) {
      const cost = this.#selection(selection, parent, scope)
      units += cost.units
      depth = Math.max(depth, cost.depth)
    }
    return { units, depth }
  }

  /** The deepest list on the way down through the most expensive fields. */
  mostExpensive(
    set: SelectionSetNode,
    parent: GraphQLCompositeType,
    scope?: Scope,
    path: readonly string[] = [],
  ): ExpensiveField | undefined {
    const costs = set.selections.map((selection) => this.#selection(selection, parent, scope).units)
    const selection = set.selections[costs.indexOf(Math.max(...costs))]
    if (selection === undefined) return undefined
    if (selection.kind !== Kind.FIELD) {
      const [type, below] = this.#fragment(selection, parent)
      return below && this.mostExpensive(below, type, scope, path)
    }
    const field = this.#weigh(selection, parent, scope)
    if (field === undefined) return undefined
    const here = [...path, selection.alias?.value ?? selection.name.value]
    const below = this.mostExpensive(field.selections, field.type, field.scope, here)
    return below ?? (field.isList ? { path: here.join('.'), hasFirst: field.hasFirst } : undefined)
  }

  #selection(selection: SelectionNode, parent: GraphQLCompositeType, scope: Scope | undefined): Cost {
    if (selection.kind === Kind.FIELD) return this.#field(selection, parent, scope)
    const [type, set] = this.#fragment(selection, parent)
    if (set === undefined) return noCost
    if (selection.kind === Kind.INLINE_FRAGMENT) return this.selections(set, type, scope)
    const key = this.#keyOf(selection.name.value, scope)
    const known = this.#measured.get(key)
    if (known) return known
    const cost = this.selections(set, type, scope)
    this.#measured.set(key, cost)
    return cost
  }

  #fragment(
    selection: FragmentSpreadNode | InlineFragmentNode,
    parent: GraphQLCompositeType,
  ): readonly [GraphQLCompositeType, SelectionSetNode | undefined] {
    const fragment = selection.kind === Kind.INLINE_FRAGMENT ? selection : this.#fragments.get(selection.name.value)
    const type = this.#facts.schema.getType(fragment?.typeCondition?.name.value ?? '')
    return [isCompositeType(type) ? type : parent, fragment?.selectionSet]
  }

  #keyOf(fragment: string, scope: Scope | undefined): string {
    if (scope === undefined) return fragment
    const { counts, pageSize } = scope
    const countsId = counts && (this.#countIds.get(counts) ?? this.#countIds.size)
    if (counts && countsId !== undefined) this.#countIds.set(counts, countsId)
    return `${fragment} ${pageSize} ${countsId}`
  }

  #field(node: FieldNode, parent: GraphQLCompositeType, scope: Scope | undefined): Cost {
    const name = node.name.value
    if (name.startsWith('__')) return { units: name === '__typename' ? 0 : introspectionUnits, depth: 1 }
    const isRoot = scope === undefined
    const own = isRoot ? (this.#facts.own.get(`${this.#operation.operation} ${name}`) ?? 0) : 0
    const field = this.#weigh(node, parent, scope)
    if (field === undefined) return { units: isRoot ? own || 1 : 0, depth: 1 }
    const inner = this.selections(field.selections, field.type, field.scope)
    return { units: own + field.weight * (1 + inner.units), depth: inner.depth + 1 }
  }

  /** @returns undefined for a leaf, and for a field that does not exist */
  #weigh(node: FieldNode, parent: GraphQLCompositeType, scope: Scope | undefined): WeighedField | undefined {
    const name = node.name.value
    const field = isObjectType(parent) || isInterfaceType(parent) ? parent.getFields()[name] : undefined
    const type = field && getNamedType(field.type)
    if (!field || !isCompositeType(type) || !node.selectionSet) return undefined
    const first = this.#first(node, field)
    const counts = scope === undefined ? this.#facts.counts?.get(node) : scope.counts?.lists?.[name]
    const isPlainList = isListType(getNullableType(field.type))
    const own = isPlainList
      ? (this.#itemsOf(counts, scope) ??
        this.#namedIds(node) ??
        first ??
        this.#facts.bounds.get(`${parent.name}.${name}`))
      : undefined
    const weight = isPlainList ? Math.min(own ?? Infinity, scope?.pageSize ?? Infinity) : 1
    return {
      type,
      selections: node.selectionSet,
      // A test makes sure that each list has a size.
      weight: Number.isFinite(weight) ? weight : unknownSize,
      isList: first !== undefined || (isPlainList && scope?.pageSize === undefined),
      hasFirst: first !== undefined,
      scope: { pageSize: isPlainList ? undefined : first, counts },
    }
  }

  /** The items of the list in each of its parents, rounded up. */
  #itemsOf(counts: ListCounts | undefined, scope: Scope | undefined): number | undefined {
    if (counts?.items === undefined) return undefined
    return Math.ceil(counts.items / Math.max(1, scope?.counts?.items ?? 1))
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

  /** The field's `first` or `last`; undefined if it has no such argument. */
  #first(node: FieldNode, field: GraphQLField<unknown, unknown>): number | undefined {
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
}
