/** Every kind of credential is accepted or rejected on every surface. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { authOperations } from '../../../gateway/operations/accounts/routes.ts'
import type { RestRoute } from '../../../spec/rest/restRoute.ts'
import { connect } from '../../kit/program/socket.ts'
import { newToken, sha256, startTestGateway, type TestGateway } from '../../kit/runtime/testGateway.ts'

let world: TestGateway
const given: Record<string, Record<string, string>> = {}

before(async () => {
  world = await startTestGateway({ settings: { limits: { failedLookupsPerMinute: 10_000 } } })
  const person = await world.signIn()
  const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
  const agent = await world.agent()
  const revoked = await world.signIn()
  await world.ask({ kind: 'authSession', id: revoked.sessionId }, { type: 'signOut' })
  const disabled = await world.signIn()
  await world.ask({ kind: 'user', id: disabled.userId }, { type: 'disable' })
  const foreign = { id: world.newId('authSession'), token: newToken() }
  const init = { userId: person.userId, secretKeyId: 'another secret', userAgent: null, createdAt: Date.now() }
  await world.ask(
    { kind: 'authSession', id: foreign.id },
    { type: 'signIn' },
    { ...init, tokenHash: sha256(foreign.token) },
  )
  const expired = { id: world.newId('authSession'), token: newToken() }
  const longAgo = { ...init, secretKeyId: 'now', createdAt: Date.now() - 40 * 86_400_000 }
  await world.ask(
    { kind: 'authSession', id: expired.id },
    { type: 'signIn' },
    { ...longAgo, tokenHash: sha256(expired.token) },
  )
  const disabledKey = await world.apiKey(person.userId)
  await world.ask({ kind: 'apiKey', id: disabledKey.keyId }, { type: 'disable' })
  const enrollment = await world.enrollment()
  const key = (await world.apiKey(person.userId)).token
  Object.assign(given, {
    nothing: {},
    session: bearer(person.token),
    'session cookie': { cookie: `signalbox=${person.token}` },
    'API key': { 'x-api-key': key },
    agent: bearer(agent.token),
    'wrong bearer': bearer(newToken()),
    'wrong key': { 'x-api-key': newToken('svc_') },
    'wrong agent': bearer(newToken('agent_')),
    'invalid cookie': { cookie: `signalbox=${newToken()}` },
    'signed-out session': bearer(revoked.token),
    'session of a disabled user': bearer(disabled.token),
    'session under an unknown secret': bearer(foreign.token),
    'expired session': bearer(expired.token),
    'disabled key': { 'x-api-key': disabledKey.token },
    'session and key': { ...bearer(person.token), 'x-api-key': key },
    'cookie and bearer': { cookie: `signalbox=${person.token}`, ...bearer(person.token) },
    'unknown scheme': { authorization: 'Basic dXNlcjpwYXNz' },
    'malformed bearer': { authorization: 'Bearer' },
    'key as bearer': bearer(key),
    'session as key': { 'x-api-key': person.token },
    'enrollment as bearer': bearer(enrollment.token),
  })
})
after(() => world.stop())

const dead = [
  'wrong bearer',
  'wrong key',
  'wrong agent',
  'signed-out session',
  'session of a disabled user',
  'session under an unknown secret',
  'expired session',
  'disabled key',
  'session and key',
  'cookie and bearer',
  'unknown scheme',
  'malformed bearer',
  'key as bearer',
  'session as key',
  'enrollment as bearer',
]

interface Surface {
  readonly ask: (headers: Record<string, string>) => Promise<number>
  readonly let: Record<string, number>
}

/** The account routes that require a signed-in user. All other callers are refused, with any body. */
const ofSessions = authOperations.map(({ route }) => route).filter(({ access }) => access === 'sessions')

/** A body that can't be read is refused only to those who were let in, and changes nothing. */
function forSessions({ method, path }: RestRoute): Surface {
  const body = method === 'GET' ? {} : { body: 'unreadable' }
  const admitted = method === 'GET' ? 200 : 400
  return {
    ask: async (headers) =>
      (await fetch(world.url + path, { method, ...body, headers: json(sameSite(headers)) })).status,
    let: { session: admitted, 'session cookie': admitted, 'API key': 403, agent: 403 },
  }
}

const json = (headers: Record<string, string>) => ({ ...headers, 'content-type': 'application/json' })

