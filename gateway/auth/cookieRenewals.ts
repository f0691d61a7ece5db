/**
 * Records when this process last sent each session's cookie to its browser. A used cookie is sent again at most once a day. The
 * session's row does not contain this time: sockets renew the session too, and no cookie can be sent over an open socket.
 */
import { LRUCache } from 'lru-cache'
import { sessionRenewalMs } from '../../spec/accounts/sessionLifetime.ts'

export interface UsedCookie {
  readonly token: string
  readonly sessionId: string
  /** When the session was created. Its cookie was sent at that time. Milliseconds since 1970. */
  readonly createdAt: number
}

export class CookieRenewals {
  readonly #sentAt: LRUCache<string, number>

  constructor(sessions: number) {
    // `maxSize` instead of `max`: `max` would allocate the memory for all entries at once.
    this.#sentAt = new LRUCache({ maxSize: sessions, sizeCalculation: () => 1 })
  }

  /** Returns whether the response must send the cookie again, and records it as sent. */
  take({ sessionId, createdAt }: UsedCookie, now: number): boolean {
    if (now - (this.#sentAt.get(sessionId) ?? createdAt) < sessionRenewalMs) return false
    this.#sentAt.set(sessionId, now)
    return true
  }
}
