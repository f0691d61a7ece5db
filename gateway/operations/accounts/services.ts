import type { Principal } from '../../../spec/core/principal.ts'
import type { PasswordAttempts } from '../../auth/passwordAttempts.ts'
import type { Passwords } from '../../auth/passwords.ts'
import type { Origins } from '../../http/origins.ts'
import type { HttpRequest } from '../../http/request.ts'
import type { KeyedSemaphore } from '../../limits/keyedSemaphore.ts'
import type { Limits } from '../../limits/limits.ts'
import type { RateLimiter } from '../../limits/rateLimiter.ts'
import type { GatewayOptions } from '../../options.ts'
import type { Sealing } from '../../secrets/sealing.ts'
import type { RequestContext } from '../requestContext.ts'
import type { ProviderClient } from './oidc/providerClient.ts'

/** The objects that the account routes share. */
export interface AuthServices {
  readonly options: GatewayOptions
  readonly limits: Limits
  readonly origins: Origins
  readonly passwords: Passwords
  readonly attempts: PasswordAttempts
  readonly signUpsByAddress: RateLimiter
  /** A user creates one API key at a time, so that their number is counted correctly. */
  readonly apiKeyCreations: KeyedSemaphore
  /** Undefined if `AUTH_MODE` is `password`. */
  readonly provider: ProviderClient | undefined
  /** Encrypts the cookies of sign-ins at the provider. */
  readonly flows: Sealing
  readonly providerSignInsByAddress: RateLimiter
  context(request: HttpRequest, principal: Principal): RequestContext
}