/** Status by credential; whatever is not named is refused with 401. */
const surfaces: Record<string, Surface> = {
  'a query': {
    ask: async (headers) => (await world.graphql('{ whoAmI }', {}, sameSite(headers))).status,
    let: { session: 200, 'session cookie': 200, 'API key': 200, agent: 200 },
  },
  'introspection by GET': {
    ask: (headers) => statusOf('/api/graphql?query={__typename}', headers),
    let: { session: 200, 'session cookie': 200, 'API key': 200, agent: 200 },
  },
  'the keys of an account': {
    ask: (headers) => statusOf('/api/auth/api-key/list', headers),
    let: { session: 200, 'session cookie': 200, 'API key': 403, agent: 403 },
  },
  'the session of an account': {
    ask: (headers) => statusOf('/api/auth/get-session', headers),
    let: { nothing: 200, session: 200, 'session cookie': 200, 'invalid cookie': 200, 'API key': 403, agent: 403 },
  },
  ...Object.fromEntries(ofSessions.map((route) => [`${route.method} ${route.path}`, forSessions(route)])),
  health: {
    ask: (headers) => statusOf('/api/public/health', headers),
    let: Object.fromEntries(['nothing', 'session', 'API key', 'agent', 'invalid cookie', ...dead].map((n) => [n, 200])),
  },
}

const sameSite = (headers: Record<string, string>): Record<string, string> => ({
  ...headers,
  ...(headers.cookie ? { origin: world.url } : {}),
})

async function statusOf(path: string, headers: Record<string, string>): Promise<number> {
  const response = await fetch(world.url + path, { headers })
  await response.arrayBuffer()
  return response.status
}

describe('over HTTP', () => {
  test('the routes that require a session are those of sessions, passwords, keys, accounts and registration', () => {
    assert.deepEqual(ofSessions.map(({ method, path }) => `${method} ${path.slice('/api/auth/'.length)}`).sort(), [
      'GET admin/list-users',
      'GET api-key/list',
      'GET list-accounts',
      'GET list-sessions',
      'GET registration',
      'POST admin/ban-user',
      'POST admin/create-user',
      'POST admin/remove-user',
      'POST admin/revoke-user-sessions',
      'POST admin/set-user-password',
      'POST admin/unban-user',
      'POST api-key/create',
      'POST api-key/delete',
      'POST api-key/update',
      'POST change-password',
      'POST oauth2/link',
      'POST registration',
      'POST revoke-other-sessions',
      'POST revoke-session',
      'POST revoke-sessions',
    ])
  })

  for (const [surface, { ask, let: admitted }] of Object.entries(surfaces)) {
    test(`${surface} accepts or rejects each credential as the matrix defines`, async () => {
      const seen: Record<string, number> = {}
      const expected: Record<string, number> = {}
      for (const [name, headers] of Object.entries(given)) {
        if (surface === 'health' && admitted[name] === undefined) continue
        seen[name] = await ask(headers)
        expected[name] = admitted[name] ?? 401
      }
      assert.deepEqual(seen, expected)
    })
  }

  test('a refusal shows no internals, has the request ID and asks for a bearer token', async () => {
    const { status, body, headers } = await world.graphql('{ health }', {}, { 'x-request-id': 'mine' })
    assert.equal(status, 401)
    assert.deepEqual(body.errors?.[0]?.extensions, { code: 'UNAUTHENTICATED', requestId: 'mine', retryable: false })
    assert.equal(headers.get('x-request-id'), 'mine')
    assert.equal(headers.get('www-authenticate'), 'Bearer')
  })

  test('an agent may use neither the operations of users nor introspection', async () => {
    const agent = given.agent ?? {}
    const health = await world.graphql('{ health }', {}, agent)
    assert.equal(health.body.errors?.[0]?.extensions.code, 'FORBIDDEN')
    const schema = await world.graphql('{ __schema { queryType { name } } }', {}, agent)
    assert.equal(schema.status, 403)
  })

  test('an invalid cookie on an account route is cleared', async () => {
    const response = await fetch(`${world.url}/api/auth/get-session`, { headers: given['invalid cookie'] ?? {} })
    assert.equal(await response.json(), null)
    assert.match(response.headers.get('set-cookie') ?? '', /signalbox=; Path=\/; Max-Age=0/)
  })

  test('while the database is unavailable, a credential is neither accepted nor rejected, and the response is 503', async () => {
    world.away = true
    try {
      const { status, body } = await world.graphql('{ health }', {}, { authorization: `Bearer ${newToken()}` })
      assert.equal(status, 503)
      assert.equal(body.errors?.[0]?.extensions.code, 'UNAVAILABLE')
      assert.doesNotMatch(JSON.stringify(body), /postgres/)
    } finally {
      world.away = false
    }
  })
})

