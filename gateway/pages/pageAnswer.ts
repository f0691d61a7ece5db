/** A page on its way to a browser: nothing runs in it but the server's own scripts, and nobody keeps it. */
import type { Setting } from '../../spec/pages/site.ts'
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

export const pageHeaders = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': policy,
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=()',
} as const

/**
 * The console opens an inspector in a window of its own and talks to it (`clients/console/app/inspect/`). With `same-origin` the browser
 * would cut the tie between the two. So windows that it opens keep theirs; whoever opens the console still has none.
 */
export const talksToWindows = { 'cross-origin-opener-policy': 'same-origin-allow-popups' } as const

export function pageAnswer(status: number, body: string, { locale, localized }: Setting): Answer {
  const vary = localized ? {} : { vary: 'Accept-Language' }
  return { status, headers: { ...pageHeaders, ...vary, 'content-language': locale }, body }
}

export function redirect(location: string, { localized }: Setting): Answer {
  return { status: 302, headers: { location, ...(localized ? {} : { vary: 'Accept-Language' }) } }
}
