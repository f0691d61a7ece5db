/** The search document of an actor, as its machine derives it from a state. */

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
  return old?.title === found?.title && old?.text === found?.text ? undefined : document
}
