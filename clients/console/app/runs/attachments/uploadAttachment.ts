/** Uploads a file for a run. */
import { ApiError, fromGraphqlError } from '../../data/apiError.ts'
import { reportIfSignedOut } from '../../data/request.ts'
import { messages } from '../../messages.ts'
import type { AttachmentsStore } from './attachmentsStore.ts'

const { errors: texts } = messages.parts

let lastKey = 0

export function addAttachments(files: readonly File[], { trigger }: AttachmentsStore): void {
  for (const file of files) {
    lastKey++
    const key = lastKey
    trigger.added({ file: { key, name: file.name, size: file.size } })
    uploadAttachment(file).then(
      (id) => trigger.uploaded({ key, id }),
      (error: ApiError) => trigger.failed({ key, error }),
    )
  }
}

interface UploadResponse {
  readonly id?: string
  readonly error?: { readonly code: string; readonly message: string; readonly requestId?: string }
}

/** A large file takes longer than other requests, so there is no time limit. @returns the ID @throws ApiError */
async function uploadAttachment(file: File): Promise<string> {
  const form = new FormData()
  form.append('file', file)
  const response = await fetch('/api/run-attachments', { method: 'POST', body: form }).catch(() => undefined)
  if (response === undefined) throw new ApiError('DISCONNECTED', texts.uploadInterrupted, { retryable: true })
  const body: UploadResponse = await response.json().catch(() => ({}))
  if (body.id !== undefined) return body.id
  const { code = String(response.status), message = texts.uploadFailed, requestId = '' } = body.error ?? {}
  throw reportIfSignedOut(fromGraphqlError({ message, extensions: { code, requestId } }), response.status)
}
