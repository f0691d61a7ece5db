/** One operator action on several actors: the choice, the preview, and the results. */
import { createStore } from '@xstate/store'
import type { ApiError } from '../data/apiError.ts'
import type { ActionResult, BulkAction, BulkPreview } from './bulkAction.ts'

interface BulkActionsContext {
  /** Undefined until they are loaded. */
  readonly actions: readonly BulkAction[] | undefined
  /** The selected action, with a preview for each actor. */
  readonly bulkPreview: BulkPreview | undefined
  /** Undefined until the action has been performed. */
  readonly results: readonly ActionResult[] | undefined
  readonly error: ApiError | undefined
}

const initial: BulkActionsContext = {
  actions: undefined,
  bulkPreview: undefined,
  results: undefined,
  error: undefined,
}

export function createBulkActionsStore() {
  return createStore({
    context: initial,
    on: {
      requestStarted: (context): BulkActionsContext => ({ ...context, error: undefined }),
      requestFailed: (context, { error }: { error: ApiError }): BulkActionsContext => ({ ...context, error }),
      actionsLoaded: (context, { actions }: { actions: readonly BulkAction[] }): BulkActionsContext => ({
        ...context,
        actions,
      }),
      previewed: (context, { bulkPreview }: { bulkPreview: BulkPreview }): BulkActionsContext => ({
        ...context,
        bulkPreview,
      }),
      previewClosed: (context): BulkActionsContext => ({ ...context, bulkPreview: undefined }),
      performed: (context, { results }: { results: readonly ActionResult[] }): BulkActionsContext => ({
        ...context,
        results,
      }),
    },
  })
}
