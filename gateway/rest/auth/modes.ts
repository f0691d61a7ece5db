import { Failure } from '../../../spec/failure.ts'
import type { GatewaySettings } from '../../options.ts'

/** @throws Failure AUTH_MODE_DISABLED */
export function passwordsAllowed({ authMode }: GatewaySettings): void {
  if (authMode === 'oidc') throw new Failure('AUTH_MODE_DISABLED', 'Passwords are turned off on this server.')
}
