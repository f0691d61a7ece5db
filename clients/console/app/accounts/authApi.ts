/** REST requests for accounts, sessions, keys and registration. */
import { requestRest } from '../data/requestRest.ts'
import { sessionStore } from '../state/sessionStore.ts'
import type { AuthBody, AuthPath, AuthResult } from './authRoutes.ts'

/** @param query of the path, with its question mark @throws ApiError */
export async function getAuth<const Path extends AuthPath<'GET'>>(
  path: Path,
  query = '',
): Promise<AuthResult<'GET', Path>> {
  return await requestAuth(path + query, { method: 'GET' })
}

/** @throws ApiError */
export async function postAuth<const Path extends AuthPath<'POST'>>(
  path: Path,
  body: AuthBody<Path>,
): Promise<AuthResult<'POST', Path>> {
  return await requestAuth(path, jsonPost(body))
}

/**
 * Sends a request that replaces the current session by a new one. Requests that begin later wait for it. It waits for an earlier one only.
 * @throws ApiError
 */
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

function requestAuth<T>(path: string, init: RequestInit): Promise<T> {
  return requestRest<T>(`/api/auth/${path}`, init)
}
