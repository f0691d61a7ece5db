/** What an address is for, by IANA's registries of special addresses. Only a public one is anybody's to ask for. */
import { BlockList, isIP } from 'node:net'

/** `none`: not an address as it is written everywhere (`0177.0.0.1`, or with a zone). */
export type AddressKind = 'public' | 'none' | Special

type Special = (typeof specials)[number][0]

const specials = [
  ['unspecified', ['0.0.0.0/8', '::/128']],
  ['loopback', ['127.0.0.0/8', '::1/128']],
  ['private', ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7', 'fec0::/10']],
  ['shared by a carrier', ['100.64.0.0/10']],
  // The metadata of most clouds is at 169.254.169.254; that of one is at a public address, and fd00:ec2::254 is private.
  ['link-local', ['169.254.0.0/16', 'fe80::/10']],
  ['metadata', ['168.63.129.16/32']],
  ['multicast', ['224.0.0.0/4', 'ff00::/8']],
  ['documentation', ['192.0.2.0/24', '198.51.100.0/24', '203.0.113.0/24', '2001:db8::/32', '3fff::/20']],
  ['reserved', ['192.0.0.0/24', '192.88.99.0/24', '198.18.0.0/15', '240.0.0.0/4', '2001::/23']],
] as const satisfies readonly (readonly [string, readonly string[]])[]

const lists = specials.map(([kind, ranges]) => [kind, listOf(ranges)] as const)

/** All that is given out to networks; what lies outside is reserved, IPv4-compatible addresses and NAT64's local prefix too. */
const globalUnicast = listOf(['2000::/3'])

export function addressKind(address: string): AddressKind {
  const version = isIP(address)
  if (version === 0 || address.includes('%')) return 'none'
  if (version === 4) return specialKind(address, 'ipv4') ?? 'public'
  const within = embeddedIpv4(address)
  if (within !== undefined) return addressKind(within)
  return specialKind(address, 'ipv6') ?? (globalUnicast.check(address, 'ipv6') ? 'public' : 'reserved')
}

function specialKind(address: string, family: 'ipv4' | 'ipv6'): Special | undefined {
  return lists.find(([, list]) => list.check(address, family))?.[0]
}

/** The IPv4 address that a packet to this one ends at: mapped (::ffff:…), by NAT64 (64:ff9b::…) or by 6to4 (2002:…). */
function embeddedIpv4(address: string): string | undefined {
  const groups = groupsOf(address)
  const [a, b, c, d, e, f, g, h] = groups as [number, number, number, number, number, number, number, number]
  const zeros = c === 0 && d === 0 && e === 0
  if (a === 0 && b === 0 && zeros && f === 0xffff) return dotted(g, h)
  if (a === 0x64 && b === 0xff9b && zeros && f === 0) return dotted(g, h)
  return a === 0x2002 ? dotted(b, c) : undefined
}

/** Eight numbers. `URL` writes any spelling in one way, without a dotted end. */
function groupsOf(address: string): readonly number[] {
  const [head = '', tail] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::')
  const numbers = (text: string) => (text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16)))
  const [left, right] = [numbers(head), numbers(tail ?? '')]
  return [...left, ...Array<number>(8 - left.length - right.length).fill(0), ...right]
}

function dotted(high: number, low: number): string {
  return [high >> 8, high & 255, low >> 8, low & 255].join('.')
}

function listOf(ranges: readonly string[]): BlockList {
  const list = new BlockList()
  for (const range of ranges) {
    const [address = '', prefix] = range.split('/')
    list.addSubnet(address, Number(prefix), isIP(address) === 4 ? 'ipv4' : 'ipv6')
  }
  return list
}
