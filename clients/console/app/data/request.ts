/** Requests to the public API. */
import { sessionStore, waitForSession } from '../state/sessionStore.ts'
import { ApiError, fromGraphqlError, type GraphqlError } from './apiError.ts'
import { type GraphqlDocument, getText, type ReadonlyDeep } from './graphql.ts'

interface GraphqlResponse<T> {
  readonly data?: T | null
  readonly errors?: readonly GraphqlError[]
}

/** Requests in flight end when the user signs out, because the server would only reject them. */
const signedOut = new AbortController()
sessionStore.subscribe(({ context }) => {
  if (context.status === 'signingOut') signedOut.abort()
})

/** The server responds sooner, even with an error. */
const timeoutMs = 30_000

interface JsonResponse<T> {
  readonly response: Response
  readonly body: Partial<T>
}

/** Sends a request with a JSON body. @throws ApiError if the server cannot be reached */
export async function sendJson<T>(path: string, init: RequestInit): Promise<JsonResponse<T>> {
  await waitForSession()
  const response = await fetch(path, {
    ...init,
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    signal: AbortSignal.any([AbortSignal.timeout(timeoutMs), signedOut.signal]),
  }).catch(() => undefined)
  if (response === undefined) throw new ApiError('DISCONNECTED', 'The server does not respond.', { retryable: true })
  return { response, body: await response.json().catch(() => ({})) }
}

/** @throws ApiError */
export async function requestGraphql<Result, Variables>(
  document: GraphqlDocument<Result, Variables>,
  variables: ReadonlyDeep<Variables>,
): Promise<Result> {
  const { response, body } = await sendJson<GraphqlResponse<Result>>('/api/graphql', {
    method: 'POST',
    body: JSON.stringify({ query: getText(document), variables }),
  })
  const [first] = body.errors ?? []
  if (first === undefined && body.data) return body.data
  const requestId = response.headers.get('x-request-id') ?? ''
  const error =
    first === undefined
      ? new ApiError('EMPTY_RESPONSE', 'The server sent an empty response.', { requestId })
      : fromGraphqlError(first, response.ok ? 'INTERNAL' : String(response.status), requestId)
  throw reportIfSignedOut(error, response.status)
}

/** Reports an error of a request without a valid session to the session's store. @returns the error */
export function reportIfSignedOut(error: ApiError, status: number): ApiError {
  if (status === 401 || error.code === 'UNAUTHENTICATED') sessionStore.trigger.rejected()
  return error
}
