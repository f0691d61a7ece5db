/**
 * When each session's cookie was last sent to its browser, as far as this process knows: its use sends it again at most once a day. The
 * session's own row cannot tell, since sockets renew that too, and no cookie can be sent over an open socket.
 */
import { LRUCache } from 'lru-cache'
import { sessionRenewalMs } from '../../spec/accounts/sessionLifetime.ts'

export interface UsedCookie {
  readonly token: string
  readonly sessionId: string
  /** Of the session; its cookie was sent then. Milliseconds since 1970. */
  readonly createdAt: number
}

export class CookieRenewals {
  readonly #sentAt: LRUCache<string, number>

  constructor(sessions: number) {
    // As a size, not as `max`, which would take the memory for all of them at once.
    this.#sentAt = new LRUCache({ maxSize: sessions, sizeCalculation: () => 1 })
  }

  /** Whether the answer sends it again; it counts as sent from then on. */
  take({ sessionId, createdAt }: UsedCookie, now: number): boolean {
    if (now - (this.#sentAt.get(sessionId) ?? createdAt) < sessionRenewalMs) return false
    this.#sentAt.set(sessionId, now)
    return true
  }
}
