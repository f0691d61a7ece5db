/** The pages in every state: axe, the content security policy and a narrow screen show no fault. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { openSite } from '../../../clients/console/site.ts'
import { registrationId } from '../../../spec/core/ids.ts'
import { catalog } from '../../../spec/messages/catalog.ts'
import { languageNames, locales } from '../../../spec/pages/locales.ts'
import { openChromium } from '../../kit/browser/chromium.ts'
import { assertFaultless, faults } from '../../kit/browser/faults.ts'
import { soon } from '../../kit/browser/soon.ts'
import { signalOf, visit, whereIs } from '../../kit/browser/visit.ts'
import { testProvider } from '../../kit/program/servers/identityProvider.ts'
import { corp } from '../../kit/runtime/oidcGateway.ts'
import { startTestGateway, type TestGateway } from '../../kit/runtime/testGateway.ts'

const ada = { name: 'Ada', email: 'ada@example.com', password: 'correct horse' }

let browser: Browser
/** No account exists. */
let empty: TestGateway
/** An account exists, and both methods of sign-in are enabled. */
let both: TestGateway
/** Only the provider is on. */
let oidc: TestGateway

before(async () => {
  const site = await openSite()
  const identityProvider = corp(await testProvider())
  const limits = { signInFailuresPer5Minutes: 2 }
  empty = await startTestGateway({ options: { site } })
  both = await startTestGateway({ options: { site }, settings: { authMode: 'both', identityProvider, limits } })
  oidc = await startTestGateway({ options: { site }, settings: { authMode: 'oidc', identityProvider } })
  const made = await fetch(`${both.url}/api/auth/sign-up/email`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(ada),
  })
  assert.equal(made.status, 200)
  browser = await openChromium()
})
after(async () => {
  await browser?.close()
  for (const world of [empty, both, oidc]) await world?.stop()
})

/** Failed sign-ins are counted by address. */
let guests = 0

const enabled = (page: Page) => page.locator('button:enabled').first().waitFor()

async function signIn(page: Page, email: string, password: string): Promise<void> {
  await page.locator('#email').fill(email)
  await page.locator('#password').fill(password)
  await page.locator('button[type=submit]:enabled').click()
}

interface State {
  readonly at: () => TestGateway
  readonly path: string
  readonly come?: (page: Page) => Promise<void>
  readonly says: RegExp
  readonly signal: string
}

const states: Readonly<Record<string, State>> = {
  'the first account': { at: () => empty, path: '/register', says: /Create the first account/, signal: 'caution' },
  'invalid fields': {
    at: () => empty,
    path: '/register',
    come: (page) => page.locator('button[type=submit]:enabled').click(),
    says: /Enter your name\.[\s\S]*Enter your email address\.[\s\S]*Enter your password\./,
    signal: 'stop',
  },
  'a password that is too common': {
    at: () => empty,
    path: '/register',
    come: async (page) => {
      await page.locator('#name').fill('Ada')
      await signIn(page, 'ada@example.com', 'password1234')
      await page.locator('#password-problem:not(:empty)').waitFor()
    },
    says: /This password is easy to guess/,
    signal: 'stop',
  },
  'registration closed': { at: () => both, path: '/register', says: /Registration is closed/, signal: 'stop' },
  'sign-in with a password or at the provider': {
    at: () => both,
    path: '/sign-in',
    says: /Sign in with Corp/,
    signal: 'caution',
  },
  'sign-in at the provider alone': {
    at: () => oidc,
    path: '/register',
    says: /Continue with Corp/,
    signal: 'caution',
  },
  'a wrong password': {
    at: () => both,
    path: '/sign-in',
    come: async (page) => {
      await signIn(page, `guest${++guests}@example.com`, 'wrong')
      await page.locator('#message:not(:empty)').waitFor()
    },
    says: /The email address or the password is wrong\./,
    signal: 'stop',
  },
  'too many attempts': {
    at: () => both,
    path: '/sign-in',
    come: async (page) => {
      const email = `guest${++guests}@example.com`
      for (let attempt = 0; attempt < 3; attempt++) {
        const answered = page.waitForResponse('**/sign-in/email')
        await signIn(page, email, 'wrong')
        await answered
        await enabled(page)
      }
      await page.locator('#message', { hasText: 'Too many' }).waitFor()
    },
    says: /Too many attempts\. Try again in \d+ minutes\./,
    signal: 'stop',
  },
  'a provider that does not answer': {
    at: () => both,
    path: '/sign-in',
    come: async (page) => {
      await page.getByRole('button', { name: 'Sign in with Corp' }).click()
      await page.locator('#message:not(:empty)').waitFor()
    },
    says: /The provider does not answer\./,
    signal: 'stop',
  },
  'a failure at the provider': {
    at: () => both,
    path: '/sign-in?error=account_exists',
    says: /Another account has your email address/,
    signal: 'stop',
  },
  'an unknown address': { at: () => both, path: '/nowhere', says: /No page here/, signal: 'stop' },
}

describe('a page has no faults', () => {
  for (const [name, { at, path, come, says, signal }] of Object.entries(states))
    test(name, async () => {
      const guest = await visit(browser, at().url)
      const { page } = guest
      await page.goto(path)
      await come?.(page)
      await soon(async () => assert.match((await page.locator('main').innerText()) ?? '', says))
      assert.equal(await signalOf(page), signal)
      await assertFaultless(page)
      const complaints = guest.complaints.filter((line) => !/status of 404/.test(line))
      assert.deepEqual(complaints, [])
      await guest.end()
    })
})

