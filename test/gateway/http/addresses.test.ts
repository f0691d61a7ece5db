import assert from 'node:assert/strict'
import { BlockList } from 'node:net'
import { describe, test } from 'node:test'
import { addressGroup, plainAddress, TrustedProxies } from '../../../gateway/http/addresses.ts'

describe('plainAddress', () => {
  const cases: readonly [address: string, plain: string][] = [
    ['192.0.2.1', '192.0.2.1'],
    ['0000:0000:0000:0000:0000:ffff:c000:0201', '192.0.2.1'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['::FFFF:c000:201', '192.0.2.1'],
    ['[::ffff:192.0.2.1]', '192.0.2.1'],
    ['::192.0.2.1', '::192.0.2.1'],
    ['[2001:db8::1]', '2001:db8::1'],
    ['fe80::1%eth0', 'fe80::1'],
    ['localhost', 'localhost'],
    ['0300.0.2.1', '0300.0.2.1'],
    ['', ''],
  ]
  for (const [address, plain] of cases)
    test(`converts "${address}" to "${plain}"`, () => assert.equal(plainAddress(address), plain))
})

describe('addressGroup', () => {
  const cases: readonly [address: string, group: string][] = [
    ['192.0.2.1', '192.0.2.1'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['2001:0DB8:0000:0000:ffff::', '2001:db8:0:0::/64'],
    ['::192.0.2.1', '0:0:0:0::/64'],
    ['unknown', 'unknown'],
  ]
  for (const [address, group] of cases)
    test(`counts "${address}" under "${group}"`, () => assert.equal(addressGroup(address), group))
})

describe('the client address behind a trusted proxy', () => {
  const list = new BlockList()
  list.addSubnet('10.0.0.0', 8, 'ipv4')
  const proxies = new TrustedProxies(list)
  const cases: readonly [words: string, forwardedFor: string, client: string][] = [
    ['is the last address that is not a proxy', '198.51.100.1, 192.0.2.1, 10.0.0.2', '192.0.2.1'],
    ['is the first address if all are proxies', '10.0.0.3, 10.0.0.2', '10.0.0.3'],
    ['is the peer if the header contains other text', 'unknown', '10.0.0.1'],
    ['is the peer if the header contains an octal address', '0300.0.2.1', '10.0.0.1'],
    ['does not depend on the text before it', 'x, ::192.0.2.9', '::192.0.2.9'],
  ]
  for (const [words, forwardedFor, client] of cases)
    test(words, () => assert.equal(proxies.client('10.0.0.1', forwardedFor), client))
})
