/** Questions to the public API. */

interface RefusalDetails {
  readonly retryable?: boolean
  readonly requestId?: string
  readonly field?: string
  readonly problem?: string
  readonly retryAfterSeconds?: number
}

/** What the server refused, or that it could not be asked. */
export class Refusal extends Error {
  override readonly name = 'Refusal'
  readonly code: string
  /** The same may be granted later. */
  readonly retryable: boolean
  readonly requestId: string
  /** What of a form is not right, and what would be; empty where it is not about a field. */
  readonly field: string
  readonly problem: string
  /** How long to wait, where the server said so. */
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

/** What went wrong, as a refusal: a defect of the page is one, too. */
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

/** @param otherwise the code where the error has none */
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

/** Ended when the person leaves: what is under way would only be refused. */
const leaving = new AbortController()

export function leave(): void {
  leaving.abort()
}

/** The server answers sooner, if only that it can't. */
const longestMs = 30_000

interface Heard<T> {
  readonly response: Response
  readonly answer: Partial<T>
}

let exchanged: Promise<unknown> = Promise.resolve()

/** While the session is exchanged for another, whatever is asked waits: the server knows the old one no more. */
export function exchanging<T>(work: Promise<T>): Promise<T> {
  exchanged = work.catch(() => {})
  return work
}

/** Once the session that is being exchanged, if one is, is the new one. */
export function settled(): Promise<unknown> {
  return exchanged
}

/** What every question has in common. @throws Refusal where the server can't be asked */
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

/** Who is signed in no more is led to signing in. */
export function noticed(refusal: Refusal, status: number): Refusal {
  const unknown = status === 401 || refusal.code === 'UNAUTHENTICATED'
  if (unknown && !leaving.signal.aborted) signInAgain()
  return refusal
}

/** The session has ended: the page for signing in leads back here. */
function signInAgain(): void {
  location.assign(`/sign-in?redirect=${encodeURIComponent(location.pathname + location.search)}`)
}
