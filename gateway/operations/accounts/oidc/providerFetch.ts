/**
 * Sends requests to the provider. The administrator chose the hosts in the settings. Other hosts, which only a discovery document
 * names, are requested through the outbound client. Otherwise a document could make this server send requests to its own network.
 */
import type { CustomFetch } from 'openid-client'
import type { Outbound, OutboundRequest } from '../../../../actors/effects/outbound/port.ts'
import type { IdentityProvider } from '../../../../spec/settings/identityProvider.ts'

export function providerFetch({ endpoints, issuer }: IdentityProvider, outbound: Outbound): CustomFetch {
  const settingsHosts = new Set(
    [...Object.values(endpoints), issuer]
      .filter((value) => value !== undefined && URL.canParse(value))
      .map((url) => new URL(url as string).hostname),
  )
  return async (url, options) =>
    settingsHosts.has(new URL(url).hostname)
      ? await fetch(url, options as RequestInit)
      : await outbound.fetch(url, options as OutboundRequest)
}
