/** The headers of every HTTP response, and the requests that are refused before a route handles them. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { BlockList } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { sendEndlessBody } from '../../kit/program/endlessBody.ts'
import { raw } from '../../kit/program/raw.ts'
import { newToken, startTestGateway, type TestGateway } from '../../kit/runtime/testGateway.ts'

let world: TestGateway
let session: Record<string, string>

before(async () => {
  world = await startTestGateway({ settings: { limits: { bodyMs: 700 } } })
  session = { authorization: `Bearer ${(await world.signIn()).token}` }
})
after(() => world.stop())

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

describe('every response', () => {
  const paths = ['/api/public/health', '/nowhere', '/api/graphql', '/api/auth/api-key/list']
  test('has the x-request-id of the caller if it is valid, and a UUID otherwise', async () => {
    for (const path of paths) {
      const id = async (own?: string) =>
        (await fetch(world.url + path, { headers: own === undefined ? {} : { 'x-request-id': own } })).headers.get(
          'x-request-id',
        )
      assert.equal(await id('order-66'), 'order-66')
      assert.equal(await id('x'.repeat(128)), 'x'.repeat(128))
      for (const unfit of [undefined, 'x'.repeat(129), 'with space']) assert.match((await id(unfit)) ?? '', uuid)
    }
  })

  test('forbids content sniffing, framing and storing', async () => {
    const { headers } = await fetch(`${world.url}/nowhere`)
    assert.equal(headers.get('x-content-type-options'), 'nosniff')
    assert.equal(headers.get('x-frame-options'), 'DENY')
    assert.equal(headers.get('cache-control'), 'no-store')
    assert.match(headers.get('content-security-policy') ?? '', /default-src 'none'/)
  })

  test('has Strict-Transport-Security only if the public origin is https', async () => {
    const proxies = new BlockList()
    proxies.addAddress('127.0.0.1')
    const worlds = [
      [{ publicBaseUrl: 'https://signalbox.example' }, true],
      [{ publicBaseUrl: 'https://signalbox.example', trustedProxies: proxies }, true],
      [{ trustedProxies: proxies }, true],
      [{ publicBaseUrl: 'http://signalbox.example', trustedProxies: proxies }, false],
      [{}, false],
    ] as const
    for (const [settings, said] of worlds) {
      const one = await startTestGateway({ settings })
      try {
        const { port, agentPort } = one.gateway
        const headers = 'Host: localhost\r\nX-Forwarded-Proto: https'
        for (const path of ['/api/public/health', '/nowhere', '/graphql'])
          for (const listener of [port, agentPort]) {
            const { head } = await raw(listener, [`GET ${path} HTTP/1.1\r\n${headers}\r\n\r\n`])
            assert.equal(/^strict-transport-security: max-age=31536000$/im.test(head), said, `${path} ${head}`)
          }
      } finally {
        await one.stop()
      }
    }
  })

  test('names the media type of its body, and the charset of a text', async () => {
    const shown = ['/api/graphql', '/api/openapi.json', '/api/public/agent/signalbox-agent.mjs', ...paths]
    for (const path of shown) {
      const response = await fetch(world.url + path, { headers: { accept: 'text/html, application/json' } })
      if ((await response.text()) === '') continue
      const type = response.headers.get('content-type') ?? ''
      assert.match(type, /^application\/json|^application\/graphql-response\+json|^text\/[a-z]+; ?charset=utf-8$/, path)
    }
  })

  test('is logged with request ID, principal, route, status and duration', async () => {
    await world.graphql('{ health }', {}, { ...session, 'x-request-id': 'look-me-up' })
    const line = world.logs.find((entry) => entry.requestId === 'look-me-up' && entry.msg === 'request')
    assert.equal(line?.route, '/api/graphql')
    assert.equal(line?.status, 200)
    assert.equal(typeof line?.ms, 'number')
    assert.match(String(line?.principal), /^usr_/)
    assert.doesNotMatch(JSON.stringify(world.logs), new RegExp(session.authorization?.slice(7) ?? 'none'))
  })
})

describe('a path or method that is not served', () => {
  test('an unknown path gets 404 with the REST envelope', async () => {
    const response = await fetch(`${world.url}/api/nothing/here`, { headers: { 'x-request-id': 'lost' } })
    assert.equal(response.status, 404)
    assert.match(response.headers.get('content-type') ?? '', /^application\/json/)
    assert.deepEqual(await response.json(), {
      error: { code: 'NOT_FOUND', message: 'There is nothing at this path.', requestId: 'lost' },
    })
  })

  test('another method gets 405 with Allow, OPTIONS gets 204, and HEAD gets the response of GET without its body', async () => {
    const other = await fetch(`${world.url}/api/public/health`, { method: 'DELETE' })
    assert.equal(other.status, 405)
    assert.equal(other.headers.get('allow'), 'GET, HEAD, OPTIONS')
    assert.equal((await fetch(`${world.url}/api/public/health`, { method: 'OPTIONS' })).status, 204)
    const head = await fetch(`${world.url}/api/public/health`, { method: 'HEAD' })
    assert.equal(head.status, 200)
    assert.equal(head.headers.get('content-length'), '15')
    assert.equal(await head.text(), '')
  })
})

describe('bodies', () => {
  const post = (headers: Record<string, string>, body: string) =>
    fetch(`${world.url}/api/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body,
    })

  test('a body of 6 MiB is read, and one byte more gets 413', async () => {
    const padded = (size: number) => {
      const body = JSON.stringify({ query: '{ health }', extensions: { pad: '' } })
      return body.replace('""', `"${'x'.repeat(size - body.length)}"`)
    }
    const mib = 1024 * 1024
    assert.equal((await post(session, padded(6 * mib))).status, 200)
    const over = await post(session, padded(6 * mib + 1))
    assert.equal(over.status, 413)
    const { errors } = (await over.json()) as { errors: { extensions: { code: string } }[] }
    assert.equal(errors[0]?.extensions.code, 'PAYLOAD_TOO_LARGE')
  })

  test('an endless body without a length is cut off at the limit', async () => {
    const headers = { 'content-type': 'application/json', ...session }
    const { status, sent } = await sendEndlessBody(world.gateway.port, '/api/graphql', headers, 400 * 1024 * 1024)
    assert.ok(status === undefined || status === 413, String(status))
    assert.ok(sent < 200 * 1024 * 1024, `${sent} bytes were received`)
  })

  test('a large body without a credential gets 401', async () => {
    const response = await post({}, JSON.stringify({ query: '{ health }', pad: 'x'.repeat(1_000_000) }))
    assert.equal(response.status, 401)
  })

  test('a body that arrives too slowly gets 408', async () => {
    const head = `POST /api/graphql HTTP/1.1\r\nHost: localhost\r\nAuthorization: ${session.authorization}\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{`
    const drops = Array.from({ length: 12 }, () => ({ afterMs: 100, text: ' ' }))
    const began = Date.now()
    const { status } = await raw(world.gateway.port, [head, ...drops])
    assert.equal(status, 408)
    assert.ok(Date.now() - began < 2_000)
  })

  for (const [what, lines] of Object.entries({
    'two lengths': ['content-length: 22', 'content-length: 5'],
    'the same length twice': ['content-length: 22', 'content-length: 22'],
    'a length and chunks': ['content-length: 22', 'transfer-encoding: chunked'],
    'chunks and a length': ['transfer-encoding: chunked', 'content-length: 22'],
    'an unknown encoding': ['transfer-encoding: xchunked'],
    'chunks within another encoding': ['transfer-encoding: gzip, chunked'],
    'a length that is not a decimal number': ['content-length: 0x16'],
    'a negative length': ['content-length: -1'],
    'several lengths in one header': ['content-length: 22, 22'],
  })) {
    test(`if a body has ${what}, the connection ends, and the text after it is never read as a request`, async () => {
      const head = ['POST /api/graphql HTTP/1.1', 'host: localhost', 'content-type: application/json', ...lines]
      const sent = [...head, `authorization: ${session.authorization}`].join('\r\n')
      for (const body of ['{"query":"{ health }"}', '16\r\n{"query":"{ health }"}\r\n0\r\n\r\n']) {
        const id = randomUUID()
        const hidden = `GET /api/public/health HTTP/1.1\r\nhost: localhost\r\nx-request-id: ${id}\r\n\r\n`
        const { status } = await raw(world.gateway.port, [`${sent}\r\n\r\n${body}${hidden}`])
        assert.ok(status === 0 || status === 400, `${status}`)
        assert.ok(!world.logs.some(({ requestId }) => requestId === id))
      }
    })
  }

  test('a body in chunks is read like a body with a length', async () => {
    const head =
      'POST /api/graphql HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ntransfer-encoding: Chunked'
    const body = '16\r\n{"query":"{ health }"}\r\n0\r\n\r\n'
    const sent = `${head}\r\nauthorization: ${session.authorization}\r\n\r\n${body}`
    assert.equal((await raw(world.gateway.port, [sent])).status, 200)
  })

  test('a body that is not JSON gets 400, and another media type gets 415', async () => {
    assert.equal((await post(session, '{"query":')).status, 400)
    assert.equal((await post({ ...session, 'content-type': 'text/plain' }, '{}')).status, 415)
  })
})

describe('hosts', () => {
  const health = (host: string) => raw(world.gateway.port, [`GET /api/public/health HTTP/1.1\r\nHost: ${host}\r\n\r\n`])
  test('on a loopback address only local host names are served, on both listeners', async () => {
    for (const host of ['localhost', '127.0.0.1', '[::1]', 'LOCALHOST:80'])
      assert.equal((await health(host)).status, 200)
    for (const host of ['evil.example', 'localhost.evil.example', '127.0.0.1.nip.io', '']) {
      assert.notEqual((await health(host)).status, 200, host)
    }
    const agents = await raw(world.gateway.agentPort, ['GET /api/public/health HTTP/1.1\r\nHost: evil.example\r\n\r\n'])
    assert.equal(agents.status, 403)
  })

  test('with PUBLIC_BASE_URL other host names are served', async () => {
    const open = await startTestGateway({ settings: { publicBaseUrl: 'https://signalbox.example' } })
    try {
      const request = 'GET /api/public/health HTTP/1.1\r\nHost: signalbox.example\r\n\r\n'
      assert.equal((await raw(open.gateway.port, [request])).status, 200)
    } finally {
      await open.stop()
    }
  })
})

describe('failed credentials', () => {
  test('after 30 failures in a minute an address gets 429, and a valid credential is still accepted', async () => {
    const proxies = new BlockList()
    proxies.addAddress('127.0.0.1')
    const behind = await startTestGateway({ settings: { trustedProxies: proxies } })
    try {
      const from = async (address: string, token: string) =>
        (
          await behind.graphql(
            '{ health }',
            {},
            { authorization: `Bearer ${token}`, 'x-forwarded-for': `9.9.9.9, ${address}` },
          )
        ).status
      for (let n = 0; n < 30; n++) assert.equal(await from('203.0.113.7', newToken()), 401)
      assert.equal(await from('203.0.113.7', newToken()), 429)
      assert.equal(await from('203.0.113.7', (await behind.signIn()).token), 200)
      assert.equal(await from('203.0.113.8', newToken()), 401)
      for (let n = 0; n < 30; n++) await from(`2001:db8:1:1::${n}`, newToken())
      assert.equal(await from('2001:db8:1:1:ffff::1', newToken()), 429)
      assert.equal(await from('2001:db8:1:2::1', newToken()), 401)
    } finally {
      await behind.stop()
    }
  })
})
