/** Classifies an IP address by the IANA special-purpose registries. Outbound requests may connect to `public` addresses only. */
import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/** `none`: not an address in its usual notation, for example `0177.0.0.1`, or an address with a zone ID. */
export type AddressKind = 'public' | 'none' | SpecialKind

type SpecialKind = keyof typeof specialRanges

const specialRanges = {
  unspecified: ['0.0.0.0/8', '::/128'],
  loopback: ['127.0.0.0/8', '::1/128'],
  private: ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7', 'fec0::/10'],
  'shared by a carrier': ['100.64.0.0/10'],
  // Most clouds serve metadata at 169.254.169.254. Amazon also serves it at fd00:ec2::254, which is private.
  'link-local': ['169.254.0.0/16', 'fe80::/10'],
  // Azure serves metadata at a public address.
  metadata: ['168.63.129.16/32'],
  multicast: ['224.0.0.0/4', 'ff00::/8'],
  documentation: ['192.0.2.0/24', '198.51.100.0/24', '203.0.113.0/24', '2001:db8::/32', '3fff::/20'],
  reserved: ['192.0.0.0/24', '192.88.99.0/24', '198.18.0.0/15', '240.0.0.0/4', '2001::/23'],
  // Globally reachable anycast services (AS112 and AMT), which serve no HTTP.
  anycast: ['192.31.196.0/24', '192.52.193.0/24', '192.175.48.0/24', '2620:4f:8000::/48'],
} as const

const specialCidrs = Object.entries(specialRanges).flatMap(([kind, ranges]) =>
  ranges.map((range) => ({ kind: kind as SpecialKind, cidr: ipaddr.parseCIDR(range) })),
)

/** All IPv6 addresses that IANA allocates to networks. */
const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3')

/** Offset in bytes of the IPv4 address inside an IPv6 address that leads to it, by the range of the IPv6 address. */
const ipv4Offsets: Partial<Record<string, number>> = { ipv4Mapped: 12, rfc6052: 12, '6to4': 2 }

export function addressKind(text: string): AddressKind {
  // ipaddr.js also accepts octal, hexadecimal and short forms, which programs read in different ways.
  if (isIP(text) === 0 || text.includes('%')) return 'none'
  // ipaddr.js 1.9 cannot parse `::192.0.2.1`. `URL` rewrites every IPv6 notation to hexadecimal groups.
  const canonical = isIP(text) === 6 ? new URL(`http://[${text}]`).hostname.slice(1, -1) : text
  return classify(ipaddr.parse(canonical))
}

function classify(address: ipaddr.IPv4 | ipaddr.IPv6): AddressKind {
  const isIpv6 = address instanceof ipaddr.IPv6
  const offset = isIpv6 ? ipv4Offsets[address.range()] : undefined
  if (offset !== undefined) return classify(new ipaddr.IPv4(address.toByteArray().slice(offset, offset + 4)))
  const special = specialCidrs.find(({ cidr }) => cidr[0].kind() === address.kind() && matches(address, cidr))
  if (special) return special.kind
  return isIpv6 && !address.match(globalUnicast) ? 'reserved' : 'public'
}

/** Both must be of the same family. The types of ipaddr.js cannot state that. */
function matches(address: ipaddr.IPv4 | ipaddr.IPv6, cidr: [ipaddr.IPv4 | ipaddr.IPv6, number]): boolean {
  return (address as ipaddr.IPv6).match(cidr as [ipaddr.IPv6, number])
}
