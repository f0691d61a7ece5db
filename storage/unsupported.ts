import { StartError } from './database/startError.ts'

/**
 * Stops the start if a setting is set that has no effect yet. Ignoring it silently would mislead the operator.
 *
 * @throws StartError
 */
export function refuseUnsupported({
  natsUrl,
  blobUrl,
}: {
  readonly natsUrl: unknown
  readonly blobUrl: unknown
}): void {
  for (const [name, value] of Object.entries({ NATS_URL: natsUrl, BLOB_URL: blobUrl }))
    if (value !== undefined)
      throw new StartError(`${name} is set, and this version of Signalbox does not serve it yet: remove it.`)
}
