/** The search document of an actor, as its machine derives it from a state. */

import type { ListSearchable } from '../../spec/search/searchable.ts'
import type { SearchDocument } from '../ports/journal.ts'
import type { Logic, MachineState } from './logic.ts'

/** Returns undefined if the kind is not searched. */
export function documentOf(
  { definition }: Logic,
  { configuration, context }: MachineState,
): SearchDocument | undefined {
  const { search, searchVersion = 1 } = definition
  return search && { version: searchVersion, found: search({ value: configuration.value, context }) }
}

/** The document after a transition. Undefined if the transition did not change it. */
export function documentChange(
  logic: Logic,
  before: MachineState | undefined,
  after: MachineState,
): SearchDocument | undefined {
  if (before !== undefined && before.context === after.context && before.configuration === after.configuration) return
  const document = documentOf(logic, after)
  if (document === undefined) return undefined
  const old = before && documentOf(logic, before)?.found
  const { found } = document
  // Most transitions leave the values as they are, and a machine derives `list` from values that rarely change.
  const isSame = old?.title === found?.title && old?.text === found?.text && isSameList(old?.list, found?.list)
  return isSame ? undefined : document
}

function isSameList(a: ListSearchable | undefined, b: ListSearchable | undefined): boolean {
  return a === b || (a?.text === b?.text && JSON.stringify(a?.marks) === JSON.stringify(b?.marks))
}
