/** Signing in at a real provider with a browser. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { registrationId } from '../../../spec/core/ids.ts'
import { Browser } from '../../kit/program/cookies.ts'
import {
  atProvider,
  type Body,
  type OidcGateway,
  sessionOf,
  signIn,
  startOidcGateway,
} from '../../kit/runtime/oidcGateway.ts'
import { startTestGateway } from '../../kit/runtime/testGateway.ts'

const ada = { sub: 'ada', email: 'Ada@Example.com', emailVerified: true, name: 'Ada' }
const registration = { kind: 'registration', id: registrationId } as const

const post = async (url: string, body: unknown) => {
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
  return { status: response.status, body: (await response.json()) as Body }
}

describe('with a browser', () => {
  let one: OidcGateway
  before(async () => {
    one = await startOidcGateway()
  })
  after(() => one.stop())

  const open = (open: boolean) => one.world.ask(registration, { type: open ? 'open' : 'close' })

  test('the configuration has the authentication mode and the provider', async () => {
    const config = (await (await fetch(`${one.world.url}/api/auth/config`)).json()) as Record<string, unknown>
    assert.deepEqual([config.authMode, config.password], ['both', true])
    assert.deepEqual(config.oidc, { providerId: 'corp', name: 'Corp' })
  })

  test('the browser goes to the provider with PKCE, state and nonce, and keeps an encrypted cookie', async () => {
    const browser = new Browser()
    const response = await browser.ask(`${one.world.url}/api/auth/sign-in/oauth2`, { providerId: 'corp' })
    const { url, redirect } = (await response.json()) as { url: string; redirect: boolean }
    const asked = new URL(url).searchParams
    assert.equal(redirect, true)
    assert.equal(asked.get('code_challenge_method'), 'S256')
    for (const name of ['code_challenge', 'state', 'nonce']) assert.match(asked.get(name) ?? '', /^[\w-]{43}$/)
    assert.equal(asked.get('redirect_uri'), one.redirectUri)
    const [cookie = ''] = response.headers.getSetCookie()
    assert.match(cookie, /^signalbox-flow=sealed1\.[\w.-]+; Path=\/; Max-Age=600; HttpOnly; SameSite=Lax$/)
    assert.ok(!cookie.includes(asked.get('state') ?? '-'))
  })

  test('the first sign-in on an empty database creates an account and closes registration', async () => {
    one.provider.person = ada
    const { browser, status, location } = await signIn(one, { callbackURL: '/home?x=1' })
    assert.deepEqual([status, location], [302, `${one.world.url}/home?x=1`])
    assert.deepEqual([...browser.jar(one.world.url).keys()], ['signalbox'], 'the flow’s cookie is gone')
    const { user } = (await sessionOf(browser, one)) ?? assert.fail('no session')
    assert.deepEqual([user.email, user.name, user.emailVerified], ['ada@example.com', 'Ada', true])
    assert.equal((await one.world.storage.views.find(registrationId))?.columns.status, 'CLOSED')
  })

  test('an existing identity signs in while registration is closed, even if its email address has changed', async () => {
    const first = await sessionOf((await signIn(one)).browser, one)
    one.provider.person = { ...ada, email: 'lovelace@example.com' }
    const again = await sessionOf((await signIn(one)).browser, one)
    assert.deepEqual([again?.user.id, again?.user.email], [first?.user.id, 'ada@example.com'])
  })

  test('a new identity is refused while registration is closed, with 403 or with a redirect to errorCallbackURL', async () => {
    one.provider.person = { sub: 'eve', email: 'eve@example.com' }
    const { status, body } = await signIn(one)
    assert.deepEqual([status, body.code, body.error.code], [403, 'REGISTRATION_CLOSED', 'REGISTRATION_CLOSED'])
    const told = await signIn(one, { errorCallbackURL: '/sign-in?lang=en' })
    const url = new URL(told.location ?? '')
    assert.deepEqual([told.status, url.pathname, url.searchParams.get('lang')], [302, '/sign-in', 'en'])
    assert.equal(url.searchParams.get('error'), 'registration_closed')
    assert.equal(await sessionOf(told.browser, one), null)
  })

  test('twelve concurrent sign-ins of one new identity create one account', async () => {
    await open(true)
    one.provider.person = { sub: 'grace', email: 'grace@example.com', name: 'Grace' }
    const browsers = Array.from({ length: 12 }, () => new Browser())
    const ways = await Promise.all(browsers.map((browser) => atProvider(browser, one)))
    const answers = await Promise.all(ways.map((url, n) => browsers[n]?.ask(url)))
    assert.deepEqual(new Set(answers.map((answer) => answer?.status)), new Set([302]))
    const ids = await Promise.all(browsers.map(async (browser) => (await sessionOf(browser, one))?.user.id))
    assert.equal(new Set(ids).size, 1)
  })

  test('an email address that is not verified is accepted, and the session shows that it is not verified', async () => {
    one.provider.person = { sub: 'joan', email: 'joan@example.com', emailVerified: false }
    const session = await sessionOf((await signIn(one)).browser, one)
    assert.deepEqual([session?.user.emailVerified, session?.user.name], [false, 'joan'])
  })

  test('an identity with the email address of a password account is refused and not linked', async () => {
    const password = 'correct horse'
    await post(`${one.world.url}/api/auth/sign-up/email`, { name: 'Bob', email: 'bob@example.com', password })
    one.provider.person = { sub: 'bob', email: 'Bob@Example.com', emailVerified: true }
    const { browser, status, body } = await signIn(one)
    assert.deepEqual([status, body.code, body.error.reason], [409, 'CONFLICT', 'account_exists'])
    assert.equal(await sessionOf(browser, one), null)
    const own = await post(`${one.world.url}/api/auth/sign-in/email`, { email: 'bob@example.com', password })
    assert.equal(own.status, 200)
  })

  test('an account that a sign-in at the provider created has no password to sign in with', async () => {
    const tried = await post(`${one.world.url}/api/auth/sign-in/email`, { email: 'ada@example.com', password: 'x' })
    assert.equal(tried.status, 401)
  })

  test('a sign-in fails if the provider returns no email address or denies access', async () => {
    one.provider.person = { sub: 'noemail' }
    const without = await signIn(one)
    assert.deepEqual([without.status, without.body.error.reason], [401, 'email_missing'])
    one.provider.person = undefined
    const denied = await signIn(one)
    assert.deepEqual([denied.status, denied.body.error.reason], [401, 'access_denied'])
  })

  test('a disabled account does not sign in', async () => {
    one.provider.person = { sub: 'joan', email: 'joan@example.com' }
    const { user } = (await sessionOf((await signIn(one)).browser, one)) ?? assert.fail('no session')
    await one.world.ask({ kind: 'user', id: user.id }, { type: 'disable', revision: 1 })
    const { status, body } = await signIn(one)
    assert.deepEqual([status, body.error.reason], [403, 'account_disabled'])
  })

  for (const callbackURL of ['https://evil.example/', '//evil.example', '/\\evil.example', 'javascript:alert(1)']) {
    test(`a sign-in with the callback URL ${callbackURL} is refused`, async () => {
      const asked = await post(`${one.world.url}/api/auth/sign-in/oauth2`, { providerId: 'corp', callbackURL })
      assert.deepEqual([asked.status, asked.body.code], [403, 'INVALID_ORIGIN'])
    })
  }

  test('a callback path that looks like a host redirects to this server', async () => {
    one.provider.person = ada
    const { location } = await signIn(one, { callbackURL: '/.//evil.example' })
    assert.equal(new URL(location ?? '').origin, one.world.url)
  })

  test('an unknown provider is refused', async () => {
    const asked = await post(`${one.world.url}/api/auth/sign-in/oauth2`, { providerId: 'other' })
    assert.deepEqual([asked.status, asked.body.code], [400, 'BAD_USER_INPUT'])
    assert.equal((await fetch(`${one.world.url}/api/auth/oauth2/callback/other?code=x`)).status, 404)
  })

  describe('the provider’s response is refused', () => {
    before(() => {
      one.provider.person = ada
    })

    const refusedAs = async (browser: Browser, url: string, status: number, reason: string) => {
      const response = await browser.ask(url)
      const body = (await response.json()) as Body
      assert.deepEqual([response.status, body.error.reason], [status, reason])
      assert.ok(!browser.jar(one.world.url).has('signalbox'))
    }

    test('without the cookie of the sign-in', async () => {
      await refusedAs(new Browser(), await atProvider(new Browser(), one), 400, 'flow_unknown')
    })

    test('with the cookie of another browser', async () => {
      const [mine, other] = [new Browser(), new Browser()]
      const url = await atProvider(mine, one)
      await atProvider(other, one)
      await refusedAs(other, url, 400, 'flow_unknown')
      assert.equal((await mine.ask(url)).status, 302, 'and the one that began still can')
    })

    test('with a cookie that was changed', async () => {
      const browser = new Browser()
      const url = await atProvider(browser, one)
      const jar = browser.jar(one.world.url)
      const sealed = jar.get('signalbox-flow') ?? ''
      jar.set('signalbox-flow', `${sealed.slice(0, 40)}${sealed[40] === 'A' ? 'B' : 'A'}${sealed.slice(41)}`)
      await refusedAs(browser, url, 400, 'flow_unknown')
    })

    test('with another state, or with two states', async () => {
      const browser = new Browser()
      const url = new URL(await atProvider(browser, one))
      const twice = `${url.href}&state=${url.searchParams.get('state')}`
      url.searchParams.set('state', 'A'.repeat(43))
      await refusedAs(browser, url.href, 400, 'flow_unknown')
      await refusedAs(browser, twice, 400, 'flow_unknown')
    })

    test('with another nonce', async () => {
      const browser = new Browser()
      const url = await atProvider(browser, one, {}, (asked) => asked.searchParams.set('nonce', 'another'))
      await refusedAs(browser, url, 401, 'provider_failed')
    })

    test('with another challenge', async () => {
      const browser = new Browser()
      const challenge = 'A'.repeat(43)
      const url = await atProvider(browser, one, {}, (asked) => asked.searchParams.set('code_challenge', challenge))
      await refusedAs(browser, url, 401, 'provider_failed')
    })

    test('with another issuer', async () => {
      const browser = new Browser()
      const url = new URL(await atProvider(browser, one))
      url.searchParams.set('iss', 'https://evil.example')
      await refusedAs(browser, url.href, 401, 'provider_failed')
    })

    test('a second time', async () => {
      const { browser, status } = await signIn(one)
      assert.equal(status, 302)
      const other = new Browser()
      const url = await atProvider(other, one)
      const sealed = other.jar(one.world.url).get('signalbox-flow') ?? ''
      assert.equal((await other.ask(url)).status, 302)
      const thief = new Browser()
      thief.jar(one.world.url).set('signalbox-flow', sealed)
      await refusedAs(thief, url, 401, 'provider_failed')
      assert.ok(browser.jar(one.world.url).has('signalbox'))
    })

    test('after ten minutes', async () => {
      const browser = new Browser()
      const url = await atProvider(browser, one)
      one.world.ahead = 600_000
      await refusedAs(browser, url, 400, 'flow_expired').finally(() => {
        one.world.ahead = 0
      })
    })
  })

  test('no log entry has a code, a token or a secret', () => {
    const log = JSON.stringify(one.world.logs)
    assert.ok(log.includes('provider sign-in failed'))
    assert.doesNotMatch(log, /access_token|id_token|code=|eyJ|a secret:/)
  })
})

const endpointsOf = (issuer: string) => ({
  from: 'settings' as const,
  authorizationUrl: `${issuer}/auth`,
  tokenUrl: `${issuer}/token`,
  userInfoUrl: `${issuer}/me`,
})

const found = [
  ['an issuer', (issuer) => ({ endpoints: { from: 'issuer' }, issuer })],
  ['three endpoints', (issuer) => ({ endpoints: endpointsOf(issuer) })],
  ['three endpoints and an issuer', (issuer) => ({ endpoints: endpointsOf(issuer), issuer })],
  ['an issuer that must be in the answer', (issuer) => ({ issuer, requireIssuerValidation: true })],
] as const satisfies readonly (readonly [string, NonNullable<Parameters<typeof startOidcGateway>[0]>['settings']])[]

for (const [name, settings] of found) {
  test(`the provider is found by ${name}`, async () => {
    const one = await startOidcGateway({ settings })
    try {
      one.provider.person = ada
      const { browser, status } = await signIn(one)
      assert.equal(status, 302)
      assert.equal((await sessionOf(browser, one))?.user.email, 'ada@example.com')
      const other = new Browser()
      const url = new URL(await atProvider(other, one))
      url.searchParams.delete('iss')
      const without = await other.ask(url.href)
      // The discovery document of this provider declares that its answers contain the issuer.
      const demanded = !name.startsWith('three endpoints')
      assert.equal(without.status, demanded ? 401 : 302)
    } finally {
      await one.stop()
    }
  })
}

test('a provider that accepts the client secret only in the body gets it there', async () => {
  const one = await startOidcGateway({ down: true })
  try {
    one.provider.authMethod = 'client_secret_post'
    await one.provider.up(one.redirectUri)
    one.provider.person = ada
    assert.equal((await signIn(one)).status, 302)
  } finally {
    await one.stop()
  }
})

for (const [status, reason] of [
  [500, 'provider_unavailable'],
  [404, 'provider_failed'],
] as const) {
  test(`if the provider responds with ${status}, a sign-in fails with ${reason}`, async () => {
    const server = createServer((_, res) => res.writeHead(status).end('<secret>')).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const one = await startOidcGateway({ down: true, settings: () => ({ endpoints: { from: 'issuer' }, issuer }) })
    try {
      const asked = await post(`${one.world.url}/api/auth/sign-in/oauth2`, { providerId: 'corp' })
      assert.equal(asked.body.error.reason, reason)
      assert.ok(!JSON.stringify(asked.body).includes('secret'))
    } finally {
      await one.stop()
      server.close()
    }
  })
}

test('a provider whose issuer differs from the issuer in the settings is not used', async () => {
  const one = await startOidcGateway({ settings: (issuer) => ({ issuer: `${issuer}/` }) })
  try {
    const asked = await post(`${one.world.url}/api/auth/sign-in/oauth2`, { providerId: 'corp' })
    assert.deepEqual([asked.status, asked.body.error.reason], [401, 'provider_failed'])
  } finally {
    await one.stop()
  }
})

test('sign-ins from one address above its limit per minute are refused', async () => {
  const one = await startOidcGateway({ signIns: 2 })
  try {
    one.provider.person = ada
    const tried = []
    for (let n = 0; n < 3; n++) tried.push(await signIn(one))
    assert.deepEqual(
      tried.map(({ status }) => status),
      [302, 302, 429],
    )
    assert.match((await signIn(one, { errorCallbackURL: '/' })).location ?? '', /\?error=rate_limited&/)
  } finally {
    await one.stop()
  }
})

test('a callback URL that does not fit into a cookie is refused', async () => {
  const one = await startOidcGateway({ down: true })
  try {
    const callbackURL = `/${'ä'.repeat(900)}`
    const asked = await post(`${one.world.url}/api/auth/sign-in/oauth2`, { providerId: 'corp', callbackURL })
    assert.deepEqual([asked.status, asked.body.code], [400, 'BAD_USER_INPUT'])
  } finally {
    await one.stop()
  }
})

test('a sign-in returns to a page of another origin if APP_ORIGINS has that origin', async () => {
  const one = await startOidcGateway({ appOrigins: ['https://app.example.com'] })
  try {
    one.provider.person = ada
    const browser = new Browser()
    const response = await fetch(`${one.world.url}/api/auth/sign-in/oauth2`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ providerId: 'corp', callbackURL: 'https://app.example.com/in' }),
    })
    const { url } = (await response.json()) as Body
    const [, sealed = ''] = /^signalbox-flow=([^;]+)/.exec(response.headers.getSetCookie()[0] ?? '') ?? []
    browser.jar(one.world.url).set('signalbox-flow', sealed)
    const answer = await browser.ask(await browser.leave(url))
    assert.equal(answer.headers.get('location'), 'https://app.example.com/in')
  } finally {
    await one.stop()
  }
})

test('a sign-in fails with 503 while the provider is unavailable, at the start or later, and works again afterwards', async () => {
  const one = await startOidcGateway({ down: true })
  try {
    const ask = () => post(`${one.world.url}/api/auth/sign-in/oauth2`, { providerId: 'corp' })
    const away = await ask()
    assert.deepEqual(
      [away.status, away.body.code, away.body.error.reason],
      [503, 'UNAVAILABLE', 'provider_unavailable'],
    )
    assert.equal((await fetch(`${one.world.url}/api/public/ready`)).status, 200)
    await one.provider.up(one.redirectUri)
    one.provider.person = ada
    assert.equal((await signIn(one)).status, 302)
    const browser = new Browser()
    const url = await atProvider(browser, one)
    await one.provider.down()
    const answer = await browser.ask(url)
    assert.deepEqual([answer.status, ((await answer.json()) as Body).error.reason], [503, 'provider_unavailable'])
    assert.equal((await ask()).status, 200, 'where the endpoints are is known already')
    one.world.ahead = 3_600_000
    assert.equal((await ask()).status, 200, 'and what is known outlives its time')
    await one.provider.up(one.redirectUri)
    assert.equal((await signIn(one)).status, 302)
  } finally {
    await one.stop()
  }
})

test('if AUTH_MODE is password, every route of the provider is refused with AUTH_MODE_DISABLED', async () => {
  const world = await startTestGateway()
  try {
    const challenge = `state=${'s'.repeat(43)}&code_challenge=${'c'.repeat(43)}&code_challenge_method=S256`
    const answers = await Promise.all([
      post(`${world.url}/api/auth/sign-in/oauth2`, { providerId: 'corp' }),
      post(`${world.url}/api/auth/mobile/redeem`, { code: 'c', code_verifier: 'v' }),
      ...['oauth2/callback/corp?code=c&state=s', `mobile/oauth/start?${challenge}`].map(async (path) => {
        const response = await fetch(`${world.url}/api/auth/${path}`)
        return { status: response.status, body: (await response.json()) as Body }
      }),
    ])
    for (const { status, body } of answers) assert.deepEqual([status, body.code], [403, 'AUTH_MODE_DISABLED'])
  } finally {
    await world.stop()
  }
})
