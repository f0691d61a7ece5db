/** People with real browsers at a real server look after their account, their keys, each other, and the server; by keyboard alone. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { atConsole } from '../../../kit/browser/atConsole.ts'
import { assertFaultless, faults } from '../../../kit/browser/faults.ts'
import { soon } from '../../../kit/browser/soon.ts'
import { signedIn, type Visit, visit, whereIs } from '../../../kit/browser/visit.ts'
import { ada, rest } from '../../../kit/program/accounts.ts'
import { asWhom, refusal } from '../../../kit/program/testProgram.ts'
import { until } from '../../../kit/program/until.ts'

const grace = { name: 'Grace Hopper', email: 'grace@example.com', password: 'nine little indigo boats' }
const firefox = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:144.0) Gecko/20100101 Firefox/144.0'

const { stage, browser, person, page } = await atConsole({
  LIMIT_SIGN_UPS_PER_MINUTE: '1000',
  LIMIT_SIGN_IN_FAILURES_PER_5_MINUTES: '3',
})

async function press(what: Locator, key = 'Enter'): Promise<void> {
  await what.focus()
  await what.page().keyboard.press(key)
}

async function write(field: Locator, text: string): Promise<void> {
  await field.focus()
  await field.page().keyboard.press('ControlOrMeta+A')
  await field.page().keyboard.type(text)
}

const button = (name: string | RegExp, at: Page | Locator = page) =>
  at.getByRole('button', typeof name === 'string' ? { name, exact: true } : { name })
const dialog = (at = page) => at.getByRole('dialog')
/** The text field, and not the button that shows what is in it. */
const field = (label: string, at: Page | Locator = page) => at.getByRole('textbox', { name: label, exact: true })
/** It is gone from the page, and not only hidden. */
const closed = (at = page) => at.locator('dialog').waitFor({ state: 'detached' })
/** Passwords are in fields of no role. */
const secret = (name: string, at: Page | Locator = page) => at.locator(`input[name=${name}]`)
const focused = (at = page) => at.locator(':focus')

/** Signs in by the page, as a browser of its own. */
async function arrival(who: { email: string; password: string }, path: string, userAgent = firefox): Promise<Visit> {
  const guest = await visit(browser, stage.url, { userAgent })
  await guest.page.goto(path)
  await guest.page.getByLabel('Email address').fill(who.email)
  await guest.page.getByRole('textbox', { name: 'Password' }).fill(who.password)
  await guest.page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await guest.page.waitForURL(`**${path}`)
  await guest.page.getByText('Live', { exact: true }).waitFor()
  return guest
}

const signIn = async (who: { email: string; password: string }) =>
  (await rest(stage.url, 'POST', '/api/auth/sign-in/email', { body: who })).status

async function nothingOf(text: string): Promise<void> {
  const seen: unknown = await page.evaluate(
    `(t => [document.documentElement.outerHTML.includes(t), [...document.querySelectorAll('input')].some(({ value }) => value.includes(t))])(${JSON.stringify(text)})`,
  )
  assert.deepEqual(seen, [false, false])
}

test('the tabs lead from one section to the other, and the address of an unknown section is reported', async () => {
  await page.goto('/settings')
  await page.getByRole('heading', { name: 'Profile', exact: true }).waitFor()
  const tabs = page.getByRole('navigation', { name: 'Settings' })
  for (const [name, path, says] of [
    ['API keys', '/settings/keys', 'New API key'],
    ['Devices', '/settings/devices', 'Enroll device'],
    ['Users', '/settings/users', 'Add user'],
    ['Server', '/settings/server', 'Listeners'],
    ['Account', '/settings', 'Change password'],
  ] as const) {
    await press(tabs.getByRole('link', { name, exact: true }))
    await page.getByText(says).waitFor()
    await soon(() => assert.equal(whereIs(page), path))
    assert.deepEqual(await tabs.locator('[aria-current=page]').allInnerTexts(), [name])
  }
  await soon(async () =>
    assert.match(await page.locator('.terms').innerText(), /Ada[\s\S]*ada@example\.com[\s\S]*usr_/),
  )
  await page.goto('/settings/nothing')
  await page.getByText('There is no section nothing in the settings.').waitFor()
  await page.goto('/settings/constructor')
  await page.getByText('There is no section constructor in the settings.').waitFor()
  person.fine()
})

