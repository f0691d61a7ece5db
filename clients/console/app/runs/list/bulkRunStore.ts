/** The dialog of a bulk action on runs: its preview, its progress and its results. */
import { createStore } from '@xstate/store'
import type { ApiError } from '../../data/apiError.ts'
import type { BulkPreview, BulkResult } from './bulkRunAction.ts'

interface BulkRunContext {
  /** Undefined until it is loaded. */
  readonly preview: BulkPreview | undefined
  readonly status: 'ready' | 'working' | 'stopped' | 'done'
  /** Of the steps so far. */
  readonly doneCount: number
  readonly refused: readonly BulkResult[]
  readonly error: ApiError | undefined
}

const initial: BulkRunContext = { preview: undefined, status: 'ready', doneCount: 0, refused: [], error: undefined }

export function createBulkRunStore() {
  return createStore({
    context: initial,
    on: {
      previewed: (_, { preview }: { preview: BulkPreview }): BulkRunContext => ({ ...initial, preview }),
      started: (context): BulkRunContext => ({ ...context, status: 'working', error: undefined }),
      stepped: (context, { results }: { results: readonly BulkResult[] }): BulkRunContext => {
        const refused = results.filter(({ done }) => !done)
        return {
          ...context,
          doneCount: context.doneCount + results.length - refused.length,
          refused: [...context.refused, ...refused],
        }
      },
      stopped: (context): BulkRunContext => ({ ...context, status: 'stopped' }),
      finished: (context): BulkRunContext => ({ ...context, status: 'done' }),
      failed: (context, { error }: { error: ApiError }): BulkRunContext => ({
        ...context,
        status: context.status === 'working' ? 'stopped' : context.status,
        error,
      }),
    },
  })
}
