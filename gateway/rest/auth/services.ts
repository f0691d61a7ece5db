import type { MessageContext } from '../../../spec/operation.ts'
import type { Principal } from '../../../spec/principal.ts'
import type { Sealing } from '../../../spec/sealing/sealing.ts'
import type { Limits } from '../../limits.ts'
import type { GatewayOptions } from '../../options.ts'
import type { Origins } from '../../origins.ts'
import type { PasswordAttempts } from '../../passwordAttempts.ts'
import type { Passwords } from '../../passwords.ts'
import type { RateLimit } from '../../rateLimit.ts'
import type { HttpRequest } from '../../request.ts'
import type { ProviderClient } from './oidc/providerClient.ts'

/** What the account routes share. */
export interface AuthServices {
  readonly options: GatewayOptions
  readonly limits: Limits
  readonly origins: Origins
  readonly passwords: Passwords
  readonly attempts: PasswordAttempts
  readonly signUpsByAddress: RateLimit
  /** Unless `AUTH_MODE` is `password`. */
  readonly provider: ProviderClient | undefined
  /** Sign-ins that are under way at the provider. */
  readonly flows: Sealing
  readonly providerSignInsByAddress: RateLimit
  context(request: HttpRequest, principal: Principal): MessageContext
}
