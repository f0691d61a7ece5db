/** The files that a new run gets. Each is uploaded when it is chosen. */
import { createStore } from '@xstate/store'
import type { ApiError } from '../../data/apiError.ts'

export interface AttachedFile {
  /** Identifies the upload on this page. */
  readonly key: number
  readonly name: string
  readonly size: number
  /** The ID of the attachment. Undefined until it is uploaded. */
  readonly id?: string
  readonly error?: ApiError
}

interface AttachmentsContext {
  readonly files: readonly AttachedFile[]
}

export function createAttachmentsStore() {
  const initial: AttachmentsContext = { files: [] }
  return createStore({
    context: initial,
    on: {
      added: ({ files }, { file }: { file: AttachedFile }): AttachmentsContext => ({ files: [...files, file] }),
      uploaded: ({ files }, { key, id }: { key: number; id: string }): AttachmentsContext => ({
        files: files.map((file) => (file.key === key ? { ...file, id } : file)),
      }),
      failed: ({ files }, { key, error }: { key: number; error: ApiError }): AttachmentsContext => ({
        files: files.map((file) => (file.key === key ? { ...file, error } : file)),
      }),
      removed: ({ files }, { key }: { key: number }): AttachmentsContext => ({
        files: files.filter((file) => file.key !== key),
      }),
    },
  })
}

export type AttachmentsStore = ReturnType<typeof createAttachmentsStore>
