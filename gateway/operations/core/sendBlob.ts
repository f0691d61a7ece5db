/** Sends the bytes of a blob as a file that a browser saves. */
import { ReadableStream as ByteStream } from 'node:stream/web'
import { Failure } from '../../../spec/core/failure.ts'
import type { Blobs } from '../../../storage/ports/blobs.ts'
import { json } from '../../http/answer.ts'
import { restError } from '../../http/failures.ts'
import { requestedRange } from '../../http/range.ts'
import type { HttpRequest } from '../../http/request.ts'
import type { Answer } from '../../http/route.ts'
import { attachedAs } from './fileName.ts'

/** A browser may only save the file, even if its user opens it in a tab. */
const filePolicy = "sandbox; default-src 'none'; frame-ancestors 'none'"

export interface StoredFile {
  readonly name: string
  readonly contentType: string
  /** Bytes. */
  readonly size: number
  readonly sha256: string
  /** The name of the blob. */
  readonly blob: string
}

/** The file, or the range of it that the request asks for. Undefined if the blob is lost. */
export async function sendBlob(file: StoredFile, request: HttpRequest, blobs: Blobs): Promise<Answer | undefined> {
  const { name, size, contentType, sha256, blob } = file
  if ((await blobs.size(blob)) !== size) return undefined
  const etag = `"${sha256}"`
  const whole = { from: 0, to: size }
  let range: typeof whole | undefined
  try {
    range = requestedRange(request.headers, size, etag)
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== 'RANGE_NOT_SATISFIABLE') throw error
    return json(416, { error: restError(error, request.requestId) }, { 'content-range': `bytes */${size}` })
  }
  const { from, to } = range ?? whole
  return {
    status: range === undefined ? 200 : 206,
    headers: {
      'content-type': contentType,
      'content-disposition': attachedAs(name),
      'content-security-policy': filePolicy,
      'accept-ranges': 'bytes',
      etag,
      ...(range === undefined ? {} : { 'content-range': `bytes ${from}-${to - 1}/${size}` }),
    },
    stream: ByteStream.from(blobs.read(blob, from, to)) as ReadableStream<Uint8Array>,
    length: to - from,
  }
}
