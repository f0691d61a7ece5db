/** Accounts over HTTP, as Better Auth's clients call them. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { argon2id } from '../../../gateway/auth/argon2.ts'
import { startTestGateway, type TestGateway } from '../../kit/runtime/testGateway.ts'

let world: TestGateway

before(async () => {
  world = await startTestGateway({ options: { passwords: argon2id }, settings: { limits: { signUpsPerMinute: 100 } } })
})
after(() => world.stop())

type Body = Record<string, never> & {
  token: string
  key: string
  id: string
  code: string
  open: boolean
  user: { id: string; email: string }
}

async function call(method: string, path: string, body?: unknown, headers: Record<string, string> = {}) {
  const response = await fetch(`${world.url}/api/auth${path}`, {
    method,
    headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  return { status: response.status, body: (await response.json()) as Body, headers: response.headers }
}
const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
const ada = { name: 'Ada', email: 'Ada@Example.com', password: 'correct horse' }

describe('on an empty database', () => {
  let token: string

  test('GET /config returns the settings that a client needs for a sign-in', async () => {
    assert.deepEqual((await call('GET', '/config')).body as unknown, {
      authMode: 'password',
      password: true,
      oidc: null,
      registrationOpen: true,
      mobile: { pkceRequired: true, callback: 'svc-auth://callback' },
    })
  })

  test('of 64 concurrent requests for the first account one succeeds, and registration is closed', async () => {
    const tried = await Promise.all(
      Array.from({ length: 64 }, (_, n) =>
        call('POST', '/sign-up/email', { ...ada, email: n ? `u${n}@b.example` : ada.email }),
      ),
    )
    const made = tried.filter(({ status }) => status === 200)
    assert.equal(made.length, 1)
    assert.ok(tried.every(({ status, body }) => status === 200 || body.code === 'REGISTRATION_CLOSED'))
    const [first] = made
    assert.match(
      first?.headers.get('set-cookie') ?? '',
      /^signalbox=[\w-]{43}; Path=\/; Max-Age=\d+; HttpOnly; SameSite=Lax$/,
    )
    token = first?.body.token ?? ''
    assert.equal((await call('GET', '/config')).body.registrationOpen, false)
  })

  test('a signed-in user creates other accounts, and opens and closes registration', async () => {
    const other = await call('POST', '/sign-up/email', { ...ada, email: 'grace@example.com' }, bearer(token))
    assert.equal(other.status, 200)
    assert.equal(other.body.token, null)
    assert.equal((await call('POST', '/registration', { open: true }, bearer(token))).body.open, true)
    assert.equal((await call('POST', '/sign-up/email', { ...ada, email: 'eve@example.com' })).status, 200)
    assert.equal((await call('POST', '/registration', { open: false }, bearer(token))).body.open, false)
    assert.equal((await call('POST', '/registration', { open: true })).status, 401)
  })

  test('a taken address is refused with CONFLICT, and a short password with BAD_USER_INPUT', async () => {
    const taken = await call('POST', '/sign-up/email', { ...ada, email: 'GRACE@example.com' }, bearer(token))
    assert.deepEqual([taken.status, taken.body.code], [409, 'CONFLICT'])
    const short = await call(
      'POST',
      '/sign-up/email',
      { ...ada, email: 'x@y.example', password: 'short' },
      bearer(token),
    )
    assert.deepEqual([short.status, short.body.code], [400, 'BAD_USER_INPUT'])
  })
})

describe('a session', () => {
  test('begins with the right password, whatever the case of the address, and ends with sign-out', async () => {
    const { body, headers } = await call('POST', '/sign-in/email', {
      email: 'grace@EXAMPLE.com',
      password: ada.password,
    })
    assert.equal(body.user.email, 'grace@example.com')
    assert.equal(headers.get('set-auth-token'), body.token)
    const cookie = { cookie: `signalbox=${body.token}`, origin: world.url }
    const session = (await call('GET', '/get-session', undefined, cookie)).body as unknown as {
      user: { id: string }
      session: { userId: string; expiresAt: string }
    }
    assert.equal(session.session.userId, body.user.id)
    assert.ok(Date.parse(session.session.expiresAt) > Date.now())
    const out = await call('POST', '/sign-out', {}, cookie)
    assert.deepEqual(out.body as unknown, { success: true })
    assert.match(out.headers.get('set-cookie') ?? '', /Max-Age=0/)
    assert.equal((await call('GET', '/get-session', undefined, cookie)).body as unknown, null)
    assert.equal((await call('GET', '/get-session', undefined, bearer(body.token))).status, 401)
  })

  test('a wrong password and an unknown account get the same error, and too many attempts get 429', async () => {
    const wrong = await call('POST', '/sign-in/email', { email: 'grace@example.com', password: 'wrong' })
    const unknown = await call('POST', '/sign-in/email', { email: 'nobody@example.com', password: 'wrong' })
    assert.deepEqual([wrong.status, unknown.status], [401, 401])
    assert.equal(wrong.body.message, unknown.body.message)
    for (let n = 0; n < 9; n++) await call('POST', '/sign-in/email', { email: 'nobody@example.com', password: 'w' })
    const limited = await call('POST', '/sign-in/email', { email: 'nobody@example.com', password: 'w' })
    assert.equal(limited.status, 429)
    assert.ok(Number(limited.headers.get('retry-after')) > 0)
  })
})

describe('API keys', () => {
  test('are shown once, are listed without the key itself, can be disabled and enabled, and end when they are deleted', async () => {
    const person = await world.signIn()
    const made = await call('POST', '/api-key/create', { name: 'ci', expiresIn: 3600 }, bearer(person.token))
    assert.match(made.body.key, /^svc_[\w-]{43}$/)
    const key = { 'x-api-key': made.body.key }
    const works = async () => (await world.graphql('{ health }', {}, key)).status
    assert.equal(await works(), 200)
    const list = (await call('GET', '/api-key/list', undefined, bearer(person.token))).body as unknown as Body[]
    assert.equal(list.length, 1)
    assert.equal(list[0]?.key, undefined)
    assert.equal(list[0]?.name, 'ci')
    const other = await world.signIn()
    const keyId = made.body.id
    assert.equal((await call('POST', '/api-key/delete', { keyId }, bearer(other.token))).status, 404)
    await call('POST', '/api-key/update', { keyId, enabled: false }, bearer(person.token))
    assert.equal(await works(), 401)
    await call('POST', '/api-key/update', { keyId, enabled: true }, bearer(person.token))
    assert.equal(await works(), 200)
    assert.deepEqual((await call('POST', '/api-key/delete', { keyId }, bearer(person.token))).body as unknown, {
      success: true,
    })
    assert.equal(await works(), 401)
  })

  test('neither an API key nor an agent can manage accounts', async () => {
    const person = await world.signIn()
    const key = await world.apiKey(person.userId)
    const agent = await world.agent()
    for (const headers of [{ 'x-api-key': key.token }, bearer(agent.token)]) {
      assert.equal((await call('POST', '/api-key/create', {}, headers)).status, 403)
      assert.equal((await call('POST', '/sign-up/email', { ...ada, email: 'k@b.example' }, headers)).status, 403)
    }
  })
})

test('if AUTH_MODE is oidc, a sign-in with a password is refused with AUTH_MODE_DISABLED', async () => {
  const identityProvider = {
    id: 'corp',
    name: 'Corp',
    clientId: 'c',
    clientSecret: 's',
    scopes: ['openid', 'email'],
    endpoints: { from: 'issuer' },
    issuer: 'https://login.example.com',
    requireIssuerValidation: false,
  } as const
  const oidc = await startTestGateway({ settings: { authMode: 'oidc', identityProvider } })
  try {
    const response = await fetch(`${oidc.url}/api/auth/sign-in/email`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"email":"a@b.c","password":"x"}',
    })
    assert.equal(response.status, 403)
    const body = (await response.json()) as { code: string; error: { code: string } }
    assert.deepEqual([body.code, body.error.code], ['AUTH_MODE_DISABLED', 'AUTH_MODE_DISABLED'])
  } finally {
    await oidc.stop()
  }
})
