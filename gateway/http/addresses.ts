/** Determines the client address of a request: the peer, or the address that a trusted proxy reports. */
import { type BlockList, isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import { LRUCache } from 'lru-cache'

/** Parsing takes about 4 µs and happens for each request, so the results for recent addresses are kept. */
const ipv6Cache = new LRUCache<string, { readonly plain: string; readonly group: string }>({ max: 4_096 })

/** Converts IPv4-mapped IPv6 addresses to IPv4. Removes brackets and zone ID. */
export function plainAddress(address: string): string {
  const bare = address.startsWith('[') && address.endsWith(']') ? address.slice(1, -1) : address
  const [withoutZone = bare] = bare.split('%')
  return isIP(withoutZone) === 6 ? parseIpv6(withoutZone).plain : withoutZone
}

/** The key that rate limits count by: an IPv4 address, or the /64 network of an IPv6 address. */
export function addressGroup(address: string): string {
  return isIP(address) === 6 ? parseIpv6(address).group : address
}

function parseIpv6(text: string): { readonly plain: string; readonly group: string } {
  const cached = ipv6Cache.get(text)
  if (cached) return cached
  // ipaddr.js 1.9 cannot parse `::192.0.2.1`. `URL` rewrites every IPv6 notation to hexadecimal groups.
  const address = ipaddr.IPv6.parse(new URL(`http://[${text}]`).hostname.slice(1, -1))
  const network = address.parts.slice(0, 4).map((part) => part.toString(16))
  const parsed = {
    plain: address.isIPv4MappedAddress() ? address.toIPv4Address().toString() : text,
    group: `${network.join(':')}::/64`,
  }
  ipv6Cache.set(text, parsed)
  return parsed
}

export class TrustedProxies {
  readonly #list: BlockList | undefined

  constructor(list: BlockList | undefined) {
    this.#list = list
  }

  has(address: string): boolean {
    if (this.#list === undefined) return false
    const version = isIP(address)
    return version !== 0 && this.#list.check(address, version === 6 ? 'ipv6' : 'ipv4')
  }

  /** Returns the last address of `X-Forwarded-For` that is not a trusted proxy. */
  client(peer: string, forwardedFor: string | undefined): string {
    if (!this.has(peer) || forwardedFor === undefined) return peer
    let client = peer
    for (const hop of forwardedFor.split(',').reverse()) {
      client = plainAddress(hop.trim())
      if (isIP(client) === 0) return peer
      if (!this.has(client)) return client
    }
    return client
  }
}
