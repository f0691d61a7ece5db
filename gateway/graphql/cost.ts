/**
 * What a query may cost, computed from its text and variables before anything is carried out: a list weighs its `first`
 * (a plain one 100), an object 1, a leaf nothing. Depth is counted on the same walk. Fragments are counted once and
 * multiplied, so that a small text that spreads one fragment many times costs no time to refuse.
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
import type { Operation } from '../../spec/operation.ts'

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
  /** Costs that depend on no variable, by document and operation. */
  readonly #fixed = new WeakMap<OperationDefinitionNode, Cost>()

  constructor(schema: GraphQLSchema, operations: readonly Operation[]) {
    this.#schema = schema
    this.#own = new Map(
      operations.map((operation) => [
        `${operation.kind} ${operation.name}`,
        operation.kind === 'query' ? (operation.cost ?? 1) : 1,
      ]),
    )
  }

  measure(document: DocumentNode, operation: OperationDefinitionNode, variables: Variables): Cost {
    const known = this.#fixed.get(operation)
    if (known) return known
    const walk = new Walk(this.#schema, document, operation, variables, this.#own)
    const root = this.#schema.getRootType(operation.operation)
    const cost = root ? walk.selections(operation.selectionSet, root, plainList, true) : { units: 0, depth: 0 }
    if (!walk.usedVariables) this.#fixed.set(operation, cost)
    return cost
  }
}

class Walk {
  usedVariables = false
  readonly #operation: OperationDefinitionNode
  readonly #variables: Variables
  readonly #own: ReadonlyMap<string, number>
  readonly #fragments = new Map<string, FragmentDefinitionNode>()
  readonly #measured = new Map<string, Cost>()
  readonly #schema: GraphQLSchema

  constructor(
    schema: GraphQLSchema,
    document: DocumentNode,
    operation: OperationDefinitionNode,
    variables: Variables,
    own: ReadonlyMap<string, number>,
  ) {
    this.#schema = schema
    this.#operation = operation
    this.#variables = variables
    this.#own = own
    for (const definition of document.definitions)
      if (definition.kind === Kind.FRAGMENT_DEFINITION) this.#fragments.set(definition.name.value, definition)
  }

  /** @param pageSize what a list directly below weighs: its connection's `first` */
  selections(set: SelectionSetNode, parent: GraphQLCompositeType, pageSize: number, root = false): Cost {
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

  #spread(name: string, parent: GraphQLCompositeType, pageSize: number, root: boolean): Cost {
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

  #field(node: FieldNode, parent: GraphQLCompositeType, pageSize: number, root: boolean): Cost {
    const name = node.name.value
    if (name.startsWith('__')) return { units: name === '__typename' ? 0 : introspectionUnits, depth: 1 }
    const field = isObjectType(parent) || isInterfaceType(parent) ? parent.getFields()[name] : undefined
    if (!field) return { units: 0, depth: 1 }
    const named = getNamedType(field.type)
    const own = root ? (this.#own.get(`${this.#operation.operation} ${name}`) ?? 1) : isCompositeType(named) ? 1 : 0
    if (!isCompositeType(named) || !node.selectionSet) return { units: root ? own : 0, depth: 1 }
    const asked = this.#asked(node, field)
    const isConnection = isObjectType(named) && named.getFields().pageInfo !== undefined
    const inner = this.selections(node.selectionSet, named, isConnection ? (asked ?? plainList) : plainList)
    const weight = isListType(getNullableType(field.type)) ? (asked ?? this.#named(node) ?? pageSize) : 1
    return { units: weight * (own + inner.units), depth: inner.depth + 1 }
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
    return literal?.kind === Kind.INT ? Number(literal.value) : plainList
  }

  /** How many objects the field's `ids` name: it gives no more. */
  #named({ arguments: given = [] }: FieldNode): number | undefined {
    const ids = given.find(({ name }) => name.value === 'ids')?.value
    if (ids?.kind === Kind.LIST) return ids.values.length
    if (ids?.kind !== Kind.VARIABLE) return undefined
    this.usedVariables = true
    const value = this.#variables?.[ids.name.value]
    return Array.isArray(value) ? value.length : undefined
  }

  #condition(name: string | undefined, parent: GraphQLCompositeType): GraphQLCompositeType {
    const type = name === undefined ? undefined : this.#schema.getType(name)
    return isCompositeType(type) ? type : parent
  }
}