describe('the user’s own password', () => {
  const next = 'quiet violet harbour'
  const change = async (present: string, fresh: string) => {
    await write(secret('currentPassword'), present)
    await write(secret('newPassword'), fresh)
    await page.keyboard.press('Enter')
  }

  test('a wrong value is reported at its field, which has the focus, and nothing changes', async () => {
    await page.goto('/settings')
    await button('Change password').waitFor()
    for (const [present, fresh, name, says] of [
      ['not the password', next, 'currentPassword', 'The current password is wrong.'],
      [ada.password, 'short', 'newPassword', 'A password must have 8 to 128 characters. This one has 5.'],
      [ada.password, 'password1234', 'newPassword', 'The value is one of the most common passwords: choose another.'],
      [ada.password, 'ada@example', 'newPassword', /^The value consists mostly of your name, your email address/],
    ] as const) {
      await change(present, fresh)
      const problem = page.locator(`#field-${name}-problem`, { hasText: says })
      await problem.waitFor()
      await soon(async () => assert.equal(await focused().getAttribute('name'), name))
      assert.equal(await focused().getAttribute('aria-invalid'), 'true')
      await soon(async () =>
        assert.match((await focused().getAttribute('aria-describedby')) ?? '', new RegExp(`field-${name}-problem$`)),
      )
      assert.equal(await page.locator('.problem').count(), 1)
      assert.deepEqual(await faults(page), [])
    }
    assert.equal(await signIn(ada), 200)
    person.fine()
  })

  test('a button shows and hides the typed password', async () => {
    await write(secret('newPassword'), 'seen')
    await page.keyboard.press('Tab')
    await soon(async () => assert.equal(await focused().getAttribute('aria-label'), 'Show: New password'))
    await page.keyboard.press('Space')
    await soon(async () =>
      assert.deepEqual(
        [await secret('newPassword').getAttribute('type'), await secret('newPassword').inputValue()],
        ['text', 'seen'],
      ),
    )
    await page.keyboard.press('Space')
    await soon(async () => assert.equal(await secret('newPassword').getAttribute('type'), 'password'))
  })

  test('a change of the password ends the other sessions, and the page that changed it stays signed in', async () => {
    const other = await arrival(ada, '/settings')
    await button('End: Firefox on macOS').waitFor()
    const before = (await page.context().cookies())[0]?.value
    await change(ada.password, next)
    await page.getByText('Password changed. Your other sessions have ended.').waitFor()
    await other.page.waitForURL('**/sign-in?redirect=%2Fsettings')
    await page.getByText('Live', { exact: true }).waitFor()
    await button('End: Firefox on macOS').waitFor({ state: 'detached' })
    await soon(async () => assert.equal(await page.locator('.owned li').count(), 1))
    assert.notEqual((await page.context().cookies())[0]?.value, before)
    assert.deepEqual([await signIn(ada), await signIn({ ...ada, password: next })], [401, 200])
    // It receives changes through its new session.
    await button(/^End: node/).waitFor()
    for (const text of [ada.password, next]) await nothingOf(text)
    await soon(() => assert.equal(whereIs(page), '/settings'))
    person.fine()
    await other.end()
  })

  test('the other sessions stay signed in if the user chooses this', async () => {
    const other = await arrival({ ...ada, password: next }, '/machines')
    await page.getByLabel('End my other sessions').focus()
    await page.keyboard.press('Space')
    await change(next, ada.password)
    await page.getByText('Password changed. Your other sessions stay signed in.').waitFor()
    await other.page.reload()
    await other.page.getByRole('heading', { name: 'Machines' }).waitFor()
    await button('End: Firefox on macOS').waitFor()
    assert.equal(await signIn(ada), 200)
    person.fine()
    await other.end()
  })
})

