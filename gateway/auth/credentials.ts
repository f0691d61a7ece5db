/** What a caller shows, before anybody looks whether it is valid: exactly one credential, none, or something to refuse. */

import type { RequestHead } from '../http/request.ts'
import { sessionCookies } from './cookies.ts'

export type Credential =
  | { readonly type: 'none' }
  | { readonly type: 'session'; readonly token: string; readonly carrier: 'cookie' | 'bearer' }
  | { readonly type: 'apiKey'; readonly token: string }
  /** An agent's own, or a run's. */
  | { readonly type: 'agent'; readonly token: string }
  /** Two carriers, an unknown scheme, a token of no known form. */
  | { readonly type: 'refused'; readonly reason: string; readonly carrier?: 'cookie' }

/** 256 bits in base64url are 43 characters; more may come one day, less never has. */
const tokenForm = /^[A-Za-z0-9_-]{32,256}$/

/** Where credentials stand: HTTP headers, or a socket's connection parameters. */
export interface Carriers {
  readonly authorization: string | undefined
  readonly apiKey: string | undefined
  readonly cookies: readonly string[]
}

export function carriersOf(head: RequestHead): Carriers {
  return {
    // A repeated header is joined by a comma, which no token holds.
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
  if (token.startsWith('enroll_')) return refused('An enrolment token is taken only by enrollAgent.')
  return { type: 'session', token, carrier: 'bearer' }
}
