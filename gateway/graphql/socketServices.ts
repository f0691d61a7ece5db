import type { Clock } from '../../actors/ports/clock.ts'
import type { Principal } from '../../spec/core/principal.ts'
import type { Authenticator } from '../auth/authenticate.ts'
import type { Identity } from '../auth/identities.ts'
import type { CredentialHolder, Watch } from '../auth/principalCache.ts'
import type { Limits } from '../limits/limits.ts'
import type { Envelope } from '../messages.ts'
import type { SubscriptionServices } from './subscribe.ts'

/** Services that all sockets of the gateway share. */
export interface SocketServices extends SubscriptionServices {
  readonly authenticator: Authenticator
  readonly limits: Limits
  readonly clock: Clock
  /** Counts the replies that a stop waits for. */
  readonly inFlight: { begin(): void; end(): void; readonly stopping: boolean }
  /** Notifies the holder when the credential is no longer valid, and records the use of its session. */
  watch(identity: Identity, holder: CredentialHolder): Watch
  /** Sends a message that was registered for the close of a socket. */
  farewell(envelope: Envelope, principal: Principal): void
}
