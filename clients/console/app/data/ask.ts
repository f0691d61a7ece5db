/** Requests to the public API. */

interface RefusalDetails {
  readonly retryable?: boolean
  readonly requestId?: string
  readonly field?: string
  readonly problem?: string
  readonly retryAfterSeconds?: number
}

/** A refusal of the server, or a failed request. */
export class Refusal extends Error {
  override readonly name = 'Refusal'
  readonly code: string
  /** The same request may succeed later. */
  readonly retryable: boolean
  readonly requestId: string
  /** The field of a form that is not valid, and the reason. Empty if the refusal does not concern a field. */
  readonly field: string
  readonly problem: string
  /** How long to wait, if the server sent a time. */
  readonly retryAfterSeconds: number | undefined
  constructor(code: string, message: string, details: RefusalDetails = {}) {
    super(message)
    const { retryable = false, requestId = '', field = '', problem = '', retryAfterSeconds } = details
    this.code = code
    this.retryable = retryable
    this.requestId = requestId
    this.field = field
    this.problem = problem
    this.retryAfterSeconds = retryAfterSeconds
  }
}

/** Converts an error to a refusal. A defect of the page becomes one too. */
export function refusalOf(error: unknown): Refusal {
  return error instanceof Refusal ? error : new Refusal('INTERNAL', String(error))
}

export interface WireError {
  readonly message: string
  readonly extensions?: {
    readonly code?: string
    readonly requestId?: string
    readonly retryable?: boolean
    readonly retryAfterMs?: number
    readonly details?: { readonly field?: string; readonly problem?: string }
  }
}

/** @param otherwise the code if the error has none */
export function refusedBy({ message, extensions }: WireError, otherwise = 'INTERNAL', requestId = ''): Refusal {
  const { code = otherwise, retryable = false, retryAfterMs, details } = extensions ?? {}
  const { field = '', problem = '' } = details ?? {}
  return new Refusal(code, message, {
    retryable,
    requestId: extensions?.requestId ?? requestId,
    field,
    problem,
    ...(retryAfterMs === undefined ? {} : { retryAfterSeconds: Math.ceil(retryAfterMs / 1_000) }),
  })
}

interface Answer<T> {
  readonly data?: T | null
  readonly errors?: readonly WireError[]
}

/** Aborted when the user leaves the page. Requests in flight would only be rejected. */
const leaving = new AbortController()

export function leave(): void {
  leaving.abort()
}

/** The server responds sooner, even with an error. */
const longestMs = 30_000

interface Heard<T> {
  readonly response: Response
  readonly answer: Partial<T>
}

let exchanged: Promise<unknown> = Promise.resolve()

/** While the session is replaced, new requests wait, because the server no longer accepts the old session. */
export function exchanging<T>(work: Promise<T>): Promise<T> {
  exchanged = work.catch(() => {})
  return work
}

/** Resolves when a replacement of the session, if there is one, is complete. */
export function settled(): Promise<unknown> {
  return exchanged
}

/** The common part of all requests. @throws Refusal if the server cannot be reached */
export async function send<T>(path: string, init: RequestInit): Promise<Heard<T>> {
  const response = await fetch(path, {
    ...init,
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    signal: AbortSignal.any([AbortSignal.timeout(longestMs), leaving.signal]),
  }).catch(() => undefined)
  if (response === undefined) throw new Refusal('DISCONNECTED', 'The server does not answer.', { retryable: true })
  return { response, answer: await response.json().catch(() => ({})) }
}

/** @throws Refusal */
export async function ask<T>(query: string, variables: Readonly<Record<string, unknown>> = {}): Promise<T> {
  await settled()
  const { response, answer } = await send<Answer<T>>('/api/graphql', {
    method: 'POST',
    body: JSON.stringify({ query, variables }),
  })
  const [error] = answer.errors ?? []
  if (error === undefined && answer.data) return answer.data
  const refusal = refusedBy(
    error ?? { message: noAnswer },
    response.ok ? 'INTERNAL' : String(response.status),
    response.headers.get('x-request-id') ?? '',
  )
  throw noticed(refusal, response.status)
}

export const noAnswer = 'The server gave no answer.'

/** Redirects a user without a valid session to the sign-in page. */
export function noticed(refusal: Refusal, status: number): Refusal {
  const unknown = status === 401 || refusal.code === 'UNAUTHENTICATED'
  if (unknown && !leaving.signal.aborted) signInAgain()
  return refusal
}

/** The session has ended. The sign-in page leads back to this view. */
function signInAgain(): void {
  location.assign(`/sign-in?redirect=${encodeURIComponent(location.pathname + location.search)}`)
}
