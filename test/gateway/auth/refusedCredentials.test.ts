/** The text of a 401 names the credentials that the route accepts, and no other. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { openTo } from '../../../spec/core/principal.ts'
import { restRoutes } from '../../../spec/rest/routes.ts'
import { newToken, startTestGateway, type TestGateway } from '../../kit/runtime/testGateway.ts'

let world: TestGateway

before(async () => {
  world = await startTestGateway({ settings: { limits: { failedLookupsPerMinute: 1_000_000 } } })
})
after(() => world.stop())

const unknown: Readonly<Record<string, Record<string, string>>> = {
  'no credential': {},
  'an unknown session': { authorization: `Bearer ${newToken()}` },
  'an unknown API key': { 'x-api-key': newToken('svc_') },
  'two credentials': { 'x-api-key': newToken('svc_'), authorization: `Bearer ${newToken()}` },
}

async function messageOf(method: string, path: string, headers: Record<string, string>): Promise<string> {
  const response = await fetch(world.url + path, {
    method,
    headers: { 'content-type': 'application/json', ...headers },
    ...(method === 'GET' ? {} : { body: '{}' }),
  })
  const text = await response.text()
  assert.equal(response.status, 401, text)
  const body = JSON.parse(text) as { error?: { message: string }; errors?: { message: string }[] }
  return (body.error ?? body.errors?.[0])?.message ?? ''
}

describe('REST', () => {
  // The answer to a HEAD has no text.
  const guarded = restRoutes.filter(
    ({ method, access }) => method !== 'HEAD' && access !== 'public' && access !== 'visitors',
  )
  for (const { method, path, access } of guarded)
    test(`${method} ${path}`, async () => {
      const kinds = openTo(access)
      const isOpen = kinds.includes('anonymous')
      for (const [what, headers] of Object.entries(unknown)) {
        if (isOpen && what === 'no credential') continue
        const message = await messageOf(method, path, headers)
        const accepted = message.slice(message.indexOf(what === 'no credential' ? ': ' : 'Accepted here: '))
        assert.equal(/a session \(the session cookie, or its token in/.test(accepted), kinds.includes('user'), message)
        assert.equal(/an API key/.test(accepted), kinds.includes('apiKey'), message)
        assert.equal(/agent/.test(accepted), kinds.includes('agent'), message)
      }
    })
})

test('GraphQL and MCP name API keys too', async () => {
  for (const path of ['/api/graphql', '/api/mcp'])
    for (const headers of Object.values(unknown))
      assert.match(await messageOf('POST', path, headers), /a session .* or an API key \(in X-API-Key\) or an agent's/)
})
