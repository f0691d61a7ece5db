/** People with real browsers see and change the server URLs, by keyboard, at two pages at once. */
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { atConsole } from '../../../kit/browser/atConsole.ts'
import { assertFaultless } from '../../../kit/browser/faults.ts'
import { soon } from '../../../kit/browser/soon.ts'
import { signedIn } from '../../../kit/browser/visit.ts'

const { stage, browser, person, page } = await atConsole()
const path = '/settings/server-urls'

const field = (label: string, at: Page = page): Locator => at.getByRole('textbox', { name: label, exact: true })
const save = (at: Page = page): Locator => at.getByRole('button', { name: 'Save server URLs' })
const rows = (at: Page = page) => at.getByRole('table', { name: 'Server URLs' }).locator('tbody tr').allInnerTexts()

async function write(label: string, text: string, at: Page = page): Promise<void> {
  await field(label, at).focus()
  await at.keyboard.press('ControlOrMeta+A')
  await at.keyboard.press('Delete')
  await at.keyboard.type(text)
}

interface Stored {
  readonly remoteUrlOverride: string | null
  readonly proxyUrlOverride: string | null
  readonly defaultKind: string | null
}

async function stored(): Promise<Stored> {
  const { serverUrlSettings } = await stage.ask<{ serverUrlSettings: Stored }>(
    '{ serverUrlSettings { remoteUrlOverride proxyUrlOverride defaultKind } }',
  )
  return serverUrlSettings
}

before(async () => {
  await page.goto(path)
  await save().waitFor()
})

test('the page shows the detected URLs, those in use, and which kind is the default', async () => {
  const origin = `http://localhost:${new URL(stage.url).port}`
  await soon(async () => {
    const [local = '', remote = '', proxy = ''] = await rows()
    assert.match(local, new RegExp(`^Local[\\s\\S]*${origin}[\\s\\S]*default[\\s\\S]*${origin}`))
    assert.match(remote, new RegExp(`^Remote[\\s\\S]*${origin}\\s*none`))
    assert.match(proxy, /^Proxy[\s\S]*none\s*none/)
  })
  await assertFaultless(page, path)
})

test('a wrong address is reported at its field, and nothing is saved', async () => {
  await write('Remote URL', 'https://signalbox.example/path')
  await page.keyboard.press('Enter')
  const problem = page.locator('#field-remoteUrlOverride-problem')
  await problem.waitFor()
  assert.match(await problem.innerText(), /must be an http or https origin/)
  assert.equal(await field('Remote URL').getAttribute('aria-invalid'), 'true')
  assert.ok(await field('Remote URL').evaluate((element) => element === document.activeElement))
  assert.equal((await stored()).remoteUrlOverride, null)
})

test('overrides are saved by keyboard, and another page shows them at once', async () => {
  const second = await signedIn(browser, stage)
  await second.page.goto(path)
  await save(second.page).waitFor()
  await second.page.getByText('Live', { exact: true }).waitFor()
  await write('Remote URL', 'https://vpn.example')
  await write('Proxy URL', 'https://signalbox.example')
  await page.getByLabel('Default kind').selectOption({ label: 'Remote' })
  await save().focus()
  await page.keyboard.press('Enter')
  await page.getByText('Saved.').waitFor()
  assert.deepEqual(await stored(), {
    remoteUrlOverride: 'https://vpn.example',
    proxyUrlOverride: 'https://signalbox.example',
    defaultKind: 'REMOTE',
  })
  for (const at of [page, second.page])
    await soon(async () => {
      const [, remote = '', proxy = ''] = await rows(at)
      assert.match(remote, /https:\/\/vpn\.example\s*default/)
      assert.match(proxy, /https:\/\/signalbox\.example/)
      assert.equal(await field('Remote URL', at).inputValue(), 'https://vpn.example')
      assert.equal(await at.getByLabel('Default kind').inputValue(), 'REMOTE')
    })
  second.fine()
  await second.end()
})

test('a second save of the same values changes nothing, and the form keeps them', async () => {
  const before = await stored()
  await save().press('Enter')
  await page.getByText('Saved.').waitFor()
  await soon(async () => assert.equal(await page.getByLabel('Default kind').inputValue(), 'REMOTE'))
  assert.equal(await field('Proxy URL').inputValue(), 'https://signalbox.example')
  assert.deepEqual(await stored(), before)
})

test('an edit during a save is kept, and the next save has it', async () => {
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route('**/graphql', async (route) => {
    if (route.request().postData()?.includes('saveServerUrlSettings')) await released
    await route.continue()
  })
  await write('Remote URL', 'https://first.example')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Working' }).waitFor()
  await write('Remote URL', 'https://second.example')
  release()
  await save().waitFor()
  await page.unroute('**/graphql')
  assert.equal((await stored()).remoteUrlOverride, 'https://first.example')
  assert.equal(await field('Remote URL').inputValue(), 'https://second.example')
  assert.equal(await page.getByText('Saved.').count(), 0)
  await page.keyboard.press('Enter')
  await page.getByText('Saved.').waitFor()
  assert.equal((await stored()).remoteUrlOverride, 'https://second.example')
})

test('a form that was edited is kept when the settings change elsewhere, and its save is refused', async () => {
  await write('Remote URL', 'https://mine.example')
  await stage.ask(
    'mutation { saveServerUrlSettings(input: { remoteUrlOverride: "https://theirs.example" }) { serverUrlSettings { revision } } }',
  )
  await page.getByText('were changed elsewhere').waitFor()
  assert.equal(await field('Remote URL').inputValue(), 'https://mine.example')
  await save().focus()
  await page.keyboard.press('Enter')
  await page.locator('[role=alert]').waitFor()
  assert.equal((await stored()).remoteUrlOverride, 'https://theirs.example')
  await page.getByRole('button', { name: 'Discard my changes' }).press('Enter')
  await soon(async () => assert.equal(await field('Remote URL').inputValue(), 'https://theirs.example'))
  await write('Remote URL', '')
  await save().focus()
  await page.keyboard.press('Enter')
  await soon(async () =>
    assert.deepEqual(await stored(), {
      remoteUrlOverride: null,
      proxyUrlOverride: 'https://signalbox.example',
      defaultKind: 'REMOTE',
    }),
  )
  person.fine()
})