describe('the user’s own sessions', () => {
  test('the browser of an ended session is led to the sign-in page, and the focus is not lost', async () => {
    await page.goto('/settings')
    await page.getByText('this session').waitFor()
    await press(button('End other sessions'))
    await press(button('End other sessions', dialog()))
    await closed()
    await button(/^End: /)
      .first()
      .waitFor({ state: 'detached' })
    const other = await arrival(ada, '/settings/keys')
    // It appears without a reload.
    await press(button('End: Firefox on macOS'))
    await dialog().getByText('The device has to sign in again.').waitFor()
    await press(button('Cancel', dialog()))
    await closed()
    await soon(async () => assert.equal(await focused().getAttribute('aria-label'), 'End: Firefox on macOS'))
    await page.keyboard.press('Enter')
    await press(button('End session', dialog()))
    await closed()
    await other.page.waitForURL('**/sign-in?redirect=%2Fsettings%2Fkeys')
    await button('End: Firefox on macOS').waitFor({ state: 'detached' })
    await page.locator('h2:focus', { hasText: 'Sessions' }).waitFor()
    person.fine()
    await other.end()
  })

  test('all other sessions are ended at once, and the current one stays', async () => {
    const others = [await arrival(ada, '/'), await arrival(ada, '/runs')]
    await button('End: Firefox on macOS').nth(1).waitFor()
    await press(button('End other sessions'))
    await dialog().getByText('2 other sessions end within a second').waitFor()
    await press(button('End other sessions', dialog()))
    await closed()
    for (const other of others) {
      await other.page.waitForURL('**/sign-in?redirect=*')
      await other.end()
    }
    await button(/^End: /)
      .first()
      .waitFor({ state: 'detached' })
    await button('End other sessions').waitFor({ state: 'detached' })
    await soon(async () => assert.equal(await page.getByText('this session').count(), 1))
    person.fine()
  })

  test('the first 20 of many sessions are shown, and all of them on demand', async () => {
    for (let count = 0; count < 25; count++) assert.equal(await signIn(ada), 200)
    const all = button(/^Show all \d+ sessions$/)
    await all.waitFor()
    const rows = page.getByRole('region', { name: 'Sessions' }).getByRole('listitem')
    await soon(async () => assert.equal(await rows.count(), 20))
    await press(all)
    await soon(async () => assert.ok((await rows.count()) >= 26))
    await all.waitFor({ state: 'detached' })
    await press(button('End other sessions'))
    await press(button('End other sessions', dialog()))
    await closed()
    await soon(async () => assert.equal(await rows.count(), 1))
    person.fine()
  })
})

describe('API keys', () => {
  let key = ''
  const viewer = () =>
    asWhom(stage.url, { 'X-API-Key': key })<{ viewer: { keyName: string } }>('{ viewer { keyName } }')
  const codeNow = async () => (await refusal(viewer())).code

  test('a key is created, shown once, copied, and used', async () => {
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.goto('/settings/keys')
    await press(button('New API key'))
    await dialog().locator('input[name=name]:focus').waitFor()
    await write(field('Name', dialog()), 'x'.repeat(201))
    await page.keyboard.press('Enter')
    await page
      .locator('#dialog-field-name-problem', { hasText: 'The value must have at most 200 characters.' })
      .waitFor()
    await write(field('Name', dialog()), 'nightly build')
    await page.keyboard.press('Tab')
    await page.keyboard.type('90')
    await page.keyboard.press('Tab')
    await press(button('Create API key', dialog()))
    await dialog().getByText('It is not shown again').waitFor()
    key = await dialog().locator('.command').first().innerText()
    assert.match(key, /^svc_[\w-]{40,}$/)
    assert.deepEqual(await faults(page), [])
    await press(button('Copy the key'))
    await dialog().getByText('Copied').waitFor()
    assert.equal(await page.evaluate('navigator.clipboard.readText()'), key)
    const curl = await dialog().locator('.command').nth(1).innerText()
    assert.ok(curl.startsWith(`curl -s ${stage.url}/api/graphql`) && curl.includes(`X-API-Key: ${key}`), curl)
    await press(button('Done'))
    await closed()
    await nothingOf(key)
    await soon(async () => assert.equal(await focused().innerText(), 'New API key'))
    assert.equal((await viewer()).viewer.keyName, 'nightly build')
    await page.reload()
    const row = page.getByRole('listitem').filter({ hasText: 'nightly build' })
    await soon(async () => assert.match(await row.innerText(), /svc_…[\s\S]*created[\s\S]*expires in 90 d/))
    await nothingOf(key)
    person.fine()
  })

  test('a disabled key is refused, and is valid again when it is enabled', async () => {
    await press(button('Disable: nightly build'))
    await press(button('Disable API key', dialog()))
    await closed()
    await button('Enable: nightly build').waitFor()
    await until('the key to be refused', async () => ((await codeNow()) === 'UNAUTHENTICATED' ? true : undefined))
    await press(button('Enable: nightly build'))
    await press(button('Enable API key', dialog()))
    await closed()
    await button('Disable: nightly build').waitFor()
    await until('the key to be good', async () => ((await codeNow()) === 'GRANTED' ? true : undefined))
    person.fine()
  })

  test('a deleted key is refused, and disappears from every page', async () => {
    const second = await signedIn(browser, stage)
    await second.page.goto('/settings/keys')
    await button('Delete: nightly build', second.page).waitFor()
    await press(button('Delete: nightly build'))
    await press(button('Delete API key', dialog()))
    await closed()
    await button('Delete: nightly build').waitFor({ state: 'detached' })
    await page.locator('h2:focus', { hasText: 'API keys' }).waitFor()
    await button('Delete: nightly build', second.page).waitFor({ state: 'detached' })
    await until('the key to be refused', async () => ((await codeNow()) === 'UNAUTHENTICATED' ? true : undefined))
    person.fine()
    await second.end()
  })
})

