/** Which hosts the provider's discovery document may name. */
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { createOutbound } from '../../../actors/effects/outbound/outbound.ts'
import { providerFetch } from '../../../gateway/operations/accounts/oidc/providerFetch.ts'
import { systemClock } from '../../kit/runtime/systemClock.ts'

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

test('a host from the settings may be on this machine, another host that the discovery document names may not', async () => {
  const server = createServer((_, res) => res.end('reached')).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const { port } = server.address() as AddressInfo
  const outbound = createOutbound({ allow: undefined, clock: systemClock })
  const ask = (host: string) =>
    providerFetch(provider, outbound)(`http://${host}:${port}/token`, {
      method: 'GET',
      body: undefined,
      headers: {},
      redirect: 'manual',
    })
  try {
    assert.equal(await (await ask('localhost')).text(), 'reached')
    for (const host of ['127.0.0.1', '[::1]'])
      await assert.rejects(ask(host), { name: 'OutboundFailed', problem: 'FORBIDDEN_ADDRESS' })
  } finally {
    server.close()
  }
})
