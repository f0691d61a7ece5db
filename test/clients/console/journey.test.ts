/** A person with a real browser: registers, signs in with a password and at a real provider, and signs out. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { openSite } from '../../../clients/console/site.ts'
import { registrationId } from '../../../spec/core/ids.ts'
import { openChromium } from '../../kit/browser/chromium.ts'
import { soon } from '../../kit/browser/soon.ts'
import { signalOf, type Visit, visit, whereIs } from '../../kit/browser/visit.ts'
import { type OidcGateway, startOidcGateway } from '../../kit/runtime/oidcGateway.ts'

const ada = { name: 'Ada Lovelace', email: 'ada@example.com', password: 'correct horse battery staple' }
const grace = { sub: 'grace', email: 'grace@example.com', emailVerified: true, name: 'Grace Hopper' }

let stage: OidcGateway
let browser: Browser
let person: Visit
let page: Page

before(async () => {
  stage = await startOidcGateway({ site: await openSite() })
  browser = await openChromium()
  person = await visit(browser, stage.world.url)
  page = person.page
})
after(async () => {
  await browser?.close()
  await stage?.stop()
})

const heading = () => page.getByRole('heading', { level: 1 }).textContent()
const cookie = async () => (await page.context().cookies()).find(({ name }) => name === 'signalbox')
const register = (open: boolean) =>
  stage.world.ask({ kind: 'registration', id: registrationId }, { type: open ? 'open' : 'close' })

async function signIn(email: string, password: string): Promise<void> {
  await page.getByLabel('Email address').fill(email)
  await page.getByRole('textbox', { name: 'Password' }).fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
}

async function signOut(): Promise<void> {
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.waitForURL('**/sign-in')
}

test('a newcomer who opens the address gets the page that creates the first account', async () => {
  await page.goto('/')
  await soon(() => assert.equal(whereIs(page), '/register'))
  assert.equal(await heading(), 'Create the first account')
})

test('the first account is created by keyboard alone', async () => {
  const { keyboard } = page
  // Buttons can be used when the script is there.
  await page.getByRole('button', { name: 'Create account' }).and(page.locator(':enabled')).waitFor()
  await soon(async () => assert.equal(await page.locator(':focus').getAttribute('name'), 'name'))
  await keyboard.type(ada.name)
  await keyboard.press('Tab')
  await keyboard.type('ada@')
  await keyboard.press('Tab')
  await keyboard.type('short')
  await keyboard.press('Enter')
  await soon(async () =>
    assert.equal(await page.locator(':focus').getAttribute('name'), 'email', 'the first field that is not right'),
  )
  assert.match((await page.locator('#email-problem').textContent()) ?? '', /^Enter a whole email address/)
  await soon(async () =>
    assert.match(
      (await page.locator('#password-problem').textContent()) ?? '',
      /8 to 128 characters. This one has 5\./,
    ),
  )
  await keyboard.press('End')
  await keyboard.type('example.com')
  await soon(async () =>
    assert.equal(await page.locator('#email-problem').textContent(), '', 'the problem of a changed field is cleared'),
  )
  await keyboard.press('Tab')
  await keyboard.press('Control+A')
  await keyboard.type(ada.password)
  await keyboard.press('Tab')
  await soon(async () => assert.equal(await page.locator(':focus').getAttribute('aria-label'), 'Show password'))
  await keyboard.press('Space')
  await soon(async () => assert.equal(await page.locator('#password').getAttribute('type'), 'text'))
  assert.equal(await page.locator(':focus').getAttribute('aria-label'), 'Hide password')
  await keyboard.press('Tab')
  await keyboard.press('Enter')
  await page.waitForURL((url) => url.pathname === '/')
  await page.getByRole('heading', { name: 'Inbox' }).waitFor()
  await soon(async () => assert.equal(await page.locator('#signed-in-user').textContent(), `Signed in as ${ada.name}`))
})

test('the session is in a cookie that scripts can’t read', async () => {
  const { httpOnly = false, sameSite, path, expires = 0 } = (await cookie()) ?? {}
  assert.deepEqual({ httpOnly, sameSite, path }, { httpOnly: true, sameSite: 'Lax', path: '/' })
  assert.ok(expires > Date.now() / 1000)
  assert.equal(await page.evaluate('document.cookie'), '')
  assert.deepEqual(await page.evaluate('[localStorage.length, sessionStorage.length]'), [0, 0])
})

