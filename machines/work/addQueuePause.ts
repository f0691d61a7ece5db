import type { StoredState } from '../framework/define.ts'

/** Migrates a session from version 1, which had no queued follow-ups. */
export function addQueuePause({ value, context }: StoredState): StoredState {
  return { value, context: { ...context, isQueuePaused: false } }
}
