/** Determines the fields that a selection reads from an object of one type, in order, with fragments expanded and conditions evaluated. */
import {
  type DirectiveNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLObjectType,
  type GraphQLSchema,
  isAbstractType,
  Kind,
  type SelectionSetNode,
} from 'graphql'
import { notCompiled } from './writer.ts'

export interface Document {
  readonly schema: GraphQLSchema
  readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>
  /** The variables of `@skip` and `@include`: there is a plan for each combination of them. */
  readonly conditions: ReadonlyMap<string, boolean>
  /** The number of fields that were compiled so far. */
  readonly size: { fields: number }
}

/** The nodes of each response name. Their selections are merged. */
export type Fields = ReadonlyMap<string, readonly FieldNode[]>

export function collectFields(sets: readonly SelectionSetNode[], type: GraphQLObjectType, document: Document): Fields {
  const fields = new Map<string, FieldNode[]>()
  const visited = new Set<string>()
  const visit = ({ selections }: SelectionSetNode): void => {
    for (const selection of selections) {
      if (!included(selection.directives ?? [], document.conditions)) continue
      if (selection.kind === Kind.FIELD) {
        const name = selection.alias?.value ?? selection.name.value
        const known = fields.get(name)
        if (known) known.push(selection)
        else fields.set(name, [selection])
      } else if (selection.kind === Kind.INLINE_FRAGMENT) {
        if (applies(selection.typeCondition?.name.value, type, document)) visit(selection.selectionSet)
      } else {
        const fragment = document.fragments.get(selection.name.value)
        if (fragment === undefined || visited.has(selection.name.value)) continue
        if (!applies(fragment.typeCondition.name.value, type, document)) continue
        visited.add(selection.name.value)
        visit(fragment.selectionSet)
      }
    }
  }
  for (const set of sets) visit(set)
  return fields
}

function applies(condition: string | undefined, type: GraphQLObjectType, { schema }: Document): boolean {
  if (condition === undefined || condition === type.name) return true
  const asked = schema.getType(condition)
  return isAbstractType(asked) && schema.isSubType(asked, type)
}

function included(directives: readonly DirectiveNode[], conditions: Document['conditions']): boolean {
  return directives.every(({ name, arguments: given = [] }) => {
    if (name.value !== 'skip' && name.value !== 'include') throw notCompiled
    const value = given[0]?.value
    const yes =
      value?.kind === Kind.BOOLEAN
        ? value.value
        : value?.kind === Kind.VARIABLE
          ? conditions.get(value.name.value)
          : undefined
    if (yes === undefined) throw notCompiled
    return yes === (name.value === 'include')
  })
}
