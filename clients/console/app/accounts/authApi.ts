/** REST requests for accounts, sessions, keys and registration. Errors have the same form as those of GraphQL. */
import { ApiError } from '../data/apiError.ts'
import { reportIfSignedOut, sendJson } from '../data/request.ts'
import { messages } from '../messages.ts'
import { sessionStore } from '../state/sessionStore.ts'
import type { AuthBody, AuthPath, AuthResult } from './authRoutes.ts'

interface ErrorBody {
  readonly error: {
    readonly code?: string
    readonly message?: string
    readonly field?: string
    readonly problem?: string
  }
}

/** @param query of the path, with its question mark @throws ApiError */
export async function getAuth<const Path extends AuthPath<'GET'>>(
  path: Path,
  query = '',
): Promise<AuthResult<'GET', Path>> {
  await sessionStore.getSnapshot().context.replacement
  return await requestAuth(path + query, { method: 'GET' })
}

/** @throws ApiError */
export async function postAuth<const Path extends AuthPath<'POST'>>(
  path: Path,
  body: AuthBody<Path>,
): Promise<AuthResult<'POST', Path>> {
  await sessionStore.getSnapshot().context.replacement
  return await requestAuth(path, jsonPost(body))
}

/** Sends a request that replaces the current session by a new one. @throws ApiError */
export function postAuthReplacingSession<const Path extends AuthPath<'POST'>>(
  path: Path,
  body: AuthBody<Path>,
): Promise<AuthResult<'POST', Path>> {
  const replacement = requestAuth<AuthResult<'POST', Path>>(path, jsonPost(body))
  sessionStore.trigger.replaced({ replacement })
  return replacement
}

function jsonPost(body: unknown): RequestInit {
  return { method: 'POST', body: JSON.stringify(body) }
}

async function requestAuth<T>(path: string, init: RequestInit): Promise<T> {
  const { response, body } = await sendJson<T & ErrorBody>(`/api/auth/${path}`, init)
  if (response.ok) return body as T
  const { status, headers } = response
  const {
    code = String(status),
    message = messages.parts.errors.emptyResponse,
    field = '',
    problem = '',
  } = body.error ?? {}
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