describe('over a socket', () => {
  const codes: Record<string, number> = Object.fromEntries(dead.map((name) => [name, 4401]))
  test('each credential is acknowledged, or its socket is closed, as the matrix defines', async () => {
    for (const [name, headers] of Object.entries(given)) {
      if (headers.cookie !== undefined) continue
      const client = connect(world.wsUrl, headers)
      const acknowledged = new Promise<'acknowledged'>((resolve) =>
        client.on('connected', () => resolve('acknowledged')),
      )
      const outcome = await Promise.race([acknowledged, client.closed])
      assert.deepEqual(typeof outcome === 'string' ? outcome : outcome.code, codes[name] ?? 'acknowledged', name)
      await client.dispose()
    }
  })

  test('the session cookie is accepted with an allowed Origin; together with connection parameters it gets 4401', async () => {
    const headers = { ...given['session cookie'], origin: world.url }
    const alone = connect(world.wsUrl, {}, { headers })
    await new Promise<void>((resolve) => alone.on('connected', () => resolve()))
    await alone.dispose()
    const both = connect(world.wsUrl, given.session ?? {}, { headers })
    assert.equal((await both.closed).code, 4401)
    const foreign = await fetch(world.wsUrl.replace('ws', 'http'), {
      headers: { ...given['session cookie'], origin: 'https://evil.example' },
    })
    assert.equal(foreign.status, 404) // fetch can't upgrade; the refusal of the upgrade itself is in origins.test.ts
  })

  test('a credential in a header of the upgrade closes the socket with 4401, on both listeners', async () => {
    const { session = {}, 'API key': key = {} } = given
    const headers = [session, key, { authorization: 'Basic YTpi' }, { 'x-api-key': '' }]
    for (const url of [world.wsUrl, world.agentWsUrl])
      for (const one of headers)
        for (const params of [{}, session]) {
          const { code, reason } = await connect(url, params, { headers: one }).closed
          assert.equal(code, 4401)
          assert.match(reason, /connection parameter, not in the header (Authorization|X-API-Key)$/)
        }
  })

  test('while the database is unavailable, the socket is closed with 1013, so that the client tries again', async () => {
    world.away = true
    try {
      const client = connect(world.wsUrl, { authorization: `Bearer ${newToken()}` })
      assert.equal((await client.closed).code, 1013)
    } finally {
      world.away = false
    }
  })

  for (const [what, end] of [
    [
      'signed out',
      (w: TestGateway, p: { sessionId: string }) =>
        w.ask({ kind: 'authSession', id: p.sessionId }, { type: 'signOut' }),
    ],
    ['disabled', (w: TestGateway, p: { userId: string }) => w.ask({ kind: 'user', id: p.userId }, { type: 'disable' })],
  ] as const) {
    test(`the sockets of a user who is ${what} are closed with 4401 within a second, and the credential is rejected`, async () => {
      const person = await world.signIn()
      const client = connect(world.wsUrl, { authorization: `Bearer ${person.token}` })
      await new Promise<void>((resolve) => client.on('connected', () => resolve()))
      await end(world, person)
      const closed = await Promise.race([client.closed, sleep(1_000)])
      assert.equal(closed?.code, 4401)
      const { status } = await world.graphql('{ health }', {}, { authorization: `Bearer ${person.token}` })
      assert.equal(status, 401)
    })
  }

  test('a credential that expires closes its sockets', async () => {
    const { userId } = await world.signIn()
    const key = await world.apiKey(userId, 400)
    const client = connect(world.wsUrl, { 'X-API-Key': key.token })
    const closed = await Promise.race([client.closed, sleep(1_500)])
    assert.equal(closed?.code, 4401)
  })
})

describe('look-ups', () => {
  test('a hundred concurrent requests with one new credential cause one look-up', async () => {
    const { userId } = await world.signIn()
    const key = await world.apiKey(userId)
    world.queries.length = 0
    await Promise.all(Array.from({ length: 100 }, () => world.graphql('{ health }', {}, { 'x-api-key': key.token })))
    assert.equal(world.queries.filter((name) => name === 'findByKey').length, 1)
  })

  test('a credential that was validated before causes no further query', async () => {
    const { userId, token } = await world.signIn()
    const headers = {
      session: { authorization: `Bearer ${token}` },
      cookie: { cookie: `signalbox=${token}`, origin: world.url },
      'API key': { 'x-api-key': (await world.apiKey(userId)).token },
      agent: { authorization: `Bearer ${(await world.agent()).token}` },
    }
    for (const [what, credential] of Object.entries(headers)) {
      await world.graphql('{ whoAmI }', {}, credential)
      world.queries.length = 0
      for (let n = 0; n < 10; n++) assert.equal((await world.graphql('{ whoAmI }', {}, credential)).status, 200)
      assert.deepEqual(world.queries, [], what)
    }
  })

  test('the next credential of a rotated agent ends the former one when it is first used', async () => {
    const { agentId, token } = await world.agent()
    const next = newToken('agent_')
    await world.ask({ kind: 'agent', id: agentId }, { type: 'rotate', newHash: sha256(next) })
    const bearer = (one: string) => ({ authorization: `Bearer ${one}` })
    assert.equal((await world.graphql('{ whoAmI }', {}, bearer(token))).status, 200)
    assert.equal((await world.graphql('{ whoAmI }', {}, bearer(next))).status, 200)
    assert.equal((await world.graphql('{ whoAmI }', {}, bearer(token))).status, 401)
  })
})
