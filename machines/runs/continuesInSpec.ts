import type { Json } from '../../spec/core/actor.ts'
import type { StoredState } from '../framework/define.ts'

/**
 * Migrates runs and jobs from version 1: a follow-up had the coding CLI's ID of the conversation as `conversation` in its `spec`. It is
 * part of `continues` now.
 */
export function continuesInSpec({ value, context }: StoredState): StoredState {
  const init = context.init as Readonly<Record<string, Json>>
  const { conversation, ...spec } = init.spec as Readonly<Record<string, Json>>
  if (typeof conversation !== 'string') return { value, context }
  const continues = { conversation, required: false }
  return { value, context: { ...context, init: { ...init, spec: { ...spec, continues } } } }
}
