/**
 * How the provider is reached. The hosts that the settings name are the administrator's choice; one that only a discovery document
 * names must have a public address, or a document could make this server ask its own network.
 */
import { lookup } from 'node:dns/promises'
import { BlockList, isIP } from 'node:net'
import type { CustomFetch } from 'openid-client'
import type { IdentityProvider } from '../../../../spec/settings/identityProvider.ts'
import { plainAddress } from '../../../addresses.ts'

// Two lists, since one would take every v4 address for a v6 one in its clothes.
const notPublic = { ipv4: new BlockList(), ipv6: new BlockList() }
for (const [network, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['224.0.0.0', 3],
] as const)
  notPublic.ipv4.addSubnet(network, prefix, 'ipv4')
// Only 2000::/3 is given out; 64:ff9b::/96, Teredo and 6to4 lead to v4 addresses.
for (const [network, prefix] of [
  ['::', 3],
  ['2001::', 32],
  ['2002::', 16],
  ['4000::', 2],
  ['8000::', 1],
] as const)
  notPublic.ipv6.addSubnet(network, prefix, 'ipv6')

export function isPublic(address: string): boolean {
  const plain = plainAddress(address)
  const family = isIP(plain) === 6 ? 'ipv6' : 'ipv4'
  return !notPublic[family].check(plain, family)
}

export function providerFetch({ endpoints, issuer }: IdentityProvider): CustomFetch {
  const named = new Set(
    [...Object.values(endpoints), issuer]
      .filter((value) => value !== undefined && URL.canParse(value))
      .map((url) => new URL(url as string).hostname),
  )
  return async (url, options) => {
    const { hostname } = new URL(url)
    if (!named.has(hostname)) await refusePrivate(hostname)
    return await fetch(url, options as RequestInit)
  }
}

async function refusePrivate(hostname: string): Promise<void> {
  const addresses = await lookup(hostname.replace(/^\[|\]$/g, ''), { all: true })
  if (!addresses.every(({ address }) => isPublic(address)))
    throw new Error(`the provider's discovery document names ${hostname}, whose address is not public`)
}
