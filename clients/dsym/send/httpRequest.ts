/** One request. Redirects are never followed, so the API key and the extra headers reach only the configured server. */
import { type Agent, type ClientRequest, type IncomingHttpHeaders, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { errnoOf, messageOf, NoAnswer, UploadFailure } from '../failures.ts'
import { agentFor } from './requestAgents.ts'

/** A body that is read while it is sent. */
export interface StreamedBody {
  /** In bytes. */
  readonly size: number
  /** The bytes of a piece may change as soon as the next one is asked for. */
  pieces(): AsyncIterable<Uint8Array>
}

export interface HttpRequest {
  readonly method: 'GET' | 'HEAD' | 'POST' | 'PATCH' | 'DELETE'
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: Uint8Array | StreamedBody | undefined
  /** The request fails if the connection neither sends nor receives a byte for this time. */
  readonly idleMs: number
  readonly signal: AbortSignal
}

export interface HttpAnswer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  /** The body. */
  readonly text: string
}

/** The answer about 500 bundles has a few hundred kB. */
const mostAnswerBytes = 16 * 1024 * 1024
/** The time for the body of an answer, after its head. A server that sends it byte by byte does not hold the client longer. */
const answerBodyMs = 60_000

/** @throws NoAnswer, the reason of the signal, or UploadFailure if the proxy of the environment is not usable, or the body not readable */
export async function sendRequest(request: HttpRequest): Promise<HttpAnswer> {
  request.signal.throwIfAborted()
  const { agent, proxy } = agentFor(request.url)
  try {
    const body = await beginBody(request.body)
    return await exchange(request, body, agent)
  } catch (error) {
    request.signal.throwIfAborted()
    throw error instanceof NoAnswer || error instanceof UploadFailure ? error : new NoAnswer(describeLoss(error, proxy))
  }
}

interface BegunBody {
  readonly size: number
  readonly first: Uint8Array | undefined
  readonly others: AsyncIterator<Uint8Array, unknown, undefined> | undefined
}

/**
 * Reads the first piece before the request takes a connection and writes it at once. A connection that has waited for a piece may have been
 * closed by a proxy meanwhile.
 */
async function beginBody(body: HttpRequest['body']): Promise<BegunBody> {
  if (body === undefined || body instanceof Uint8Array)
    return { size: body?.length ?? 0, first: body, others: undefined }
  const pieces = body.pieces()[Symbol.asyncIterator]()
  const { value, done } = await pieces.next()
  return { size: body.size, first: done ? undefined : value, others: pieces }
}

function exchange(
  { method, url, headers, idleMs, signal }: HttpRequest,
  body: BegunBody,
  agent: Agent,
): Promise<HttpAnswer> {
  const isSecure = url.startsWith('https:')
  const open = isSecure ? requestHttps : requestHttp
  return new Promise((resolve, reject) => {
    const length = method === 'POST' || method === 'PATCH' ? { 'content-length': String(body.size) } : {}
    const request = open(url, { method, agent, signal, headers: { ...headers, ...length } })
    let hasAnswer = false
    request.setTimeout(idleMs, () => request.destroy(new NoAnswer(`the connection was silent for ${idleMs / 1_000} s`)))
    request.on('error', (error) => {
      // The server may answer before it has read the body, and close the connection. Its answer counts.
      if (!hasAnswer || error instanceof NoAnswer) reject(error)
    })
    request.on('response', (response) => {
      hasAnswer = true
      readText(response, request).then((text) => {
        // The rest of the body never comes, so the connection has no other use.
        if (!request.writableFinished) request.destroy()
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text })
      }, reject)
    })
    if (body.others === undefined) request.end(body.first)
    else sendPieces(request, body.first, body.others).catch((error: Error) => request.destroy(error))
  })
}

/** Ends early if the request has ended: its answer or its error is the outcome. @throws an error of the pieces */
async function sendPieces(
  request: ClientRequest,
  first: Uint8Array | undefined,
  others: AsyncIterator<Uint8Array, unknown, undefined>,
): Promise<void> {
  for (let piece = first; piece !== undefined && !request.destroyed; ) {
    const sent: Uint8Array = piece
    await new Promise<unknown>((resolve) => request.write(sent, resolve))
    const next = await others.next()
    piece = next.done ? undefined : next.value
  }
  if (!request.destroyed) request.end()
}

async function readText(response: AsyncIterable<Buffer>, request: ClientRequest): Promise<string> {
  const late = new NoAnswer(`the answer was not complete after ${answerBodyMs / 1_000} s`)
  const timer = setTimeout(() => request.destroy(late), answerBodyMs)
  try {
    const pieces: Buffer[] = []
    let size = 0
    for await (const piece of response) {
      size += piece.length
      if (size > mostAnswerBytes) throw new NoAnswer(`the answer has more than ${mostAnswerBytes} bytes`)
      pieces.push(piece)
    }
    return Buffer.concat(pieces).toString()
  } finally {
    clearTimeout(timer)
  }
}

function describeLoss(error: unknown, proxy: string | undefined): string {
  const code = errnoOf(error)
  const peer = proxy === undefined ? 'the server' : `the proxy ${proxy}`
  if (code === 'ECONNREFUSED') return `${peer} refuses connections (ECONNREFUSED)`
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return `the name of ${peer} is not found (${code})`
  if (code === 'ECONNRESET' || code === 'EPIPE') return `the connection was lost (${code})`
  return `the request failed (${code ?? messageOf(error)})`
}