describe('users', () => {
  const row = (name: string) => page.locator('.user-row', { hasText: name })

  async function make({ name, email, password }: typeof grace): Promise<void> {
    await press(button('Add user'))
    await write(field('Name', dialog()), name)
    await write(field('Email address', dialog()), email)
    await write(secret('password', dialog()), password)
    await page.keyboard.press('Enter')
  }

  test('an account is created, and a wrong value is reported at its field', async () => {
    await page.goto('/settings/users')
    await page.getByText('1 account').waitFor()
    await make({ ...grace, password: 'short' })
    await page.locator('#dialog-field-password-problem', { hasText: 'This one has 5' }).waitFor()
    await soon(async () => assert.equal(await focused().getAttribute('name'), 'password'))
    assert.deepEqual(await faults(page), [])
    await write(secret('password', dialog()), grace.password)
    await write(field('Email address', dialog()), ada.email)
    await page.keyboard.press('Enter')
    await page
      .locator('#dialog-field-email-problem', { hasText: 'An account with this email address already exists.' })
      .waitFor()
    await soon(async () => assert.equal(await focused().getAttribute('name'), 'email'))
    await write(field('Email address', dialog()), grace.email)
    await page.keyboard.press('Enter')
    await closed()
    await row(grace.name).getByText('enabled').waitFor()
    await page.getByText('2 accounts').waitFor()
    await soon(async () => assert.equal(await focused().innerText(), 'Add user'))
    await nothingOf(grace.password)
    person.fine()
  })

  test('a disabled user is signed out and cannot sign in, and the last enabled user cannot be disabled or removed', async () => {
    const other = await arrival(grace, '/stuck')
    await press(button(`Disable: ${grace.name}`))
    await write(dialog().getByLabel('Reason'), 'on leave')
    await page.keyboard.press('Enter')
    await closed()
    await row(grace.name).getByText('disabled').waitFor()
    await other.page.waitForURL('**/sign-in?redirect=%2Fstuck')
    assert.equal(await signIn(grace), 401)
    for (const [how, yes] of [
      ['Disable: Ada', 'Disable user'],
      ['Remove: Ada', 'Remove user'],
    ] as const) {
      await press(button(how))
      await dialog().getByText('This is your own account. You will be signed out.').waitFor()
      await press(button(yes, dialog()))
      await dialog()
        .getByRole('alert')
        .filter({ hasText: 'The last enabled account can be neither disabled nor removed.' })
        .waitFor()
      assert.deepEqual(await faults(page), [])
      await page.keyboard.press('Escape')
      await closed()
      await soon(async () => assert.equal(await focused().getAttribute('aria-label'), how))
    }
    person.fine()
    await other.end()
  })

  test('a user is enabled again, gets another password, is signed out, and is removed', async () => {
    await press(button(`Enable: ${grace.name}`))
    await press(button('Enable user', dialog()))
    await closed()
    await row(grace.name).getByText('enabled').waitFor()
    const other = await arrival(grace, '/insights')
    const password = 'seven slow purple trains'
    await press(button(`Set password: ${grace.name}`))
    await write(secret('newPassword', dialog()), password)
    await page.keyboard.press('Enter')
    await closed()
    await nothingOf(password)
    await other.page.waitForURL('**/sign-in?redirect=%2Finsights')
    await other.end()
    assert.deepEqual([await signIn(grace), await signIn({ ...grace, password })], [401, 200])
    await soon(async () =>
      assert.equal(await button('Set password: Ada').count(), 0, 'the user’s own password is not set on this page'),
    )
    const third = await arrival({ ...grace, password }, '/repositories')
    await press(button(`End sessions: ${grace.name}`))
    await press(button('End sessions', dialog()))
    await closed()
    await third.page.waitForURL('**/sign-in?redirect=%2Frepositories')
    await third.end()
    await press(button(`Remove: ${grace.name}`))
    await press(button('Remove user', dialog()))
    await closed()
    await row(grace.name).waitFor({ state: 'detached' })
    await page.locator('h2:focus', { hasText: 'Users' }).waitFor()
    await page.getByText('1 account').waitFor()
    person.fine()
  })

  test('registration is opened and closed, and the registration page shows this', async () => {
    const guest = await visit(browser, stage.url)
    const registration = page.getByRole('switch', { name: 'Allow registration' })
    const title = guest.page.getByRole('heading', { level: 1 })
    for (const [on, says, headed] of [
      ['true', 'Registration is open. Everyone who can reach this server can create an account', 'Create an account'],
      ['false', 'Registration is closed. Only existing users can add accounts.', 'Registration is closed'],
    ] as const) {
      await press(registration, 'Space')
      await page.getByText(says).waitFor()
      await soon(async () => assert.equal(await registration.getAttribute('aria-checked'), on))
      await guest.page.goto('/register')
      await soon(async () => assert.equal(await title.innerText(), headed))
    }
    person.fine()
    await guest.end()
  })

  test('a user on the second page of the API is found, and only visible rows are in the document', async () => {
    const headers = { Cookie: `signalbox=${(await page.context().cookies())[0]?.value}` }
    // Passwords are hashed a few at a time.
    for (let index = 0; index < 120; index += 4) {
      const made = [0, 1, 2, 3].map((more) => {
        const body = { ...grace, name: `Number ${index + more}`, email: `number${index + more}@example.com` }
        return rest(stage.url, 'POST', '/api/auth/admin/create-user', { body, headers })
      })
      for (const { status } of await Promise.all(made)) assert.equal(status, 200)
    }
    // It appears without a reload.
    await page.getByText('121 accounts').waitFor()
    await soon(async () => assert.ok((await page.locator('.user-row').count()) < 60))
    const list = page.getByRole('region', { name: 'Accounts', exact: true })
    await press(list, 'End')
    await until('the last one', async () => {
      await press(list, 'End')
      return (await page.locator('[aria-posinset="121"]').count()) === 1 ? true : undefined
    })
    await page.goto('/settings/users?q=number119%40')
    await row('Number 119').waitFor()
    await page.getByText('121 accounts, 1 match').waitFor()
    await write(page.getByLabel('Name or email address'), 'nobody at all')
    await page.getByText('No matches').waitFor()
    person.fine()
  })
})

