import { StartError } from './database/startError.ts'

/**
 * Stops the start if a setting is set that has no effect yet. Ignoring it silently would mislead the operator.
 *
 * @throws StartError
 */
export function refuseUnsupported({ natsUrl }: { readonly natsUrl: unknown }): void {
  if (natsUrl !== undefined)
    throw new StartError('NATS_URL is set, and this version of Signalbox does not serve it yet: remove it.')
}
