/**
 * The token by which this server authenticates to Apple: a JWT signed with ES256. Apple refuses a token that is older than an hour. It also
 * refuses a server that creates a new one more often than every 20 minutes. So one token is used for 50 minutes, by all connections.
 */
import { createPrivateKey, sign } from 'node:crypto'
import type { Clock } from '../../ports/clock.ts'

const maxAgeMs = 50 * 60_000
const minAgeMs = 20 * 60_000

export interface ProviderKey {
  /** PEM text of a P-256 key. */
  readonly key: string
  readonly keyId: string
  readonly teamId: string
}

export class ProviderToken {
  readonly #key: ProviderKey
  readonly #clock: Clock
  #made: { readonly token: string; readonly at: number } | undefined

  constructor(key: ProviderKey, clock: Clock) {
    this.#key = key
    this.#clock = clock
  }

  current(): string {
    const now = this.#clock.now()
    if (this.#made === undefined || now - this.#made.at >= maxAgeMs) this.#made = { token: this.#make(now), at: now }
    return this.#made.token
  }

  /**
   * To call when Apple reports this token as expired. Returns the milliseconds to wait before the next token. The result is 0 if a newer token
   * exists or may be created now. A result above 0 means that this server's clock is wrong, because the token is too young to be replaced.
   */
  retryDelayAfterExpiry(token: string): number {
    if (this.#made === undefined || this.#made.token !== token) return 0
    const wait = Math.max(0, this.#made.at + minAgeMs - this.#clock.now())
    if (wait === 0) this.#made = undefined
    return wait
  }

  #make(now: number): string {
    const { key, keyId, teamId } = this.#key
    const part = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url')
    const text = `${part({ alg: 'ES256', kid: keyId })}.${part({ iss: teamId, iat: Math.floor(now / 1_000) })}`
    const signature = sign('sha256', Buffer.from(text), { key: createPrivateKey(key), dsaEncoding: 'ieee-p1363' })
    return `${text}.${signature.toString('base64url')}`
  }
}
