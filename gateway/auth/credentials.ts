/** The credential that a request presents, before it is validated: exactly one, none, or a rejected one. */

import type { RequestHead } from '../http/request.ts'
import { sessionCookies } from './cookies.ts'

export type Credential =
  | { readonly type: 'none' }
  | { readonly type: 'session'; readonly token: string; readonly carrier: 'cookie' | 'bearer' }
  | { readonly type: 'apiKey'; readonly token: string }
  /** The credential of an agent or of a run. */
  | { readonly type: 'agent'; readonly token: string }
  /** The request has two carriers, an unknown scheme, or a token in an unknown form. */
  | { readonly type: 'refused'; readonly reason: string; readonly carrier?: 'cookie' }

/** 256 bits in base64url are 43 characters. Longer tokens may be added later. No token has had less. */
const tokenForm = /^[A-Za-z0-9_-]{32,256}$/

/** The places of credentials: HTTP headers, or the connection parameters of a socket. */
export interface Carriers {
  readonly authorization: string | undefined
  readonly apiKey: string | undefined
  readonly cookies: readonly string[]
}

export function carriersOf(head: RequestHead): Carriers {
  return {
    // Repeated headers are joined by a comma. No token contains a comma.
    authorization: head.headers.get('authorization'),
    apiKey: head.headers.get('x-api-key'),
    cookies: sessionCookies(head.headers.get('cookie')),
  }
}

const refused = (reason: string): Credential => ({ type: 'refused', reason })

export function credentialFrom({ authorization, apiKey, cookies }: Carriers): Credential {
  const carriers = (authorization === undefined ? 0 : 1) + (apiKey === undefined ? 0 : 1) + (cookies.length > 0 ? 1 : 0)
  if (carriers === 0) return { type: 'none' }
  if (carriers > 1) return refused('Send exactly one credential.')
  if (authorization !== undefined) return fromAuthorization(authorization)
  if (apiKey !== undefined)
    return apiKey.startsWith('svc_') && tokenForm.test(apiKey)
      ? { type: 'apiKey', token: apiKey }
      : refused('X-API-Key must hold a key that begins with svc_.')
  const [cookie = ''] = cookies
  if (cookies.length > 1 && cookies.some((other) => other !== cookie))
    return { type: 'refused', reason: 'Send exactly one session cookie.', carrier: 'cookie' }
  return tokenForm.test(cookie)
    ? { type: 'session', token: cookie, carrier: 'cookie' }
    : { type: 'refused', reason: 'The session is not valid.', carrier: 'cookie' }
}

function fromAuthorization(value: string): Credential {
  const match = /^bearer +(\S+)$/i.exec(value)
  const token = match?.[1]
  if (token === undefined) return refused('Authorization must be "Bearer" and one token.')
  if (!tokenForm.test(token)) return refused('The bearer token has no known form.')
  if (token.startsWith('agent_')) return { type: 'agent', token }
  if (token.startsWith('svc_')) return refused('Send an API key in X-API-Key.')
  if (token.startsWith('enroll_')) return refused('An enrollment token is taken only by enrollAgent.')
  return { type: 'session', token, carrier: 'bearer' }
}