test('a signed-in user who opens the sign-in page is led on to its target', async () => {
  await page.goto('/sign-in?redirect=%2Fde')
  await soon(() => assert.equal(whereIs(page), '/de'))
  await page.goto('/register')
  await soon(() => assert.equal(whereIs(page), '/'))
})

test('signing out by keyboard ends the session, and going back in the browser shows no data of the user', async () => {
  const { value } = (await cookie()) ?? {}
  await page.getByRole('button', { name: 'Sign out' }).focus()
  await page.keyboard.press('Enter')
  await page.waitForURL('**/sign-in')
  assert.equal(await cookie(), undefined)
  const session = await fetch(`${stage.world.url}/api/auth/get-session`, { headers: { cookie: `signalbox=${value}` } })
  assert.equal(await session.json(), null)
  for (let back = 0; back < 3; back++) {
    await page.goBack().catch(() => undefined)
    await soon(async () => assert.doesNotMatch((await page.locator('body').textContent()) ?? '', /Ada/))
  }
  await page.goto('/')
  await soon(() => assert.equal(whereIs(page), '/sign-in'))
})

test('a wrong password is reported, and the password can be typed again at once', async () => {
  await signIn(ada.email, 'not the password')
  const message = page.getByRole('alert')
  await message.filter({ hasText: 'The email address or the password is wrong.' }).waitFor()
  await soon(async () => assert.equal(await page.locator(':focus').getAttribute('name'), 'password'))
  assert.equal(await signalOf(page), 'stop')
  await soon(async () => assert.equal(await page.getByLabel('Email address').inputValue(), ada.email))
})

test('a correct password leads to the page that the person requested', async () => {
  await page.goto('/sign-in?redirect=%2Ffr%3Ffrom%3Dlink')
  await signIn(ada.email, ada.password)
  await page.waitForURL('**/fr?from=link')
  await page.goto('/')
  await signOut()
})

test('a new identity of the provider cannot sign in while registration is closed', async () => {
  stage.provider.person = grace
  await page.getByRole('button', { name: 'Sign in with Corp' }).click()
  await page.locator('#message:focus').filter({ hasText: 'Registration is closed.' }).waitFor()
  await soon(() => assert.equal(whereIs(page), '/sign-in', 'a reload is a new try'))
})

test('while registration is open, a new identity of the provider creates an account, and can sign in to it afterwards', async () => {
  await register(true)
  await page.goto('/sign-in?redirect=%2Fes')
  await page.getByRole('link', { name: 'Create an account' }).click()
  await page.getByRole('button', { name: 'Continue with Corp' }).click()
  await page.waitForURL('**/es')
  await register(false)
  await page.goto('/')
  await signOut()
  await page.getByRole('button', { name: 'Sign in with Corp' }).click()
  await page.waitForURL((url) => url.pathname === '/')
  await page.getByText(`Signed in as ${grace.name}`).waitFor()
  await signOut()
})

test('a redirect target of the maximum length is kept through the sign-in at the provider', async () => {
  const target = `/es?${'&'.repeat(230)}`
  await page.goto(`/sign-in?redirect=${encodeURIComponent(target)}`)
  await page.getByRole('button', { name: 'Sign in with Corp' }).click()
  await page.waitForURL((url) => url.pathname === '/es')
  await soon(() => assert.equal(whereIs(page), target))
  await page.goto('/')
  await signOut()
})

test('a person whom the provider rejects reads this in the language of the page', async () => {
  await page.goto('/de/sign-in?redirect=%2Fde')
  // The provider remembers who signed in there.
  await page.context().clearCookies({ name: /^_/ })
  stage.provider.person = undefined
  await page.getByRole('button', { name: 'Mit Corp anmelden' }).click()
  await page.locator('#message:focus').filter({ hasText: 'Der Anbieter hat Sie nicht eingelassen' }).waitFor()
  await soon(() => assert.equal(whereIs(page), '/de/sign-in?redirect=%2Fde'))
})

test('a callback of the provider that this browser did not request shows a page with the reason', async () => {
  await page.goto('/api/auth/oauth2/callback/corp?state=forged&code=forged')
  await soon(async () => assert.equal(await heading(), 'This did not work'))
  assert.match((await page.locator('main').textContent()) ?? '', /begun in another browser/)
})

test('the browser has reported no errors', () => {
  person.fine()
})
