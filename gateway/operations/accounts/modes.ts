/** The ways to sign in that `AUTH_MODE` leaves on. */
import { Failure } from '../../../spec/core/failure.ts'
import type { GatewaySettings } from '../../options.ts'
import type { ProviderClient } from './oidc/providerClient.ts'
import type { AuthServices } from './services.ts'

/** @throws Failure AUTH_MODE_DISABLED */
export function passwordsAllowed({ authMode }: GatewaySettings): void {
  if (authMode === 'oidc') throw new Failure('AUTH_MODE_DISABLED', 'Passwords are turned off on this server.')
}

/** @throws Failure AUTH_MODE_DISABLED */
export function providerAllowed({ provider }: Pick<AuthServices, 'provider'>): ProviderClient {
  if (provider === undefined)
    throw new Failure('AUTH_MODE_DISABLED', 'Signing in at a provider is turned off on this server.')
  return provider
}
