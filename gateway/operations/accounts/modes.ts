/** Checks whether `AUTH_MODE` permits a method of sign-in. */
import { Failure } from '../../../spec/core/failure.ts'
import type { GatewaySettings } from '../../options.ts'
import type { ProviderClient } from './oidc/providerClient.ts'
import type { AuthServices } from './services.ts'

/** @throws Failure AUTH_MODE_DISABLED */
export function requirePasswordMode({ authMode }: GatewaySettings): void {
  if (authMode === 'oidc')
    throw new Failure(
      'AUTH_MODE_DISABLED',
      'Sign-in with a password is disabled on this server. Sign in at the identity provider.',
    )
}

/** @throws Failure AUTH_MODE_DISABLED */
export function requireProvider({ provider }: Pick<AuthServices, 'provider'>): ProviderClient {
  if (provider === undefined)
    throw new Failure(
      'AUTH_MODE_DISABLED',
      'Sign-in at an identity provider is disabled on this server. Sign in with a password.',
    )
  return provider
}
