/** Sends a file that a browser saves, or the range of it that the request asks for. */
import { ReadableStream as ByteStream } from 'node:stream/web'
import { Failure } from '../../../../spec/core/failure.ts'
import { json } from '../../../http/answer.ts'
import { restError } from '../../../http/failures.ts'
import { requestedRange } from '../../../http/range.ts'
import type { HttpRequest } from '../../../http/request.ts'
import type { Answer } from '../../../http/route.ts'
import { attachedAs } from './fileName.ts'

/** A browser may only save the file, even if its user opens it in a tab. */
const filePolicy = "sandbox; default-src 'none'; frame-ancestors 'none'"

export interface SentFile {
  readonly name: string
  readonly contentType: string
  /** Bytes. */
  readonly size: number
  /** Identifies this version of the file, without quotation marks. */
  readonly version: string
  /** The bytes from `from` up to and without `to`. */
  read(from: number, to: number): AsyncIterable<Uint8Array>
}

export function sendRange({ name, size, contentType, version, read }: SentFile, request: HttpRequest): Answer {
  const etag = `"${version}"`
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
    stream: ByteStream.from(read(from, to)) as ReadableStream<Uint8Array>,
    length: to - from,
  }
}
