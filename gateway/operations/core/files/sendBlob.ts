import type { Blobs } from '../../../../storage/ports/blobs.ts'
import type { HttpRequest } from '../../../http/request.ts'
import type { Answer } from '../../../http/route.ts'
import { sendRange } from './sendRange.ts'

export interface StoredFile {
  readonly name: string
  readonly contentType: string
  /** Bytes. */
  readonly size: number
  readonly sha256: string
  /** The name of the blob. */
  readonly blob: string
}

/** The bytes of a blob, or the range of them that the request asks for. Undefined if the blob is lost. */
export async function sendBlob(file: StoredFile, request: HttpRequest, blobs: Blobs): Promise<Answer | undefined> {
  const { blob, sha256, ...sent } = file
  if ((await blobs.size(blob)) !== file.size) return undefined
  return sendRange({ ...sent, version: sha256, read: (from, to) => blobs.read(blob, from, to) }, request)
}
