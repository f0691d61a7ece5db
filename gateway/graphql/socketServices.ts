import type { Envelope } from '../../actors/messages.ts'
import type { Clock } from '../../actors/ports/clock.ts'
import type { Principal } from '../../spec/core/principal.ts'
import type { Authenticator } from '../auth/authenticate.ts'
import type { Identity } from '../auth/identities.ts'
import type { Holder, Watch } from '../auth/principalCache.ts'
import type { Limits } from '../limits/limits.ts'
import type { SubscriptionServices } from './subscribe.ts'

/** What every socket of the gateway shares. */
export interface SocketServices extends SubscriptionServices {
  readonly authenticator: Authenticator
  readonly limits: Limits
  readonly clock: Clock
  /** Replies that a stop waits for. */
  readonly underWay: { begin(): void; end(): void; readonly stopping: boolean }
  /** Tells when the credential stops being valid, and its session that it is in use. */
  watch(identity: Identity, holder: Holder): Watch
  /** Sends what a closed socket leaves behind. */
  farewell(envelope: Envelope, principal: Principal): void
}