describe('the server', () => {
  test('the section shows what the server runs, and of a secret setting only whether it is set', async () => {
    await page.goto('/settings/server')
    await page.getByText('up to date').waitFor()
    const facts = await page.locator('.terms').innerText()
    const [main] = [new URL(stage.url).port]
    assert.match(facts, new RegExp(`on Node ${process.versions.node}[\\s\\S]*Reachable[\\s\\S]*:${main} for people`))
    await write(page.getByLabel('Setting name'), 'app_secret')
    await page.getByText('2 settings').waitFor()
    await soon(async () =>
      assert.deepEqual(await page.locator('.environment .value').allInnerTexts(), ['not set', 'not set']),
    )
    await write(page.getByLabel('Setting name'), 'DATA_DIR')
    await page.locator('.environment .value', { hasText: stage.dataDir }).waitFor()
    await write(page.getByLabel('Setting name'), 'no such')
    await page.getByText('No matches').waitFor()
    person.fine()
  })

  test('the types of telemetry that are stored are changed, and a second page shows this by itself', async () => {
    const second = await signedIn(browser, stage)
    await second.page.goto('/settings/server')
    const logs = (at: Page) => at.getByRole('switch', { name: 'Store console logs' })
    await logs(second.page).waitFor()
    await second.page.getByText('Live', { exact: true }).waitFor()
    for (const on of [false, true]) {
      await press(logs(page), 'Space')
      await second.page.locator(`[role=switch][aria-labelledby*=logs][aria-checked=${on}]`).waitFor()
      await page.locator(`[role=switch][aria-labelledby*=logs][aria-checked=${on}]`).waitFor()
      const { telemetrySettings } = await stage.ask<{ telemetrySettings: unknown }>(
        '{ telemetrySettings { consoleLogs analyticsEvents } }',
      )
      assert.deepEqual(telemetrySettings, { consoleLogs: on, analyticsEvents: true })
    }
    second.fine()
    person.fine()
    await second.end()
  })
})

