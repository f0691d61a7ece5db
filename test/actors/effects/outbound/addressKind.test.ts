/** Which addresses are anybody's to ask for. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { type AddressKind, addressKind } from '../../../../actors/effects/outbound/addressKind.ts'

const addresses: readonly [words: string, address: string, kind: AddressKind][] = [
  ['a server on the internet', '93.184.215.14', 'public'],
  ['a server on the internet by IPv6', '2606:2800:21f:cb07:6820:80da:af6b:8b2c', 'public'],
  ['the lowest public address', '1.0.0.0', 'public'],
  ['the highest public address', '223.255.255.255', 'public'],
  ['all zeros', '0.0.0.0', 'unspecified'],
  ['this network', '0.1.2.3', 'unspecified'],
  ['all zeros by IPv6', '::', 'unspecified'],
  ['this machine', '127.0.0.1', 'loopback'],
  ['the last address of this machine', '127.255.255.254', 'loopback'],
  ['this machine by IPv6', '::1', 'loopback'],
  ['this machine, written out', '0:0:0:0:0:0:0:1', 'loopback'],
  ['a company’s network', '10.0.0.1', 'private'],
  ['before the private 172', '172.15.255.255', 'public'],
  ['the first of the private 172', '172.16.0.0', 'private'],
  ['the last of the private 172', '172.31.255.255', 'private'],
  ['after the private 172', '172.32.0.0', 'public'],
  ['a home network', '192.168.1.1', 'private'],
  ['a unique local address', 'fd12:3456:789a::1', 'private'],
  ['Amazon’s metadata by IPv6', 'fd00:ec2::254', 'private'],
  ['a site-local address', 'fec0::1', 'private'],
  ['the metadata of most clouds', '169.254.169.254', 'link-local'],
  ['the credentials of Amazon’s containers', '169.254.170.2', 'link-local'],
  ['link-local by IPv6', 'fe80::1', 'link-local'],
  ['the end of link-local', 'febf:ffff::1', 'link-local'],
  ['Azure’s metadata', '168.63.129.16', 'metadata'],
  ['beside Azure’s metadata', '168.63.129.17', 'public'],
  ['Alibaba’s metadata', '100.100.100.200', 'shared by a carrier'],
  ['a carrier’s NAT', '100.64.0.1', 'shared by a carrier'],
  ['after the carrier’s NAT', '100.128.0.0', 'public'],
  ['Oracle’s metadata', '192.0.0.192', 'reserved'],
  ['multicast', '224.0.0.251', 'multicast'],
  ['multicast by IPv6', 'ff02::1', 'multicast'],
  ['broadcast', '255.255.255.255', 'reserved'],
  ['class E', '240.0.0.1', 'reserved'],
  ['benchmarks', '198.18.0.1', 'reserved'],
  ['documentation', '203.0.113.9', 'documentation'],
  ['documentation by IPv6', '2001:db8::1', 'documentation'],
  ['the 6to4 relay', '192.88.99.1', 'reserved'],
  ['Teredo', '2001:0:4136:e378:8000:63bf:3fff:fdd2', 'reserved'],
  ['the discard prefix', '100::1', 'reserved'],
  ['an unassigned range', '4000::1', 'reserved'],
  ['mapped: this machine', '::ffff:127.0.0.1', 'loopback'],
  ['mapped: this machine in hex', '::ffff:7f00:1', 'loopback'],
  ['mapped: metadata, written out', '0:0:0:0:0:ffff:a9fe:a9fe', 'link-local'],
  ['mapped: metadata in capitals', '::FFFF:A9FE:A9FE', 'link-local'],
  ['mapped: a public one', '::ffff:93.184.215.14', 'public'],
  ['compatible: this machine', '::127.0.0.1', 'reserved'],
  ['compatible: a public one', '::93.184.215.14', 'reserved'],
  ['translated: this machine', '::ffff:0:127.0.0.1', 'reserved'],
  ['NAT64: a private one', '64:ff9b::10.0.0.1', 'private'],
  ['NAT64: a public one', '64:ff9b::93.184.215.14', 'public'],
  ['NAT64 with a local prefix', '64:ff9b:1::93.184.215.14', 'reserved'],
  ['6to4: this machine', '2002:7f00:1::1', 'loopback'],
  ['6to4: metadata', '2002:a9fe:a9fe::', 'link-local'],
  ['6to4: a public one', '2002:5db8:d70e::1', 'public'],
  ['6to4: a private one', '2002:c0a8:101::', 'private'],
  ['6to4: carrier-grade NAT', '2002:6440:1::', 'shared by a carrier'],
  ['NAT64: metadata', '64:ff9b::169.254.169.254', 'link-local'],
  ['NAT64: metadata in hex', '64:ff9b::a9fe:a9fe', 'link-local'],
  ['NAT64: carrier-grade NAT', '64:ff9b::100.64.0.1', 'shared by a carrier'],
  ['NAT64: this machine, written out', '0064:ff9b:0:0:0:0:127.0.0.1', 'loopback'],
  ['beside NAT64', '64:ff9b:0:0:0:1:7f00:1', 'reserved'],
  ['mapped: all zeros', '::ffff:0.0.0.0', 'unspecified'],
  ['mapped: a private one', '::ffff:192.168.0.1', 'private'],
  ['mapped: carrier-grade NAT', '::ffff:100.64.0.1', 'shared by a carrier'],
  ['mapped: Azure’s metadata', '::ffff:168.63.129.16', 'metadata'],
  ['mapped: broadcast', '::ffff:255.255.255.255', 'reserved'],
  ['the first carrier-grade NAT', '100.64.0.0', 'shared by a carrier'],
  ['the last carrier-grade NAT', '100.127.255.255', 'shared by a carrier'],
  ['before carrier-grade NAT', '100.63.255.255', 'public'],
  ['before link-local', '169.253.255.255', 'public'],
  ['after link-local', '169.255.0.0', 'public'],
  ['the first unique local', 'fc00::', 'private'],
  ['the last unique local', 'fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff', 'private'],
  ['all zeros, written out', '0:0:0:0:0:0:0:0', 'unspecified'],
  ['ORCHIDv2', '2001:20::1', 'reserved'],
  ['segment routing', '5f00::1', 'reserved'],
  ['an anycast DNS sink', '192.175.48.1', 'anycast'],
  ['an anycast DNS sink by IPv6', '2620:4f:8000::1', 'anycast'],
  ['a public one with a dotted end', '2606:2800::93.184.215.14', 'public'],
  ['documentation with a dotted end', '2001:db8::93.184.215.14', 'documentation'],
  ['a zone', 'fe80::1%eth0', 'none'],
  ['a mapped one with a zone', '::ffff:93.184.215.14%1', 'none'],
  ['an empty zone', '2606:2800::1%', 'none'],
  ['a zone on a public one', '2606:2800::1%1', 'none'],
  ['octal', '0177.0.0.1', 'none'],
  ['octal that reads as public in decimal', '010.8.8.8', 'none'],
  ['octal as one number', '017700000001', 'none'],
  ['hex', '0x7f.0.0.1', 'none'],
  ['hex as one number', '0x7f000001', 'none'],
  ['mapped octal', '::ffff:0177.0.0.1', 'none'],
  ['mapped hex parts', '::ffff:0x7f.0.0.1', 'none'],
  ['decimal', '2130706433', 'none'],
  ['short', '127.1', 'none'],
  ['a dot at its end', '127.0.0.1.', 'none'],
  ['brackets', '[::1]', 'none'],
  ['a space', ' 127.0.0.1', 'none'],
  ['a name', 'localhost', 'none'],
  ['an empty text', '', 'none'],
]

describe('the kind of an address:', () => {
  for (const [words, address, kind] of addresses)
    test(`${words} is ${kind}`, () => assert.equal(addressKind(address), kind))
})

const byte = fc.integer({ min: 0, max: 255 })
const hex = (high: number, low: number) => ((high << 8) | low).toString(16)

test('an IPv4 address has the same kind inside a mapped, NAT64 or 6to4 IPv6 address', () => {
  fc.assert(
    fc.property(byte, byte, byte, byte, (a, b, c, d) => {
      const kind = addressKind(`${a}.${b}.${c}.${d}`)
      const [high, low] = [hex(a, b), hex(c, d)]
      for (const dressed of [
        `::ffff:${a}.${b}.${c}.${d}`,
        `::ffff:${high}:${low}`,
        `64:ff9b::${high}:${low}`,
        `2002:${high}:${low}::1`,
      ])
        assert.equal(addressKind(dressed), kind, dressed)
    }),
    { numRuns: 2_000 },
  )
})

test('an IPv6 address is public only in 2000::/3, or if it is NAT64 or mapped', () => {
  fc.assert(
    fc.property(fc.ipV6(), (address) => {
      if (addressKind(address) !== 'public') return
      const first = new URL(`http://[${address}]`).hostname.slice(1).split(':')[0] || '0'
      const number = Number.parseInt(first, 16)
      assert.ok((number >= 0x2000 && number <= 0x3fff) || number === 0x64 || number === 0, address)
    }),
    { numRuns: 2_000 },
  )
})
