/** Returns the root fields of an operation, with fragments expanded. */
import { type DocumentNode, type FieldNode, Kind, type OperationDefinitionNode, type SelectionSetNode } from 'graphql'

export function listRootFields(
  document: DocumentNode,
  { selectionSet }: OperationDefinitionNode,
): readonly FieldNode[] {
  const fields: FieldNode[] = []
  collect(selectionSet, document, fields, new Set())
  return fields
}

function collect(set: SelectionSetNode, document: DocumentNode, into: FieldNode[], seen: Set<string>): void {
  for (const selection of set.selections) {
    if (selection.kind === Kind.FIELD) into.push(selection)
    else if (selection.kind === Kind.INLINE_FRAGMENT) collect(selection.selectionSet, document, into, seen)
    else if (!seen.has(selection.name.value)) {
      seen.add(selection.name.value)
      for (const definition of document.definitions)
        if (definition.kind === Kind.FRAGMENT_DEFINITION && definition.name.value === selection.name.value)
          collect(definition.selectionSet, document, into, seen)
    }
  }
}
