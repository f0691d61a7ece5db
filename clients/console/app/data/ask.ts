/** Questions to the public API. */

/** What the server refused, or that it could not be asked. */
export class Refusal extends Error {
  override readonly name = 'Refusal'
  readonly code: string
  readonly requestId: string
  constructor(code: string, message: string, requestId = '') {
    super(message)
    this.code = code
    this.requestId = requestId
  }
}

interface Answer<T> {
  readonly data?: T | null
  readonly errors?: readonly {
    readonly message: string
    readonly extensions?: { readonly code?: string; readonly requestId?: string }
  }[]
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
  if (response === undefined)
    throw new Refusal('DISCONNECTED', 'The server does not answer. Nothing is lost: it is tried again.')
  const answer: Answer<T> = await response.json().catch(() => ({}))
  const [error] = answer.errors ?? []
  const requestId = error?.extensions?.requestId ?? response.headers.get('x-request-id') ?? ''
  const code = error?.extensions?.code ?? (response.ok ? 'INTERNAL' : String(response.status))
  if ((response.status === 401 || code === 'UNAUTHENTICATED') && !leaving.signal.aborted) signInAgain()
  if (error !== undefined || answer.data === undefined || answer.data === null)
    throw new Refusal(code, error?.message ?? 'The server gave no answer.', requestId)
  return answer.data
}

/** The session has ended: the page for signing in leads back here. */
function signInAgain(): void {
  location.assign(`/sign-in?redirect=${encodeURIComponent(location.pathname + location.search)}`)
}
