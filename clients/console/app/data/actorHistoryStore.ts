/** The transitions of an actor, the oldest first. */
import { createStore } from '@xstate/store'
import type { ActorTransition } from './actorTransition.ts'
import type { ApiError } from './apiError.ts'

export interface ActorHistory {
  readonly transitions: readonly ActorTransition[]
  /** Whether these are all transitions that the page keeps. During the read, the oldest are missing. */
  readonly isComplete: boolean
  readonly error: ApiError | undefined
}

/** Returns whether the retention has deleted all transitions. An actor has at least the one that created it. */
export function isHistoryDeleted({ transitions, isComplete }: ActorHistory): boolean {
  return isComplete && transitions.length === 0
}

export function createActorHistoryStore() {
  const initial: ActorHistory = { transitions: [], isComplete: false, error: undefined }
  return createStore({
    context: initial,
    on: {
      readStarted: (context): ActorHistory => ({ ...context, isComplete: false }),
      pageRead: (context, { transitions }: { transitions: readonly ActorTransition[] }): ActorHistory => ({
        ...context,
        transitions,
        error: undefined,
      }),
      readCompleted: (context): ActorHistory => ({ ...context, isComplete: true }),
      /** A transition that the page already has may arrive again. */
      transitioned: (context, { transition }: { transition: ActorTransition }): ActorHistory =>
        transition.sequence > (context.transitions.at(-1)?.sequence ?? 0)
          ? { ...context, transitions: [...context.transitions, transition] }
          : context,
      readFailed: (context, { error }: { error: ApiError }): ActorHistory => ({ ...context, error }),
    },
  })
}
