/**
 * One request to the URL of a transfer. It uses `node:http`: the signal of a `fetch` no longer ends a silent answer once the garbage collector has
 * run (https://github.com/nodejs/undici/pull/4984).
 */
import { type IncomingMessage, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'

export interface TransferRequest {
  readonly method: 'GET' | 'POST'
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** The request and its answer fail if the connection neither sends nor receives a byte for so long. */
  readonly idleMs: number
  readonly signal: AbortSignal
}

/** Resolves with the answer when its head has arrived. @throws Error if none arrives. Reading its body may fail with the same errors */
export function sendTransferRequest({
  method,
  url,
  headers,
  idleMs,
  signal,
}: TransferRequest): Promise<IncomingMessage> {
  const open = url.startsWith('https:') ? requestHttps : requestHttp
  return new Promise((resolve, reject) => {
    const length = method === 'POST' ? { 'content-length': '0' } : {}
    const request = open(url, { method, headers: { ...headers, ...length }, signal })
    let answer: IncomingMessage | undefined
    request.setTimeout(idleMs, () => {
      const silent = new Error(`the connection was silent for ${idleMs / 1_000} s`)
      answer?.destroy(silent)
      request.destroy(silent)
    })
    request.on('error', reject)
    request.on('response', (response) => {
      answer = response
      resolve(response)
    })
    request.end()
  })
}
