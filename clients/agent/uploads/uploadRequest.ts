/** One request to the URL of an upload. */
import type { ReadStream } from 'node:fs'
import { type IncomingMessage, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'

export interface UploadAnswer {
  readonly status: number
  /** The bytes that the server has stored. Undefined if the answer does not state it. */
  readonly offset: number | undefined
  /** CREATED, RECEIVING, VERIFYING, READY or FAILED. */
  readonly uploadStatus: string | undefined
  /** The code and the message of a refusal. */
  readonly code: string | undefined
  readonly message: string | undefined
  readonly retryAfterMs: number | undefined
}

export interface UploadRequest {
  readonly method: 'HEAD' | 'POST'
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** The bytes of a POST, and their number. */
  readonly body?: { readonly stream: ReadStream; readonly length: number }
  /** The request fails if the connection neither sends nor receives a byte for so long. */
  readonly idleMs: number
  readonly signal: AbortSignal
}

const mostErrorBytes = 64 * 1024

/** @throws Error if there is no answer, or the body cannot be read */
export function sendUploadRequest({
  method,
  url,
  headers,
  body,
  idleMs,
  signal,
}: UploadRequest): Promise<UploadAnswer> {
  const open = url.startsWith('https:') ? requestHttps : requestHttp
  return new Promise((resolve, reject) => {
    const length = method === 'POST' ? { 'content-length': String(body?.length ?? 0) } : {}
    const request = open(url, { method, headers: { ...headers, ...length }, signal })
    const fail = (error: unknown): void => {
      body?.stream.destroy()
      request.destroy()
      reject(error)
    }
    request.setTimeout(idleMs, () => fail(new Error(`the connection was silent for ${idleMs / 1_000} s`)))
    request.on('error', fail)
    request.on('response', (response) => {
      // The server may refuse before it has read the body.
      body?.stream.destroy()
      readAnswer(response).then((answer) => {
        resolve(answer)
        // The rest of the body never comes, so the connection has no other use.
        if (!request.writableFinished) request.destroy()
      }, fail)
    })
    if (body === undefined) request.end()
    else {
      body.stream.on('error', fail)
      body.stream.on('end', () => {
        if (body.stream.bytesRead < body.length) fail(new Error('the file is shorter than its upload'))
      })
      body.stream.pipe(request)
    }
  })
}

async function readAnswer(response: IncomingMessage): Promise<UploadAnswer> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of response as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size <= mostErrorBytes) chunks.push(chunk)
  }
  const { code, message, offset } = readError(Buffer.concat(chunks).toString())
  const retryAfter = Number(response.headers['retry-after'])
  return {
    status: response.statusCode ?? 0,
    offset: numberOf(response.headers['upload-offset']) ?? offset,
    uploadStatus: textOf(response.headers['upload-status']),
    code,
    message,
    retryAfterMs: Number.isFinite(retryAfter) ? retryAfter * 1_000 : undefined,
  }
}

function readError(text: string): { code?: string; message?: string; offset?: number } {
  try {
    const { error } = JSON.parse(text) as { error?: { code?: unknown; message?: unknown; offset?: unknown } }
    return {
      ...(typeof error?.code === 'string' ? { code: error.code } : {}),
      ...(typeof error?.message === 'string' ? { message: error.message } : {}),
      ...(typeof error?.offset === 'number' ? { offset: error.offset } : {}),
    }
  } catch {
    return {}
  }
}

function textOf(value: string | string[] | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined
}

function numberOf(value: string | string[] | undefined): number | undefined {
  return typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : undefined
}
