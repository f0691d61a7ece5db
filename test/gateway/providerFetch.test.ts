/** Which hosts the provider's discovery document may name. */
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { isPublic, providerFetch } from '../../gateway/rest/auth/oidc/providerFetch.ts'

const provider = {
  id: 'corp',
  name: 'Corp',
  clientId: 'c',
  clientSecret: 's',
  scopes: ['openid'],
  endpoints: { from: 'discovery', discoveryUrl: 'http://localhost:1/.well-known/openid-configuration' },
  issuer: undefined,
  requireIssuerValidation: false,
} as const

test('private, loopback, link-local and metadata addresses are not public, however they are written', () => {
  const inside = [
    ...[
      '127.0.0.1',
      '10.1.2.3',
      '172.16.0.1',
      '192.168.1.1',
      '169.254.169.254',
      '100.64.0.1',
      '0.0.0.0',
      '255.255.255.255',
    ],
    ...['::1', '::', 'fe80::1', 'fd00::1', '::ffff:10.0.0.1', '64:ff9b::a00:1', '2002:a00:1::', 'ff02::1'],
  ]
  assert.deepEqual(inside.filter(isPublic), [])
  assert.deepEqual(['1.1.1.1', '172.32.0.1', '2606:4700::1111'].filter(isPublic).length, 3)
})

test('a host of the settings may be on this machine, another that the document names may not', async () => {
  const server = createServer((_, res) => res.end('reached')).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const { port } = server.address() as AddressInfo
  const ask = (host: string) =>
    providerFetch(provider)(`http://${host}:${port}/token`, {
      method: 'GET',
      body: undefined,
      headers: {},
      redirect: 'manual',
    })
  try {
    assert.equal(await (await ask('localhost')).text(), 'reached')
    await assert.rejects(ask('127.0.0.1'), /whose address is not public/)
    await assert.rejects(ask('[::1]'), /whose address is not public/)
  } finally {
    server.close()
  }
})
