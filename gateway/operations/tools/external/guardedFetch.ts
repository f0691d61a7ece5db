/**
 * The `fetch` that the transports are given: by the checked client, with the saved headers, without following redirects, and with
 * a bound on each message. It also tells what the transports keep to themselves: with what status a message was refused, and that
 * the stream with an answer has ended.
 */
import type { Outbound } from '../../../../actors/effects/outbound/port.ts'
import type { McpTransport } from '../../../../spec/tools/external.ts'
import { boundedBody } from './boundedBody.ts'
import { HttpRefused } from './problems.ts'

export interface GuardOptions<Owner> {
  readonly outbound: Outbound
  readonly transport: McpTransport
  /** Values by names. */
  readonly headers: ReadonlyMap<string, string>
  /** Milliseconds until an answer begins: of one that is not a stream, until it is there. */
  readonly firstByteMs: number
  readonly maxBytes: number
  /** For whom a request is made, at its beginning. A stream may end when the next one is under way. */
  owner(): Owner
  /** The stream on which an answer for it was to come is over; it may be taken up again unless that is `final`. */
  streamEnded(owner: Owner, reason: unknown, final: boolean): void
}

export interface Guard {
  readonly fetch: (url: string | URL, init?: RequestInit) => Promise<Response>
  /** Why the last request failed; of it the transports pass on a text at best. */
  readonly failure: unknown
}

const connectMs = 10_000
/** How often an interrupted stream is taken up again: what the transport does by itself, and then says nothing. */
export const mostResumptions = 2

export function guardedFetch<Owner>(options: GuardOptions<Owner>): Guard {
  const state: { failure: unknown; failedResumptions: number } = { failure: undefined, failedResumptions: 0 }
  const send = async (url: URL, init: RequestInit, owner: Owner): Promise<Response> => {
    const headers = new Headers(init.headers)
    for (const [name, value] of options.headers) headers.set(name, value)
    const answer = await options.outbound.fetch(url, {
      method: init.method ?? 'GET',
      headers,
      body: init.body ?? null,
      signal: init.signal ?? null,
      // What is sent are credentials and arguments: they are for this address.
      redirect: 'error',
      credentialHeaders: [...options.headers.keys(), 'mcp-session-id'],
      limits: {
        connectMs,
        firstByteMs: options.firstByteMs,
        wholeMs: Number.POSITIVE_INFINITY,
        maxBytes: Number.POSITIVE_INFINITY,
      },
    })
    await refuse(url, init.method, headers, answer, options)
    return bounded(url, init.method, answer, options, (reason) => options.streamEnded(owner, reason, false))
  }
  return {
    get failure() {
      return state.failure
    },
    async fetch(given, init = {}) {
      const url = new URL(given)
      if (!isWanted(init, options)) return new Response(null, { status: 405 })
      const owner = options.owner()
      const resumes = new Headers(init.headers).has('last-event-id')
      try {
        const answer = await send(url, init, owner)
        state.failedResumptions = 0
        return answer
      } catch (error) {
        state.failure = error
        if (resumes && ++state.failedResumptions >= mostResumptions) options.streamEnded(owner, error, true)
        throw error
      }
    },
  }
}

/** Of Streamable HTTP the stream that a server may use when nothing was asked is not opened: nobody waits for what comes there. */
function isWanted({ method, headers }: RequestInit, { transport }: Pick<GuardOptions<never>, 'transport'>): boolean {
  return transport === 'SSE' || (method ?? 'GET') !== 'GET' || new Headers(headers).has('last-event-id')
}

/** @throws HttpRefused */
async function refuse(
  url: URL,
  method: string | undefined,
  headers: Headers,
  answer: Response,
  { transport }: Pick<GuardOptions<never>, 'transport'>,
): Promise<void> {
  if (answer.ok || method === 'DELETE') return
  const inSession = method === 'POST' && (transport === 'SSE' || headers.has('mcp-session-id'))
  const unknown = inSession && (answer.status === 404 || (answer.status === 400 && (await namesSession(answer))))
  await answer.body?.cancel()
  throw new HttpRefused(url.host, answer.status, unknown)
}

/** The status is 404 by the protocol; much that was made after its examples answers 400 and says so in words. */
async function namesSession(answer: Response): Promise<boolean> {
  if (answer.body === null) return false
  const reader = answer.body.getReader()
  const { value } = await reader.read().catch(() => ({ value: undefined }))
  reader.releaseLock()
  return value !== undefined && /\bsession\b/i.test(Buffer.from(value.subarray(0, 2_000)).toString('latin1'))
}

function bounded(
  { host }: URL,
  method: string | undefined,
  answer: Response,
  { transport, maxBytes }: Pick<GuardOptions<never>, 'transport' | 'maxBytes'>,
  over: (reason: unknown) => void,
): Response {
  const { body, status, headers } = answer
  if (body === null) return answer
  const events = headers.get('content-type')?.startsWith('text/event-stream') === true
  // Answers come on the streams of GET with SSE, and on those of POST otherwise.
  const carriesAnswers = transport === 'SSE' ? method !== 'POST' : method !== 'DELETE' && status !== 202
  const ended = carriesAnswers ? over : () => {}
  return new Response(boundedBody(body, { host, maxBytes, events, ended }), { status, headers })
}
