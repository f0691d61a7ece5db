/** REST requests. Errors have the same form as those of GraphQL. */
import { ApiError } from './apiError.ts'
import { emptyResponseMessage, reportIfSignedOut, sendJson } from './request.ts'

interface ErrorBody {
  readonly error: {
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
  const { status, headers } = response
  const { code = String(status), message = emptyResponseMessage, field = '', problem = '' } = body.error ?? {}
  // A proxy may send a date, which is ignored.
  const seconds = Number(headers.get('retry-after'))
  const error = new ApiError(code, message, {
    retryable: status === 429 || status === 503,
    requestId: headers.get('x-request-id') ?? '',
    field,
    problem,
    ...(seconds > 0 ? { retryAfterSeconds: seconds } : {}),
  })
  throw reportIfSignedOut(error, status)
}
