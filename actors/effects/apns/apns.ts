/** A client for Apple's push service. It sends one notification to one device and returns the outcome. */
import type { PushEnvironment } from '../../../spec/devices/deviceTokens.ts'
import { pushOrigins } from '../../../spec/devices/deviceTokens.ts'
import type { Clock } from '../../ports/clock.ts'
import { type ConnectionOptions, Connections } from './connections.ts'
import { type ProviderKey, ProviderToken } from './providerToken.ts'
import { type Verdict, verdictOf } from './verdict.ts'

export interface ApnsOptions extends ProviderKey {
  /** Used instead of Apple's two servers. */
  readonly host?: string | undefined
  readonly clock: Clock
  /** Reports a problem to the administrator. */
  problem(message: string): void
  readonly connection?: Partial<ConnectionOptions>
}

export interface Push {
  /** A UUID. It is the same at each attempt. */
  readonly id: string
  readonly environment: PushEnvironment
  /** Hexadecimal. */
  readonly token: string
  readonly topic: string
  /** Of two notifications with the same value, the device shows only the later. At most 64 bytes. */
  readonly collapseId: string
  /** When the notification becomes useless, ms since 1970. */
  readonly expiresAt: number
  /** JSON of at most 4,096 bytes. */
  readonly payload: string
}

export type PushOutcome = Extract<Verdict, { readonly type: 'taken' | 'refused' | 'later' }>

const usual: ConnectionOptions = { connectMs: 10_000, answerMs: 20_000, idleMs: 30 * 60_000 }

export class Apns {
  readonly #options: ApnsOptions
  readonly #connections: Connections
  readonly #providerToken: ProviderToken

  constructor(options: ApnsOptions) {
    this.#options = options
    this.#connections = new Connections({ ...usual, ...options.connection })
    this.#providerToken = new ProviderToken(options, options.clock)
  }

  /** Never rejects: if Apple cannot be reached, a later attempt may succeed. */
  async send(push: Push): Promise<PushOutcome> {
    for (;;) {
      const token = this.#providerToken.current()
      const verdict = await this.#ask(push, token)
      if (verdict.type === 'misconfigured') {
        this.#options.problem(
          `Apple refuses the provider token (${verdict.reason}): check APNS_KEY, APNS_KEY_ID and APNS_TEAM_ID.`,
        )
        return { type: 'refused', reason: verdict.reason }
      }
      if (verdict.type !== 'tokenExpired') return verdict
      const wait = this.#providerToken.retryDelayAfterExpiry(token)
      if (wait === 0) continue
      this.#options.problem('Apple calls a new provider token expired: the clock of this server is wrong.')
      return { type: 'later', reason: 'ExpiredProviderToken', retryAfterMs: wait }
    }
  }

  close(): void {
    this.#connections.close()
  }

  async #ask(push: Push, providerToken: string): Promise<Verdict> {
    const headers = {
      ':path': `/3/device/${push.token}`,
      authorization: `bearer ${providerToken}`,
      'apns-id': push.id,
      'apns-topic': push.topic,
      'apns-push-type': 'alert',
      'apns-priority': '10',
      'apns-collapse-id': push.collapseId,
      'apns-expiration': String(Math.floor(push.expiresAt / 1_000)),
      'content-type': 'application/json',
    }
    try {
      const origin = this.#options.host ?? pushOrigins[push.environment]
      return verdictOf(await this.#connections.request(origin, headers, push.payload))
    } catch (error) {
      return { type: 'later', reason: reasonOf(error), retryAfterMs: null }
    }
  }
}

function reasonOf(error: unknown): string {
  const { code, message } = error as { readonly code?: unknown; readonly message?: unknown }
  return typeof code === 'string' ? code : String(message)
}
