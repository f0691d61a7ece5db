/** From which pages a browser's cookie may act: the settings, the request, and whether it passes; over HTTP and on both listeners' sockets. */
import assert from 'node:assert/strict'
import { BlockList } from 'node:net'
import { after, before, describe, test } from 'node:test'
import type { GatewaySettings } from '../../../gateway/options.ts'
import { raw } from '../../kit/program/raw.ts'
import { startTestGateway, type TestGateway } from '../../kit/runtime/testGateway.ts'

const proxy = new BlockList()
proxy.addSubnet('127.0.0.0', 8)
proxy.addAddress('::1', 'ipv6')

interface Case {
  readonly host?: string
  readonly headers: Readonly<Record<string, string>>
  readonly passes: boolean
}

const fromPage = (
  origin: string,
  host = 'localhost',
  more: Readonly<Record<string, string>> = {},
): Omit<Case, 'passes'> => ({
  host,
  headers: { origin, ...more },
})
const https = { 'x-forwarded-proto': 'https' }

/** A setting, a request, and the origin that follows from them. The host is that of the request. */
const worlds: Readonly<
  Record<string, { readonly settings: Partial<GatewaySettings>; readonly cases: Record<string, Case> }>
> = {
  'without settings the host of the request is trusted, and other sites are not': {
    settings: {},
    cases: {
      'its own page': { ...fromPage('http://localhost'), passes: true },
      'its own page on another port': { ...fromPage('http://localhost:8080', 'localhost:8080'), passes: true },
      'another port of the same host': { ...fromPage('http://localhost:8080'), passes: false },
      'the same host with another scheme': { ...fromPage('https://localhost'), passes: false },
      'another site': { ...fromPage('https://evil.example'), passes: false },
      'a site whose name begins like ours': { ...fromPage('http://localhost.evil.example'), passes: false },
      'a page without an origin': { ...fromPage('null'), passes: false },
      'an origin with a path': { ...fromPage('http://localhost/'), passes: false },
      'an empty origin': { ...fromPage(''), passes: false },
      'no origin, and Sec-Fetch-Site is same-origin': {
        headers: { 'sec-fetch-site': 'same-origin' },
        passes: true,
      },
      'no origin, and Sec-Fetch-Site is cross-site': {
        headers: { 'sec-fetch-site': 'cross-site' },
        passes: false,
      },
      'no origin, and Sec-Fetch-Site is same-site': {
        headers: { 'sec-fetch-site': 'same-site' },
        passes: false,
      },
      'no origin, and Sec-Fetch-Site is none': {
        headers: { 'sec-fetch-site': 'none' },
        passes: false,
      },
      'no origin and no Sec-Fetch-Site': { headers: {}, passes: false },
      'the forwarded protocol https without a trusted proxy': {
        ...fromPage('https://localhost', 'localhost', https),
        passes: false,
      },
    },
  },
  'with APP_ORIGINS its origins are trusted, and the host of the request is not': {
    settings: { appOrigins: ['https://dash.example', 'http://admin.example:8080'] },
    cases: {
      'the first origin': { ...fromPage('https://dash.example'), passes: true },
      'the second origin': { ...fromPage('http://admin.example:8080'), passes: true },
      'a listed host with another port': { ...fromPage('http://admin.example'), passes: false },
      'a listed host with another scheme': { ...fromPage('http://dash.example'), passes: false },
      'a subdomain of a listed host': { ...fromPage('https://x.dash.example'), passes: false },
      'the host of the request': { ...fromPage('http://localhost'), passes: false },
    },
  },
  'PUBLIC_BASE_URL is trusted without APP_ORIGINS': {
    settings: { publicBaseUrl: 'https://signalbox.example' },
    cases: {
      'the public origin, whatever the host': {
        ...fromPage('https://signalbox.example', 'internal:3000'),
        passes: true,
      },
      'the host of the request': { ...fromPage('http://internal:3000', 'internal:3000'), passes: true },
      'another site': { ...fromPage('https://evil.example', 'signalbox.example'), passes: false },
    },
  },
  'APP_ORIGINS and PUBLIC_BASE_URL are trusted together': {
    settings: { appOrigins: ['https://dash.example'], publicBaseUrl: 'https://signalbox.example' },
    cases: {
      'the listed origin': { ...fromPage('https://dash.example'), passes: true },
      'the public origin': { ...fromPage('https://signalbox.example'), passes: true },
      'the host of the request': { ...fromPage('http://localhost'), passes: false },
    },
  },
  'behind a trusted proxy the forwarded protocol is trusted': {
    settings: { trustedProxies: proxy },
    cases: {
      'its own page, over https': { ...fromPage('https://localhost', 'localhost', https), passes: true },
      'its own page, over http': { ...fromPage('http://localhost', 'localhost', https), passes: false },
      'the last proxy forwards http': {
        ...fromPage('https://localhost', 'localhost', { 'x-forwarded-proto': 'https, http' }),
        passes: false,
      },
    },
  },
}

