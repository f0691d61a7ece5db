/** The whole program with AUTH_MODE=oidc, started while the provider is unavailable. A flow survives a restart and a change of APP_SECRET. */
import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { Browser } from '../../kit/program/cookies.ts'
import { freePorts, type Ports } from '../../kit/program/ports.ts'
import { type Program, startProgram } from '../../kit/program/program.ts'
import { client, type TestProvider, testProvider } from '../../kit/program/servers/identityProvider.ts'
import { until } from '../../kit/program/until.ts'

const secrets = [randomBytes(32).toString('base64'), randomBytes(32).toString('base64')] as const
const verifier = randomBytes(32).toString('base64url')
const challenge = createHash('sha256').update(verifier).digest('base64url')

let folder: string
let ports: Ports
let provider: TestProvider
let program: Program

const start = (env: Readonly<Record<string, string>>) =>
  startProgram({
    dataDir: join(folder, 'data'),
    ports,
    env: {
      AUTH_MODE: 'oidc',
      AUTH_OAUTH_PROVIDER_ID: 'corp',
      AUTH_OAUTH_CLIENT_ID: client.id,
      AUTH_OAUTH_CLIENT_SECRET: client.secret,
      AUTH_OAUTH_DISCOVERY_URL: `${provider.issuer}/.well-known/openid-configuration`,
      ...env,
    },
  })

const startFlow = () =>
  `${program.url}/api/auth/mobile/oauth/start?state=${'s'.repeat(43)}&code_challenge=${challenge}&code_challenge_method=S256`

/** As far as the provider's redirect to this server. */
async function wayBack(browser: Browser): Promise<string> {
  const first = (await browser.ask(startFlow())).headers.get('location') ?? ''
  assert.ok(first.startsWith(provider.issuer), first)
  return await browser.leave(first)
}

async function codeAt(browser: Browser, url: string): Promise<string> {
  const link = (await browser.ask(url)).headers.get('location') ?? ''
  return new URL(link).searchParams.get('code') ?? assert.fail(link)
}

async function redeem(code: string) {
  const response = await fetch(`${program.url}/api/auth/mobile/redeem`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ code, code_verifier: verifier }),
  })
  const { token = '', code: refused } = (await response.json()) as { token?: string; code?: string }
  return { status: response.status, token, refused }
}

const sessionStatus = async (token: string) => {
  const headers = { authorization: `Bearer ${token}` }
  return (await fetch(`${program.url}/api/auth/get-session`, { headers })).status
}

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'signalbox-oidc-'))
  ports = await freePorts()
  provider = await testProvider()
  program = await start({ APP_SECRET: secrets[0] })
})

after(async () => {
  await program?.stop()
  await provider?.down()
  await rm(folder, { recursive: true, force: true, maxRetries: 5 })
})

test('the program starts while the provider is unavailable, and signs users in once the provider is available', async () => {
  const link = (await new Browser().ask(startFlow())).headers.get('location') ?? ''
  assert.equal(new URL(link).searchParams.get('error'), 'provider_unavailable')
  await provider.up(`${program.url}/api/auth/oauth2/callback/corp`)
  provider.person = { sub: 'ada', email: 'ada@example.com' }
  const browser = new Browser()
  const { status, token } = await redeem(await codeAt(browser, await wayBack(browser)))
  assert.equal(status, 200)
  assert.equal(await sessionStatus(token), 200)
})

test('of 64 concurrent uses of one code only one returns a session, and that session ends', async () => {
  const browser = new Browser()
  const code = await codeAt(browser, await wayBack(browser))
  const answers = await Promise.all(Array.from({ length: 64 }, () => redeem(code)))
  const won = answers.filter(({ status }) => status === 200)
  assert.equal(won.length, 1)
  assert.equal(answers.filter(({ refused }) => refused === 'INVALID_AUTHORIZATION_CODE').length, 63)
  await until('the session has ended', async () => (await sessionStatus(won[0]?.token ?? '')) === 401 || undefined)
})

test('a user who was at the provider during a restart with another APP_SECRET is signed in', async () => {
  const browser = new Browser()
  const back = await wayBack(browser)
  await program.stop()
  program = await start({ APP_SECRET: secrets[1], APP_SECRET_PREVIOUS: secrets[0] })
  const { status, token } = await redeem(await codeAt(browser, back))
  assert.equal(status, 200)
  assert.equal(await sessionStatus(token), 200)
})
