/** The response for a page. The page runs only the server's own scripts, and no cache stores it. */
import type { PageSetting } from '../../spec/pages/site.ts'
import type { Answer } from '../http/route.ts'

const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
].join('; ')

const pageHeaders = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': policy,
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=()',
} as const

/**
 * The console opens an inspector in its own window and exchanges messages with it (`clients/console/app/inspect/`). With
 * `same-origin` the browser would cut the connection between the two windows. With this value, windows that the console opens keep
 * it. A window that opens the console still has no access.
 */
export const talksToWindows = { 'cross-origin-opener-policy': 'same-origin-allow-popups' } as const

export function pageAnswer(status: number, body: string, { locale, localized }: PageSetting): Answer {
  const vary = localized ? {} : { vary: 'Accept-Language, Cookie' }
  return { status, headers: { ...pageHeaders, ...vary, 'content-language': locale }, body }
}

export function redirect(location: string, { localized }: PageSetting): Answer {
  return { status: 302, headers: { location, ...(localized ? {} : { vary: 'Accept-Language, Cookie' }) } }
}