for (const [what, { settings, cases }] of Object.entries(worlds)) {
  describe(what, () => {
    let world: TestGateway
    let cookie: string
    before(async () => {
      world = await startTestGateway({ settings })
      cookie = `signalbox=${(await world.signIn()).token}`
    })
    after(() => world.stop())

    for (const [page, { host = 'localhost', headers, passes }] of Object.entries(cases)) {
      test(`${page}: ${passes ? 'passes' : 'is refused'}`, async () => {
        // If the public origin is https, the cookie's name has a prefix.
        const cookies = cookie.replace('signalbox', '__Host-signalbox')
        const own = { host, ...headers, cookie: `${cookie}; ${cookies}` }
        const { port, agentPort } = world.gateway
        assert.equal(await posted(port, '/api/graphql', own), passes ? 200 : 403, 'a request with the cookie')
        assert.equal(await upgraded(port, own), passes ? 101 : 403, 'a socket')
        assert.equal(await upgraded(agentPort, own), passes ? 101 : 403, 'a socket of the agents’ listener')
        // Without a cookie only the sign-in is protected: a page could make a browser sign in as another user.
        const { cookie: _, ...bare } = own
        const isPage = 'origin' in headers || 'sec-fetch-site' in headers
        assert.equal(await posted(port, '/api/auth/sign-in/email', bare), isPage && !passes ? 403 : 400, 'a sign-in')
        assert.equal(await upgraded(port, bare), isPage && !passes ? 403 : 101, 'a socket without a cookie')
        const mcp = await posted(port, '/api/mcp', bare)
        assert.equal(mcp, isPage && !passes ? 403 : 401, 'MCP without a credential')
      })
    }

    test('a request that reads and a request with a bearer token are accepted from any origin', async () => {
      const { port } = world.gateway
      const foreign = { host: 'localhost', origin: 'https://evil.example' }
      const read = await raw(port, [head('GET /api/auth/get-session', { ...foreign, cookie })])
      assert.equal(read.status, 200)
      const authorization = `Bearer ${cookie.slice('signalbox='.length)}`
      assert.equal(await posted(port, '/api/graphql', { ...foreign, authorization }), 200)
    })
  })
}

test('the refusal has the code INVALID_ORIGIN and comes before the body is read', async () => {
  const world = await startTestGateway()
  try {
    const headers = { host: 'localhost', origin: 'https://evil.example', 'content-length': '5000000' }
    const { status, body } = await raw(world.gateway.port, [head('POST /api/auth/sign-in/email', headers)])
    const { code, message } = JSON.parse(body) as { code: string; message: string }
    assert.deepEqual([status, code, message], [403, 'INVALID_ORIGIN', 'Invalid origin'])
  } finally {
    await world.stop()
  }
})

function head(start: string, headers: Readonly<Record<string, string>>): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  return `${[`${start} HTTP/1.1`, ...lines].join('\r\n')}\r\n\r\n`
}

async function posted(port: number, path: string, headers: Readonly<Record<string, string>>): Promise<number> {
  const body = path === '/api/graphql' ? '{"query":"{ health }"}' : 'unreadable'
  const own = { 'content-type': 'application/json', 'content-length': String(body.length), ...headers }
  return (await raw(port, [head(`POST ${path}`, own) + body])).status
}

async function upgraded(port: number, headers: Readonly<Record<string, string>>): Promise<number> {
  const upgrade = {
    connection: 'Upgrade',
    upgrade: 'websocket',
    'sec-websocket-version': '13',
    'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
    'sec-websocket-protocol': 'graphql-transport-ws',
  }
  return (await raw(port, [head('GET /graphql', { ...upgrade, ...headers })])).status
}
