/**
 * The `fetch` of the transports. It sends requests through the outbound client with the saved headers, does not follow redirects, and
 * limits the size of each message. It also reports two facts that the transports do not expose: the status with which a message was
 * refused, and the end of the stream that carries an answer.
 */
import type { Outbound } from '../../../../actors/effects/outbound/port.ts'
import type { McpTransport } from '../../../../spec/tools/external.ts'
import { limitBody } from './boundedBody.ts'
import { HttpRefused } from './problems.ts'

export interface GuardOptions<Owner> {
  readonly outbound: Outbound
  readonly transport: McpTransport
  /** Header values by name. */
  readonly headers: ReadonlyMap<string, string>
  /** The longest time until the answer begins, in milliseconds. For an answer that is not a stream: until it is complete. */
  readonly firstByteMs: number
  readonly maxBytes: number
  /** The owner of a request, read when the request begins. Its stream may end after the next request has begun. */
  owner(): Owner
  /** Called when the stream for the owner's answer has ended. The transport may resume it, unless the end is `final`. */
  streamEnded(owner: Owner, reason: unknown, isFinal: boolean): void
}

export interface GuardedFetch {
  readonly fetch: (url: string | URL, init?: RequestInit) => Promise<Response>
  /** The error of the last request. The transports expose at most its text. */
  readonly failure: unknown
}

const connectMs = 10_000
/** How often the transport resumes an interrupted stream. It does not report when it gives up. */
export const mostResumptions = 2

export function guardedFetch<Owner>(options: GuardOptions<Owner>): GuardedFetch {
  const state: { failure: unknown; failedResumptions: number } = { failure: undefined, failedResumptions: 0 }
  const send = async (url: URL, init: RequestInit, owner: Owner): Promise<Response> => {
    const headers = new Headers(init.headers)
    for (const [name, value] of options.headers) headers.set(name, value)
    const answer = await options.outbound.fetch(url, {
      method: init.method ?? 'GET',
      headers,
      body: init.body ?? null,
      signal: init.signal ?? null,
      // Credentials and arguments are sent to this address only.
      redirect: 'error',
      credentialHeaders: [...options.headers.keys(), 'mcp-session-id'],
      limits: {
        connectMs,
        firstByteMs: options.firstByteMs,
        wholeMs: Number.POSITIVE_INFINITY,
        maxBytes: Number.POSITIVE_INFINITY,
      },
    })
    await requireSuccess(url, init.method, headers, answer, options)
    return limitResponse(url, init.method, answer, options, (reason) => options.streamEnded(owner, reason, false))
  }
  return {
    get failure() {
      return state.failure
    },
    async fetch(given, init = {}) {
      const url = new URL(given)
      if (!isUsed(init, options)) return new Response(null, { status: 405 })
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

/** With Streamable HTTP the stream for messages that answer no request is not opened: they are not used. */
function isUsed({ method, headers }: RequestInit, { transport }: Pick<GuardOptions<never>, 'transport'>): boolean {
  return transport === 'SSE' || (method ?? 'GET') !== 'GET' || new Headers(headers).has('last-event-id')
}

/** @throws HttpRefused */
async function requireSuccess(
  url: URL,
  method: string | undefined,
  headers: Headers,
  answer: Response,
  { transport }: Pick<GuardOptions<never>, 'transport'>,
): Promise<void> {
  if (answer.ok || method === 'DELETE') return
  const inSession = method === 'POST' && (transport === 'SSE' || headers.has('mcp-session-id'))
  const unknown = inSession && (answer.status === 404 || (answer.status === 400 && (await mentionsSession(answer))))
  await answer.body?.cancel()
  throw new HttpRefused(url.host, answer.status, unknown)
}

/** The protocol requires the status 404. But servers that copied its examples answer 400 with an explanation. */
async function mentionsSession(answer: Response): Promise<boolean> {
  if (answer.body === null) return false
  const reader = answer.body.getReader()
  const { value } = await reader.read().catch(() => ({ value: undefined }))
  reader.releaseLock()
  return value !== undefined && /\bsession\b/i.test(Buffer.from(value.subarray(0, 2_000)).toString('latin1'))
}

function limitResponse(
  { host }: URL,
  method: string | undefined,
  answer: Response,
  { transport, maxBytes }: Pick<GuardOptions<never>, 'transport' | 'maxBytes'>,
  onEnd: (reason: unknown) => void,
): Response {
  const { body, status, headers } = answer
  if (body === null) return answer
  const events = headers.get('content-type')?.startsWith('text/event-stream') === true
  // With SSE the streams of GET carry the answers, otherwise those of POST.
  const carriesAnswers = transport === 'SSE' ? method !== 'POST' : method !== 'DELETE' && status !== 202
  const reportEnd = carriesAnswers ? onEnd : () => {}
  return new Response(limitBody(body, { host, maxBytes, events, onEnd: reportEnd }), { status, headers })
}
