/** Requests that may succeed only once are sent 64 times at once to two servers that share a database. */
import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { after, before, test } from 'node:test'
import { type Answered, ada, rest } from '../../kit/program/accounts.ts'
import { Browser } from '../../kit/program/cookies.ts'
import { client, type TestProvider, testProvider } from '../../kit/program/servers/identityProvider.ts'
import { type TwoServers, twoServers } from '../../kit/program/twoServers.ts'
import { until } from '../../kit/program/until.ts'

let provider: TestProvider
let servers: TwoServers

before(async () => {
  provider = await testProvider()
  servers = await twoServers({
    AUTH_MODE: 'both',
    AUTH_OAUTH_PROVIDER_ID: 'corp',
    AUTH_OAUTH_CLIENT_ID: client.id,
    AUTH_OAUTH_CLIENT_SECRET: client.secret,
    AUTH_OAUTH_DISCOVERY_URL: `${provider.issuer}/.well-known/openid-configuration`,
    LIMIT_SIGN_UPS_PER_MINUTE: '1000',
  })
  await provider.up(`${servers.here.url}/api/auth/oauth2/callback/corp`)
})
after(async () => {
  await servers?.end()
  await provider?.down()
})

/** Half of them to each server. */
const atOnce = (ask: (url: string, n: number) => Promise<Answered>) =>
  Promise.all(Array.from({ length: 64 }, (_, n) => ask((n % 2 ? servers.here : servers.there).url, n)))

const bearer = (token: unknown) => ({ headers: { authorization: `Bearer ${token}` } })

test('of 64 concurrent sign-ups one creates the first account, and registration is closed', async () => {
  const tried = await atOnce((url, n) =>
    rest(url, 'POST', '/api/auth/sign-up/email', { body: { ...ada, email: `first${n}@example.com` } }),
  )
  const [made, ...others] = tried.filter(({ status }) => status === 200)
  assert.ok(made)
  assert.equal(others.length, 0)
  assert.equal(tried.filter(({ body }) => body.code === 'REGISTRATION_CLOSED').length, 63)
  const { token, user } = made.body as { readonly token: string; readonly user: { readonly email: string } }
  for (const { url } of [servers.here, servers.there]) {
    const { body } = await rest(url, 'GET', '/api/auth/admin/list-users', bearer(token))
    const emails = (body.users as readonly { readonly email: string }[]).map(({ email }) => email)
    assert.deepEqual(emails, [user.email])
  }
  // The next test signs in a new user.
  const opened = await rest(servers.here.url, 'POST', '/api/auth/registration', {
    body: { open: true },
    ...bearer(token),
  })
  assert.equal(opened.status, 200)
})

test('of 64 concurrent uses of one code only one returns a session, and that session ends on both servers', async () => {
  const verifier = randomBytes(32).toString('base64url')
  const challenge = createHash('sha256').update(verifier).digest('base64url')
  provider.person = { sub: 'grace', email: 'grace@example.com' }
  const browser = new Browser()
  const parameters = { state: 's'.repeat(43), code_challenge: challenge, code_challenge_method: 'S256' }
  const start = `${servers.here.url}/api/auth/mobile/oauth/start?${new URLSearchParams(parameters)}`
  const atProvider = (await browser.ask(start)).headers.get('location') ?? ''
  const back = await browser.ask(await browser.leave(atProvider))
  const code = new URL(back.headers.get('location') ?? '').searchParams.get('code')
  const answers = await atOnce((url) =>
    rest(url, 'POST', '/api/auth/mobile/redeem', { body: { code, code_verifier: verifier } }),
  )
  const won = answers.filter(({ status }) => status === 200)
  assert.equal(won.length, 1)
  assert.equal(answers.filter(({ body }) => body.code === 'INVALID_AUTHORIZATION_CODE').length, 63)
  for (const { url } of [servers.here, servers.there])
    await until(
      'the session has ended',
      async () =>
        (await rest(url, 'GET', '/api/auth/get-session', bearer(won[0]?.body.token))).status === 401 || undefined,
      1_500,
    )
})
