/** An operator action before it is confirmed: the IDs that the user enters, and the preview for it. */
import { createStore } from '@xstate/store'
import type { ApiError } from '../data/apiError.ts'
import type { OperatorActionPreview } from './operatorAction.ts'

interface OperatorActionContext {
  readonly ids: Readonly<Record<string, string>>
  /** Null until all IDs are entered. */
  readonly preview: OperatorActionPreview | null
  readonly error: ApiError | undefined
}

/** @param preview null if the action requires IDs */
export function createOperatorActionStore(preview: OperatorActionPreview | null) {
  const initial: OperatorActionContext = { ids: {}, preview, error: undefined }
  return createStore({
    context: initial,
    on: {
      idChanged: ({ ids }, { name, value }: { name: string; value: string }): OperatorActionContext => ({
        ids: { ...ids, [name]: value },
        preview: null,
        error: undefined,
      }),
      previewed: (context, event: { preview: OperatorActionPreview | null }): OperatorActionContext => ({
        ...context,
        preview: event.preview,
      }),
      previewFailed: (context, { error }: { error: ApiError }): OperatorActionContext => ({ ...context, error }),
    },
  })
}
