import type { StoredState } from '../framework/define.ts'

/** Migrates a run from version 2, which could not be paused. */
export function addRunPause({ value, context }: StoredState): StoredState {
  return { value, context: { ...context, pause: { isRequested: false, revision: 0 } } }
}

/** Migrates a job from version 2, which could not be paused. */
export function addJobPause({ value, context }: StoredState): StoredState {
  return { value, context: { ...context, pause: { isRequested: false, isConfirmed: false, revision: 0 } } }
}
