/** Uploads a file for a run. */
import { toApiError } from '../../data/apiError.ts'
import { transferFile } from '../../data/requestRest.ts'
import type { AttachmentsStore } from './attachmentsStore.ts'

let lastKey = 0

export function addAttachments(files: readonly File[], { trigger }: AttachmentsStore): void {
  for (const file of files) {
    lastKey++
    const key = lastKey
    trigger.added({ file: { key, name: file.name, size: file.size } })
    uploadAttachment(file).then(
      (id) => trigger.uploaded({ key, id }),
      (cause: unknown) => trigger.failed({ key, error: toApiError(cause) }),
    )
  }
}

/** @returns the ID @throws ApiError */
async function uploadAttachment(file: File): Promise<string> {
  const form = new FormData()
  form.append('file', file)
  const response = await transferFile('/api/run-attachments', { method: 'POST', body: form }, 'UPLOAD_INTERRUPTED')
  const { id }: { readonly id: string } = await response.json()
  return id
}
