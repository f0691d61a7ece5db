/** Translates Apple's responses. Source: Apple, "Handling notification responses from APNs". */
import type { Http2Answer } from './connections.ts'

export type Verdict =
  | { readonly type: 'taken' }
  /**
   * Apple will never accept this notification. `gone`: the token does not name a device any more, and has not since the time `since` (ms
   * since 1970). If `since` is undefined, that is true for every time.
   */
  | { readonly type: 'refused'; readonly reason: string; readonly gone?: { readonly since: number | undefined } }
  | { readonly type: 'later'; readonly reason: string; readonly retryAfterMs: number | null }
  | { readonly type: 'tokenExpired' }
  /** The key, the key ID or the team differ from Apple's records. An administrator must correct them. */
  | { readonly type: 'misconfigured'; readonly reason: string }

const goneTokens: ReadonlySet<string> = new Set(['BadDeviceToken', 'DeviceTokenNotForTopic'])

export function verdictOf({ status, headers, body }: Http2Answer): Verdict {
  if (status === 200) return { type: 'taken' }
  const { reason, timestamp } = problemOf(status, body)
  if (status === 403)
    return reason === 'ExpiredProviderToken' ? { type: 'tokenExpired' } : { type: 'misconfigured', reason }
  if (status === 410) return { type: 'refused', reason, gone: { since: timestamp } }
  if (status === 400 && goneTokens.has(reason)) return { type: 'refused', reason, gone: { since: undefined } }
  if (status === 429 || status >= 500)
    return { type: 'later', reason, retryAfterMs: retryAfter(headers['retry-after']) }
  return { type: 'refused', reason }
}

/** The body is JSON if the response comes from Apple itself. */
function problemOf(status: number, body: string): { readonly reason: string; readonly timestamp: number | undefined } {
  try {
    const { reason, timestamp } = JSON.parse(body) as { readonly reason?: unknown; readonly timestamp?: unknown }
    const word = typeof reason === 'string' && /^\w{1,100}$/.test(reason) ? reason : `HTTP_${status}`
    return { reason: word, timestamp: typeof timestamp === 'number' ? timestamp : undefined }
  } catch {
    return { reason: `HTTP_${status}`, timestamp: undefined }
  }
}

/** A longer wait that a server asks for is cut to this, ms. */
const longestWaitMs = 3_600_000

/** The header in seconds, as ms. A date is ignored, and the pause of the machine applies. */
function retryAfter(header: string | undefined): number | null {
  return header !== undefined && /^\d{1,9}$/.test(header) ? Math.min(longestWaitMs, Number(header) * 1_000) : null
}
