import type { StoredState } from '../framework/define.ts'

/** Migrates a plan from version 1, which had no revisions. Its text is read from its runs. */
export function addRevision({ value, context }: StoredState): StoredState {
  return { value, context: { ...context, revision: 0, archivedFrom: null } }
}
