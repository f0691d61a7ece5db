/**
 * How the provider is reached. The hosts that the settings name are the administrator's choice; one that only a discovery document
 * names is asked through the outbound client, or a document could make this server ask its own network.
 */
import type { CustomFetch } from 'openid-client'
import type { Outbound, OutboundRequest } from '../../../../actors/effects/outbound/port.ts'
import type { IdentityProvider } from '../../../../spec/settings/identityProvider.ts'

export function providerFetch({ endpoints, issuer }: IdentityProvider, outbound: Outbound): CustomFetch {
  const named = new Set(
    [...Object.values(endpoints), issuer]
      .filter((value) => value !== undefined && URL.canParse(value))
      .map((url) => new URL(url as string).hostname),
  )
  return async (url, options) =>
    named.has(new URL(url).hostname)
      ? await fetch(url, options as RequestInit)
      : await outbound.fetch(url, options as OutboundRequest)
}
