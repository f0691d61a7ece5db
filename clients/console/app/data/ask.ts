/** Questions to the public API. */

/** What the server refused, or that it could not be asked. */
export class Refusal extends Error {
  override readonly name = 'Refusal'
  readonly code: string
  /** The same may be granted later. */
  readonly retryable: boolean
  readonly requestId: string
  /** What of the input was refused, where it was one thing. */
  readonly field: string | undefined
  constructor(code: string, message: string, { retryable = false, requestId = '', field = '' } = {}) {
    super(message)
    this.code = code
    this.retryable = retryable
    this.requestId = requestId
    this.field = field === '' ? undefined : field
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
    readonly details?: { readonly field?: string }
  }
}

/** @param otherwise the code where the error has none */
export function refusedBy({ message, extensions }: WireError, otherwise = 'INTERNAL', requestId = ''): Refusal {
  const { code = otherwise, retryable = false } = extensions ?? {}
  const field = extensions?.details?.field
  return new Refusal(code, message, {
    retryable,
    requestId: extensions?.requestId ?? requestId,
    ...(field !== undefined && { field }),
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

/** @throws Refusal */
export async function ask<T>(query: string, variables: Readonly<Record<string, unknown>> = {}): Promise<T> {
  const response = await fetch('/api/graphql', {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    body: JSON.stringify({ query, variables }),
    signal: AbortSignal.any([AbortSignal.timeout(longestMs), leaving.signal]),
  }).catch(() => undefined)
  if (response === undefined) throw new Refusal('DISCONNECTED', 'The server does not answer.', { retryable: true })
  const answer: Answer<T> = await response.json().catch(() => ({}))
  const [error] = answer.errors ?? []
  if (error === undefined && answer.data) return answer.data
  const refusal = refusedBy(
    error ?? { message: 'The server gave no answer.' },
    response.ok ? 'INTERNAL' : String(response.status),
    response.headers.get('x-request-id') ?? '',
  )
  const unknown = response.status === 401 || refusal.code === 'UNAUTHENTICATED'
  if (unknown && !leaving.signal.aborted) signInAgain()
  throw refusal
}

/** The session has ended: the page for signing in leads back here. */
function signInAgain(): void {
  location.assign(`/sign-in?redirect=${encodeURIComponent(location.pathname + location.search)}`)
}
