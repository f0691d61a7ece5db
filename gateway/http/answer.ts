/** Writes an HTTP response: status, `x-request-id` and security headers. For HEAD it writes the length without the body. */
import { STATUS_CODES } from 'node:http'
import type { HttpRequest, RequestHead } from './request.ts'
import type { Answer } from './route.ts'
import type { UwsResponse } from './uws.ts'

/** The content security policy of data: a browser may do nothing with it. Responses with a page or a file set their own policy. */
const dataPolicy = "default-src 'none'; frame-ancestors 'none'"

const always: Readonly<Record<string, string>> = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
  'content-security-policy': dataPolicy,
  'cache-control': 'no-store',
}

export function json(status: number, value: unknown, headers: Readonly<Record<string, string>> = {}): Answer {
  return {
    status,
    headers: { 'content-type': 'application/json; charset=utf-8', ...headers },
    body: JSON.stringify(value),
  }
}

/** How a response is sent. */
export interface ResponseOptions {
  /** Whether the connection closes after the response. */
  readonly close: boolean
  /** Whether the public origin is https. Browsers then use only https for it. */
  readonly https: boolean
}

export function write(res: UwsResponse, head: RequestHead, answer: Answer, delivery: ResponseOptions): void {
  const { close } = delivery
  res.cork(() => {
    writeHead(res, head, answer, delivery)
    const { body } = answer
    if (answer.status === 204 || answer.status === 304) {
      // Without a length, uWebSockets.js has no way to close the connection.
      if (close) res.endWithoutBody(0, true)
      else res.endWithoutBody()
    } else if (head.method === 'HEAD') res.endWithoutBody(body === undefined ? 0 : Buffer.byteLength(body), close)
    else res.end(body, close)
  })
}

/** Resolves when the whole stream is written, or the caller has disconnected. */
export async function writeStream(
  res: UwsResponse,
  request: HttpRequest,
  answer: Answer & { readonly stream: ReadableStream<Uint8Array> },
  delivery: ResponseOptions,
): Promise<void> {
  const { lifetime } = request
  const reader = answer.stream.getReader()
  lifetime.signal.addEventListener('abort', () => void reader.cancel('the caller went away').catch(() => {}))
  const writable = waitsForRoom(res, lifetime.signal)
  let begun = false
  for (;;) {
    const { done, value } = await reader.read().catch(() => ({ done: true, value: undefined }))
    if (lifetime.gone) return
    let room = true
    res.cork(() => {
      if (!begun) writeHead(res, request, answer, delivery)
      begun = true
      if (value !== undefined) room = res.write(value)
      if (done) endChunked(res)
    })
    if (done) return
    if (!room) await writable()
  }
}

/**
 * Ends a body that was written in chunks. It never asks uWebSockets.js to close the connection: that would write `Connection: close` into the
 * body, and clients would reject the end of the body. If the caller has asked for it, uWebSockets.js closes the connection by itself. A stop
 * of the server closes the others.
 */
export function endChunked(res: UwsResponse): void {
  res.end()
}

/** Waits until a slow caller's network accepts data again. Until then the stream is not read. */
export function waitsForRoom(res: UwsResponse, signal: AbortSignal): () => Promise<void> {
  let free = (): void => {}
  res.onWritable(() => {
    free()
    return true
  })
  signal.addEventListener('abort', () => free())
  return () =>
    new Promise((resolve) => {
      free = resolve
      if (signal.aborted) resolve()
    })
}

export function writeHead(res: UwsResponse, head: RequestHead, answer: Answer, { https }: ResponseOptions): void {
  const own = answer.headers ?? {}
  res.writeStatus(`${answer.status} ${STATUS_CODES[answer.status] ?? 'Unknown'}`)
  res.writeHeader('x-request-id', head.requestId)
  for (const name in always) if (own[name] === undefined) res.writeHeader(name, always[name] ?? '')
  if (https) res.writeHeader('strict-transport-security', 'max-age=31536000')
  for (const name in own) res.writeHeader(name, own[name] ?? '')
  for (const cookie of answer.cookies ?? []) res.writeHeader('set-cookie', cookie)
}