test('without a connection, the page reports this and keeps what was typed', async () => {
  const guest = await visit(browser, both.url)
  const { page } = guest
  await page.goto('/sign-in')
  await page.locator('#email').fill(ada.email)
  await page.context().setOffline(true)
  await page.locator('#message', { hasText: 'There is no connection to the server.' }).waitFor()
  await page.locator('#password').fill(ada.password)
  await page.locator('button[type=submit]').click()
  await page.locator('#message:focus', { hasText: 'There is no connection' }).waitFor()
  await soon(async () => assert.equal(await page.locator('#password').inputValue(), ada.password))
  await page.context().setOffline(false)
  await page.locator('#message:empty').waitFor({ state: 'attached' })
  await page.locator('button[type=submit]:enabled').click()
  await page.waitForURL((url) => url.pathname === '/')
  await guest.end()
})

test('without JavaScript, the page states that it is required, and sends nothing', async () => {
  const guest = await visit(browser, both.url, { javaScriptEnabled: false })
  await guest.page.goto('/fr/sign-in')
  await soon(async () =>
    assert.match(await guest.page.locator('main').innerText(), new RegExp(catalog.fr.pages.noScript)),
  )
  assert.equal(await guest.page.locator('button:enabled').count(), 0)
  await soon(async () => assert.equal(await guest.page.locator('form').getAttribute('method'), 'post'))
  await guest.end()
})

test('while a request is in flight, the form shows this, and nothing is sent twice', async () => {
  const guest = await visit(browser, both.url)
  const { page } = guest
  const held = Promise.withResolvers<void>()
  let sent = 0
  await page.route('**/api/auth/sign-in/email', async (route) => {
    sent++
    await held.promise
    await route.continue()
  })
  await page.goto('/sign-in')
  await signIn(page, ada.email, ada.password)
  const submit = page.getByRole('button', { name: 'Signing in…' })
  await submit.waitFor()
  await soon(async () =>
    assert.deepEqual([await submit.getAttribute('aria-busy'), await signalOf(page)], ['true', 'busy']),
  )
  await page.locator('#password').press('Enter')
  assert.deepEqual(await faults(page), [])
  held.resolve()
  await page.waitForURL((url) => url.pathname === '/')
  assert.equal(sent, 1)
  await guest.end()
})

test('an account that exists already and a registration that was closed are reported', async () => {
  const registration = { kind: 'registration', id: registrationId } as const
  await both.ask(registration, { type: 'open' })
  const guest = await visit(browser, both.url)
  const { page } = guest
  await page.goto('/register')
  await page.locator('#name').fill('Ada again')
  await signIn(page, ada.email.toUpperCase(), ada.password)
  await page.locator('#email-problem:not(:empty)').waitFor()
  await soon(async () =>
    assert.match(await page.locator('#email-problem').innerText(), /An account with this email address already exists/),
  )
  assert.equal(await page.locator(':focus').getAttribute('name'), 'email')
  assert.deepEqual(await faults(page), [])
  await both.ask(registration, { type: 'close' })
  await signIn(page, 'new@example.com', ada.password)
  await page.locator('#message:focus', { hasText: 'Registration is closed.' }).waitFor()
  await guest.end()
})

test('a password is pasted whole, however long, and is never cut', async () => {
  const guest = await visit(browser, empty.url)
  const { page } = guest
  await page.goto('/register')
  await page.locator('#password').fill('x'.repeat(1_000))
  await page.locator('button[type=submit]:enabled').click()
  await soon(async () => assert.match(await page.locator('#password-problem').innerText(), /This one has 1,000/))
  const attributes = await Promise.all(
    ['#name', '#email', '#password'].map((field) => page.locator(field).getAttribute('autocomplete')),
  )
  assert.deepEqual(attributes, ['name', 'username', 'new-password'])
  await soon(async () => assert.equal(await page.locator('[maxlength], [onpaste]').count(), 0))
  await page.goto('/sign-in?error=access_denied')
  await soon(async () => assert.equal(await page.locator('#password').getAttribute('autocomplete'), 'current-password'))
  await guest.end()
})

describe('languages', () => {
  for (const locale of locales)
    test(`a browser in ${locale} gets the page in ${locale}, with a link to each other language`, async () => {
      const guest = await visit(browser, both.url, { locale: locale === 'en' ? 'en-GB' : locale })
      const { page } = guest
      await page.goto('/sign-in?redirect=%2Fapi%2Fopenapi.json')
      const heading = page.getByRole('heading', { level: 1 })
      await soon(async () => assert.equal(await heading.innerText(), catalog[locale].pages.signIn.title))
      const other = locale === 'ja' ? 'de' : 'ja'
      await page.getByRole('link', { name: languageNames[other] }).click()
      await soon(async () => assert.equal(await heading.innerText(), catalog[other].pages.signIn.title))
      assert.equal(whereIs(page), `/${other}/sign-in?redirect=%2Fapi%2Fopenapi.json`)
      await soon(async () => assert.equal(await page.locator('html').getAttribute('lang'), other))
      assert.deepEqual(await faults(page), [])
      await guest.end()
    })
})

test('the page is painted within a second', async () => {
  const guest = await visit(browser, both.url)
  await guest.page.goto('/sign-in', { waitUntil: 'load' })
  const ms = await guest.page.evaluate(
    "new Promise((done) => new PerformanceObserver((list) => { const e = list.getEntriesByName('first-contentful-paint')[0]; if (e) done(e.startTime) }).observe({ type: 'paint', buffered: true }))",
  )
  assert.ok(Number(ms) < 1_000, `after ${ms} ms`)
  await guest.end()
})
