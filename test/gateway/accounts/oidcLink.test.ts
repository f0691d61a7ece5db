/** A signed-in user links an identity of a real provider to their own account, so that all users keep access after a change to OIDC. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { registrationId } from '../../../spec/core/ids.ts'
import { Browser } from '../../kit/program/cookies.ts'
import { type Body, type OidcGateway, sessionOf, signIn, startOidcGateway } from '../../kit/runtime/oidcGateway.ts'

const password = 'correct horse battery'
let one: OidcGateway

before(async () => {
  one = await startOidcGateway()
})
after(() => one.stop())

const url = (path: string) => one.world.url + path
const open = () => one.world.ask({ kind: 'registration', id: registrationId }, { type: 'open' })

/** A new account with a password, signed in to a browser. */
async function someone(name: string): Promise<Browser> {
  await open()
  const browser = new Browser()
  const body = { name, email: `${name}@example.com`, password }
  assert.equal((await browser.ask(url('/api/auth/sign-up/email'), body)).status, 200)
  return browser
}

const idOf = async (browser: Browser) => (await sessionOf(browser, one))?.user.id
const accounts = async (browser: Browser) => await (await browser.ask(url('/api/auth/list-accounts'))).json()

/** To the provider and back, as far as the callback, which is returned and not opened. */
async function atProvider(browser: Browser, more: Readonly<Record<string, unknown>> = {}): Promise<string> {
  const response = await browser.ask(url('/api/auth/oauth2/link'), { providerId: 'corp', ...more })
  const body = (await response.json()) as Body
  assert.equal(response.status, 200, JSON.stringify(body))
  return await browser.leave(body.url)
}

async function link(browser: Browser, more: Readonly<Record<string, unknown>> = {}) {
  const response = await browser.ask(await atProvider(browser, more))
  const text = await response.text()
  return {
    status: response.status,
    location: response.headers.get('location'),
    cookies: response.headers.getSetCookie(),
    body: (text === '' ? {} : JSON.parse(text)) as Body,
  }
}

describe('linking an identity to one’s own account', () => {
  test('the user can then sign in to the same account with the identity, whatever its email address', async () => {
    const browser = await someone('ada')
    const userId = await idOf(browser)
    assert.deepEqual(await accounts(browser), [{ providerId: 'credential', accountId: userId }])
    one.provider.person = { sub: 'ada-at-corp', email: 'lovelace@corp.example' }
    const { status, location, cookies } = await link(browser, { callbackURL: '/settings?linked=1' })
    assert.deepEqual([status, location], [302, url('/settings?linked=1')])
    assert.ok(!cookies.some((line) => line.startsWith('signalbox=')), 'the session goes on as it was')
    assert.equal(await idOf(browser), userId)
    assert.deepEqual(await accounts(browser), [
      { providerId: 'credential', accountId: userId },
      { providerId: 'corp', accountId: 'ada-at-corp' },
    ])
    assert.equal(await idOf((await signIn(one)).browser), userId)
    const again = await browser.ask(url('/api/auth/sign-in/email'), { email: 'ada@example.com', password })
    assert.equal(again.status, 200, 'the password is as good as before')
  })

  test('linking the same identity again changes nothing', async () => {
    const { browser } = await signIn(one)
    const userId = await idOf(browser)
    const before = (await one.world.storage.views.history({ id: userId ?? '', limit: 100 })).length
    assert.equal((await link(browser)).status, 302)
    assert.equal((await one.world.storage.views.history({ id: userId ?? '', limit: 100 })).length, before)
  })

  test('an identity of another account is refused, with 409 or with a redirect to errorCallbackURL', async () => {
    const browser = await someone('eve')
    const refused = await link(browser)
    assert.deepEqual([refused.status, refused.body.error.reason], [409, 'identity_taken'])
    const { location } = await link(browser, { errorCallbackURL: '/settings' })
    assert.equal(new URL(location ?? '').searchParams.get('error'), 'identity_taken')
    assert.deepEqual(await accounts(browser), [{ providerId: 'credential', accountId: await idOf(browser) }])
  })

  test('a second identity of the same provider is refused', async () => {
    one.provider.person = { sub: 'ada-at-corp', email: 'lovelace@corp.example' }
    const { browser } = await signIn(one)
    one.provider.person = { sub: 'somebody-else', email: 'else@corp.example' }
    browser.jar(one.provider.issuer).clear()
    const refused = await link(browser)
    assert.deepEqual([refused.status, refused.body.error.reason], [409, 'already_linked'])
  })

  test('nothing is linked if the browser is signed out meanwhile, or signed in as another user', async () => {
    one.provider.person = { sub: 'new-at-corp', email: 'new@corp.example' }
    const browser = await someone('joan')
    const back = await atProvider(browser)
    await browser.ask(url('/api/auth/sign-out'), {})
    const signedOut = await browser.ask(back)
    assert.deepEqual([signedOut.status, ((await signedOut.json()) as Body).error.reason], [401, 'link_signed_out'])
    await browser.ask(url('/api/auth/sign-in/email'), { email: 'joan@example.com', password })
    const later = await atProvider(browser)
    await browser.ask(url('/api/auth/sign-in/email'), { email: 'eve@example.com', password })
    const other = await browser.ask(later)
    assert.deepEqual([other.status, ((await other.json()) as Body).error.reason], [401, 'link_signed_out'])
    for (const email of ['joan@example.com', 'eve@example.com']) {
      await browser.ask(url('/api/auth/sign-in/email'), { email, password })
      assert.equal(((await accounts(browser)) as unknown[]).length, 1)
    }
  })

  test('another browser cannot complete the linking that this browser began', async () => {
    one.provider.person = { sub: 'stolen-at-corp', email: 'stolen@corp.example' }
    const [victim, attacker] = [await someone('grace'), await someone('mallory')]
    const back = await atProvider(attacker)
    const answer = await victim.ask(back)
    assert.deepEqual([answer.status, ((await answer.json()) as Body).error.reason], [400, 'flow_unknown'])
    assert.equal(((await accounts(victim)) as unknown[]).length, 1)
  })

  test('if two accounts link one identity at the same time, one gets it and the other is refused', async () => {
    one.provider.person = { sub: 'shared-at-corp', email: 'shared@corp.example' }
    const browsers = [await someone('kay'), await someone('lin')]
    const backs = await Promise.all(browsers.map((browser) => atProvider(browser)))
    const answers = await Promise.all(backs.map((back, n) => browsers[n]?.ask(back)))
    assert.deepEqual(answers.map((answer) => answer?.status).sort(), [302, 409])
  })

  test('needs a session', async () => {
    const { userId } = await one.world.signIn()
    const { token } = await one.world.apiKey(userId)
    const ask = async (headers: Record<string, string>) => {
      const own = { 'content-type': 'application/json', ...headers }
      const body = JSON.stringify({ providerId: 'corp' })
      return (await fetch(url('/api/auth/oauth2/link'), { method: 'POST', headers: own, body })).status
    }
    assert.deepEqual([await ask({}), await ask({ 'x-api-key': token })], [401, 403])
  })
})
