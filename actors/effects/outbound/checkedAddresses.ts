/** Finds the addresses to which a URL's request may connect. This is the only lookup of a request: the connection uses its result. */
import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import { OutboundFailed } from '../../../spec/core/outboundFailed.ts'
import type { OutboundAllow } from '../../../spec/settings/schemas.ts'
import { addressKind } from './addressKind.ts'

export interface Address {
  readonly address: string
  readonly family: number
}

export type Resolve = (host: string) => Promise<readonly Address[]>

/** The resolver that all programs on this machine use. */
export const systemResolve: Resolve = (host) => lookup(host, { all: true })

/** A URL's host without the brackets of an IPv6 address. */
export function hostOf({ hostname }: URL): string {
  return hostname.startsWith('[') ? hostname.slice(1, -1) : hostname
}

/**
 * Returns all addresses, or throws. One private address is enough to refuse the name.
 * @throws OutboundFailed UNKNOWN_HOST, FORBIDDEN_ADDRESS
 */
export async function checkedAddresses(
  url: URL,
  { resolve, allow }: { readonly resolve: Resolve; readonly allow: OutboundAllow | undefined },
): Promise<readonly Address[]> {
  const host = hostOf(url)
  const family = isIP(host)
  // The error of a lookup may contain the names of DNS servers.
  const addresses = family === 0 ? await resolve(host).catch(() => []) : [{ address: host, family }]
  if (addresses.length === 0) throw new OutboundFailed('UNKNOWN_HOST', `The host ${host} was not found.`)
  if (allow?.hosts.has(host) || addresses.every((one) => mayBeReached(one, allow))) return addresses
  throw new OutboundFailed(
    'FORBIDDEN_ADDRESS',
    `${host} has an address that is not public, and OUTBOUND_ALLOW has neither the host nor the address.`,
  )
}

function mayBeReached({ address }: Address, allow: OutboundAllow | undefined): boolean {
  const kind = addressKind(address)
  if (kind === 'public') return true
  return kind !== 'none' && allow?.addresses.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4') === true
}
