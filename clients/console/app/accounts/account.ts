/** REST requests for accounts, sessions, keys and registration. Refusals have the same form as those of GraphQL. */
import { exchanging, noAnswer, noticed, Refusal, send, settled } from '../data/ask.ts'

interface Envelope {
  readonly error: {
    readonly code?: string
    readonly message?: string
    readonly field?: string
    readonly problem?: string
  }
}

/** @throws Refusal */
export async function look<T>(path: string): Promise<T> {
  await settled()
  return await told<T>(path, { method: 'GET' })
}

/** @throws Refusal */
export async function tell<T>(path: string, body: Readonly<Record<string, unknown>> = {}): Promise<T> {
  await settled()
  return await told<T>(path, posted(body))
}

/** Sends a request that replaces the current session by a new one. @throws Refusal */
export function exchange<T>(path: string, body: Readonly<Record<string, unknown>>): Promise<T> {
  return exchanging(told<T>(path, posted(body)))
}

function posted(body: Readonly<Record<string, unknown>>): RequestInit {
  return { method: 'POST', body: JSON.stringify(body) }
}

async function told<T>(path: string, init: RequestInit): Promise<T> {
  const { response, answer } = await send<T & Envelope>(`/api/auth/${path}`, init)
  if (response.ok) return answer as T
  const { status, headers } = response
  const { code = String(status), message = noAnswer, field = '', problem = '' } = answer.error ?? {}
  // A proxy may send a date, which is ignored.
  const seconds = Number(headers.get('retry-after'))
  const refusal = new Refusal(code, message, {
    retryable: status === 429 || status === 503,
    requestId: headers.get('x-request-id') ?? '',
    field,
    problem,
    ...(seconds > 0 ? { retryAfterSeconds: seconds } : {}),
  })
  throw noticed(refusal, status)
}
