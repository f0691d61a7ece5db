/**
 * Bounds on a parsed GraphQL document, checked before its validation. graphql-js compares every field with every other of the same
 * response name, and every fragment with every other: the work of validation grows with the square of the document's size.
 * This check is linear in the size of the document and in the bounds.
 */
import {
  type ASTNode,
  type DefinitionNode,
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  Kind,
  type SelectionSetNode,
} from 'graphql'
import { Failure } from '../../../spec/core/failure.ts'
import type { Limits } from '../../limits/limits.ts'

type Bound =
  | 'operationTokens'
  | 'operationNesting'
  | 'operationDefinitions'
  | 'operationFragments'
  | 'operationAliases'
  | 'operationDirectives'
  | 'operationValues'
  | 'operationMergeSteps'

const names: Readonly<Record<Bound, string>> = {
  operationTokens: 'tokens',
  operationNesting: 'levels of nesting',
  operationDefinitions: 'operations',
  operationFragments: 'fragments',
  operationAliases: 'aliases',
  operationDirectives: 'directives',
  operationValues: 'values in lists and objects',
  operationMergeSteps: 'comparisons to merge its fields',
}

const remedies: Partial<Record<Bound, string>> = {
  operationValues: 'Pass them as variables.',
}

/** @param value undefined if counting ended at the limit */
export function boundExceeded(bound: Bound, limit: number, value?: number): Failure {
  const found = value === undefined ? `more than ${limit}` : String(value)
  const remedy = remedies[bound] ?? 'Send several smaller documents.'
  return new Failure(
    'COST_LIMIT_EXCEEDED',
    `The document has ${found} ${names[bound]}, and at most ${limit} are allowed (${bound}). ${remedy}`,
    { details: { bound, limit, ...(value === undefined ? {} : { value }) } },
  )
}

/** @throws Failure COST_LIMIT_EXCEEDED, which names the bound */
export function checkCounts(document: DocumentNode, limits: Limits): void {
  const counts = new Counts()
  for (const definition of document.definitions) counts.add(definition, 1)
  for (const [bound, value] of Object.entries(counts.of) as [keyof Counts['of'], number][])
    if (value > limits[bound]) throw boundExceeded(bound, limits[bound], value)
}

/**
 * @param document without fragment cycles
 * @returns the number of comparisons that show whether the document's fields can be merged; counting ends soon after `limit`
 */
export function countMergeSteps(document: DocumentNode, limit: number): number {
  return new MergeSteps(document, limit).count()
}

class Counts {
  readonly of = {
    operationNesting: 0,
    operationDefinitions: 0,
    operationFragments: 0,
    operationAliases: 0,
    operationDirectives: 0,
    operationValues: 0,
  }

  add(node: ASTNode, nesting: number): void {
    if (nesting > this.of.operationNesting) this.of.operationNesting = nesting
    switch (node.kind) {
      case Kind.OPERATION_DEFINITION:
        this.of.operationDefinitions++
        this.#all(node.variableDefinitions, nesting)
        this.#all(node.directives, nesting)
        this.add(node.selectionSet, nesting)
        return
      case Kind.FRAGMENT_DEFINITION:
        this.of.operationFragments++
        this.#all(node.directives, nesting)
        this.add(node.selectionSet, nesting)
        return
      case Kind.VARIABLE_DEFINITION:
        this.add(node.type, nesting)
        if (node.defaultValue) this.add(node.defaultValue, nesting)
        this.#all(node.directives, nesting)
        return
      case Kind.LIST_TYPE:
      case Kind.NON_NULL_TYPE:
        this.add(node.type, nesting + 1)
        return
      case Kind.SELECTION_SET:
        this.#all(node.selections, nesting + 1)
        return
      case Kind.FIELD:
        if (node.alias) this.of.operationAliases++
        this.#all(node.arguments, nesting)
        this.#all(node.directives, nesting)
        if (node.selectionSet) this.add(node.selectionSet, nesting)
        return
      case Kind.INLINE_FRAGMENT:
        this.#all(node.directives, nesting)
        this.add(node.selectionSet, nesting)
        return
      case Kind.FRAGMENT_SPREAD:
        this.#all(node.directives, nesting)
        return
      case Kind.DIRECTIVE:
        this.of.operationDirectives++
        this.#all(node.arguments, nesting)
        return
      case Kind.ARGUMENT:
        this.add(node.value, nesting)
        return
      case Kind.LIST:
        this.of.operationValues += node.values.length
        this.#all(node.values, nesting + 1)
        return
      case Kind.OBJECT:
        this.of.operationValues += node.fields.length
        this.#all(node.fields, nesting + 1)
        return
      case Kind.OBJECT_FIELD:
        this.add(node.value, nesting)
    }
  }