describe('every section', () => {
  const sections = [
    ['/settings', 'this session'],
    ['/settings/keys', 'Disable'],
    ['/settings/users', '121 accounts'],
    ['/settings/server', 'LIMIT_GRAPHQL_DEPTH'],
  ] as const
  /** Rows in which something hangs out, or lies over something else. */
  const rowsTooSmall = `[...document.querySelectorAll('.user-row')].filter((row) => {
    const { bottom } = row.getBoundingClientRect()
    const boxes = [...row.children].map((part) => part.getBoundingClientRect())
    const over = (a, b) => a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1
    return boxes.some((box, at) => box.bottom > bottom || boxes.slice(at + 1).some((other) => over(box, other)))
  }).length`
  test('no section has a fault of axe or of the content security policy, or scrolls sideways on a narrow screen', async () => {
    for (const [path, says] of sections) {
      await page.goto(path)
      await page.getByText(says).first().waitFor()
      await page.locator('.loading').first().waitFor({ state: 'detached' })
      await assertFaultless(page, path)
      // The content of a row does not exceed the row's height.
      for (const width of [360, 1280, 2560]) {
        await page.setViewportSize({ width, height: 800 })
        await until(`every row to hold what is in it: ${path}, ${width} px wide`, async () =>
          (await page.evaluate(rowsTooSmall)) === 0 ? true : undefined,
        )
      }
    }
    person.fine()
  })
})

test('guesses of the current password are slowed down, and the message has the remaining time', async () => {
  const who = { email: 'number1@example.com', password: grace.password }
  const guest = await arrival(who, '/settings')
  const at = guest.page
  for (let guess = 0; guess < 4; guess++) {
    await write(secret('currentPassword', at), `guess ${guess}`)
    await write(secret('newPassword', at), 'quiet violet harbour')
    const answered = at.waitForResponse('**/change-password')
    await at.keyboard.press('Enter')
    await answered
    if (guess < 3) await at.locator('#field-currentPassword-problem').waitFor()
  }
  await at
    .getByRole('alert')
    .filter({ hasText: /Try again in \d+ (minutes|seconds)\./ })
    .waitFor()
  guest.fine()
  await guest.end()
})

test('a server that does not respond is reported in the list and in the form, and the list then loads by itself', async () => {
  const guest = await signedIn(browser, stage)
  const at = guest.page
  let away = true
  await at.route('**/api/auth/api-key/list', (route) => (away ? route.abort() : route.continue()))
  await at.goto('/settings/keys')
  await at
    .getByRole('alert')
    .filter({ hasText: /does not respond\.\s*Retrying automatically\./ })
    .waitFor()
  assert.deepEqual(await faults(at), [])
  away = false
  await button('Disable: script', at).waitFor({ timeout: 20_000 })
  await soon(async () => assert.equal(await at.getByRole('alert').count(), 0))
  await at.route('**/api/auth/api-key/create', (route) => route.abort())
  await press(button('New API key', at))
  await write(field('Name', dialog(at)), 'never made')
  await at.keyboard.press('Enter')
  await dialog(at).getByText('The server does not respond.').waitFor()
  await soon(async () =>
    assert.equal(await field('Name', dialog(at)).inputValue(), 'never made', 'the typed name is kept'),
  )
  await guest.end()
})

test('if passwords are disabled, no page asks for one', async () => {
  await stage.restart({
    env: {
      AUTH_MODE: 'oidc',
      AUTH_OAUTH_PROVIDER_ID: 'corp',
      AUTH_OAUTH_PROVIDER_NAME: 'Corp',
      AUTH_OAUTH_CLIENT_ID: 'signalbox',
      AUTH_OAUTH_CLIENT_SECRET: 'not a secret of anybody',
      AUTH_OAUTH_DISCOVERY_URL: 'http://127.0.0.1:9/.well-known/openid-configuration',
    },
  })
  await page.goto('/settings')
  await page.getByText('This server stores no passwords. You sign in with Corp').waitFor()
  await soon(async () => assert.equal(await page.locator('input[type=password]').count(), 0))
  await page.goto('/settings/users')
  await page.getByText('An account is created at the first sign-in with Corp.').waitFor()
  await page.locator('.user-row').first().waitFor()
  await soon(async () => assert.equal(await button('Add user').count(), 0))
  assert.equal(await button(/^Set password/).count(), 0)
  assert.deepEqual(await faults(page), [])
  await page.goto('/settings/server')
  await write(page.getByLabel('Setting name'), 'client_secret')
  await page.getByText('1 setting', { exact: true }).waitFor()
  await soon(async () => assert.deepEqual(await page.locator('.environment .value').allInnerTexts(), ['set']))
  await nothingOf('not a secret of anybody')
})
