/** Whose address a request counts as: the peer's, or what a trusted proxy says of its own peer. */
import { type BlockList, isIP } from 'node:net'

/** A v4 address in v6 clothes is the v4 address; a zone is not part of an address. */
export function plainAddress(address: string): string {
  const bare = address.startsWith('[') && address.endsWith(']') ? address.slice(1, -1) : address
  const mapped = /^(?:0{1,4}:){5}ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/i.exec(bare)
  if (mapped) {
    const high = Number.parseInt(mapped[1] ?? '0', 16)
    const low = Number.parseInt(mapped[2] ?? '0', 16)
    return `${high >> 8}.${high & 255}.${low >> 8}.${low & 255}`
  }
  const dotted = /^(?:::|(?:0{1,4}:){5})ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(bare)
  return dotted?.[1] ?? bare.split('%')[0] ?? bare
}

/** What limits are counted by: an IPv4 address, or the /64 that one IPv6 subscriber has. */
export function addressGroup(address: string): string {
  if (isIP(address) !== 6) return address
  const [head = '', tail] = address.toLowerCase().split('::')
  const left = head === '' ? [] : head.split(':')
  const right = tail === undefined || tail === '' ? [] : tail.split(':')
  const gap = tail === undefined ? 0 : Math.max(0, 8 - left.length - right.length)
  const groups = [...left, ...Array<string>(gap).fill('0'), ...right]
  return `${groups
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, ''))
    .join(':')}::/64`
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

  /** The nearest address that no trusted proxy answers for, read from the right. */
  client(peer: string, forwardedFor: string | undefined): string {
    if (!this.has(peer) || forwardedFor === undefined) return peer
    const hops = forwardedFor.split(',').map((hop) => plainAddress(hop.trim()))
    for (const hop of hops.reverse()) {
      if (isIP(hop) === 0) return peer
      if (!this.has(hop)) return hop
    }
    return hops.at(-1) ?? peer
  }
}