  #all(nodes: readonly ASTNode[] | undefined, nesting: number): void {
    if (nodes) for (const node of nodes) this.add(node, nesting)
  }
}

/** The selection sets that are merged at one response path, their fragments spread. */
class Merged {
  readonly byName = new Map<string, FieldNode[]>()
  readonly fragments = new Set<string>()
  fields = 0
  spreads = 0
}

/** A comparison of two fields that have fields themselves costs several times that of two leaves. */
const stepsPerPair = { ofLeaves: 2, ofObjects: 8 } as const

/** An upper bound on the comparisons with which graphql-js finds out whether fields can be merged. */
class MergeSteps {
  readonly #fragments = new Map<string, FragmentDefinitionNode>()
  readonly #reached = new Set<string>()
  readonly #definitions: readonly DefinitionNode[]
  readonly #limit: number
  #steps = 0

  constructor({ definitions }: DocumentNode, limit: number) {
    this.#definitions = definitions
    this.#limit = limit
    for (const definition of definitions)
      if (definition.kind === Kind.FRAGMENT_DEFINITION) this.#fragments.set(definition.name.value, definition)
  }

  count(): number {
    for (const definition of this.#definitions)
      if (definition.kind === Kind.OPERATION_DEFINITION) this.#merge([definition.selectionSet])
    // A fragment that an operation spreads was compared with the other fields there.
    for (const [name, { selectionSet }] of this.#fragments) if (!this.#reached.has(name)) this.#merge([selectionSet])
    return this.#steps
  }

  #merge(sets: readonly SelectionSetNode[]): void {
    if (this.#steps > this.#limit) return
    const merged = new Merged()
    for (const set of sets) this.#collect(set, merged)
    const { byName, fragments, fields, spreads } = merged
    this.#steps += (fields + spreads) * (sets.length + fragments.size) + (spreads * (spreads - 1)) / 2
    for (const nodes of byName.values()) {
      const inner = nodes.flatMap(({ selectionSet }) => selectionSet ?? [])
      const perPair = inner.length > 0 ? stepsPerPair.ofObjects : stepsPerPair.ofLeaves
      this.#steps += ((nodes.length * (nodes.length - 1)) / 2) * perPair
      if (inner.length > 0) this.#merge(inner)
    }
  }

  #collect(set: SelectionSetNode, into: Merged): void {
    if (this.#steps > this.#limit) return
    this.#steps += set.selections.length
    for (const selection of set.selections) {
      if (selection.kind === Kind.INLINE_FRAGMENT) this.#collect(selection.selectionSet, into)
      else if (selection.kind === Kind.FRAGMENT_SPREAD) this.#spread(selection.name.value, into)
      else {
        into.fields++
        const name = selection.alias?.value ?? selection.name.value
        const same = into.byName.get(name)
        if (same) same.push(selection)
        else into.byName.set(name, [selection])
      }
    }
  }

  #spread(name: string, into: Merged): void {
    into.spreads++
    if (into.fragments.has(name)) return
    into.fragments.add(name)
    this.#reached.add(name)
    const fragment = this.#fragments.get(name)
    if (fragment) this.#collect(fragment.selectionSet, into)
  }
}
