/** REST requests. Errors have the same form as those of GraphQL. */
import { waitForSession } from '../state/sessionStore.ts'
import { ApiError } from './apiError.ts'
import { reportIfSignedOut, sendJson } from './request.ts'

interface ErrorBody {
  readonly error?: {
    readonly code?: string
    readonly message?: string
    readonly field?: string
    readonly problem?: string
  }
}

/** @param path with its query @throws ApiError */
export async function requestRest<T>(path: string, init: RequestInit): Promise<T> {
  const { response, body } = await sendJson<T & ErrorBody>(path, init)
  if (response.ok) return body as T
  throw toRestError(response, body as ErrorBody)
}

/**
 * Sends a request whose body or response is a file. It takes longer than other requests, so there is no time limit.
 * @param interruptedCode the code of the error if the connection ends
 * @throws ApiError
 */
export async function transferFile(path: string, init: RequestInit, interruptedCode: string): Promise<Response> {
  await waitForSession()
  const response = await fetch(path, init).catch(() => undefined)
  if (response === undefined) throw new ApiError(interruptedCode, 'The connection ended.', { retryable: true })
  if (response.ok) return response
  throw toRestError(response, await response.json().catch(() => ({})))
}

function toRestError({ status, headers }: Response, { error = {} }: ErrorBody): ApiError {
  const {
    code = 'EMPTY_RESPONSE',
    message = `The server responded with status ${status}.`,
    field = '',
    problem = '',
  } = error
  // A proxy may send a date, which is ignored.
  const seconds = Number(headers.get('retry-after'))
  const details = {
    retryable: status === 429 || status === 503,
    requestId: headers.get('x-request-id') ?? '',
    field,
    problem,
    ...(seconds > 0 ? { retryAfterSeconds: seconds } : {}),
  }
  return reportIfSignedOut(new ApiError(code, message, details), status)
}
