/** A person creates integrations in the console, tests them with the shown lines, rotates a secret, and deletes one. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { atConsole } from '../../../kit/browser/atConsole.ts'
import { assertFaultless } from '../../../kit/browser/faults.ts'
import { soon } from '../../../kit/browser/soon.ts'

const { stage, person, page } = await atConsole()

const button = (name: string) => page.getByRole('button', { name, exact: true })
const dialog = page.getByRole('dialog')
const execute = promisify(execFile)

/** The answer to the lines of the page, run by a shell. */
async function runLines(lines: string, secret?: string): Promise<{ id?: string; error?: { code: string } }> {
  const text = secret === undefined ? lines : lines.replace(/^SECRET=.*$/m, `SECRET='${secret}'`)
  return JSON.parse((await execute('bash', ['-c', text])).stdout)
}

const shownLines = async () => (await dialog.locator('pre').filter({ hasText: 'curl' }).textContent()) ?? ''

async function create(name: string, provider: string, more: () => Promise<unknown> = async () => {}): Promise<void> {
  await page.goto('/settings/integrations')
  await button('New integration').click()
  await dialog.getByRole('textbox', { name: 'Name' }).fill(name)
  await dialog.getByRole('combobox', { name: 'Provider' }).selectOption(provider)
  await more()
  await dialog.getByRole('button', { name: 'Create integration' }).click()
  await dialog.getByRole('heading', { name, level: 2 }).waitFor()
}

const recorded = (event: string) => page.getByRole('row').filter({ hasText: event }).filter({ hasText: 'Recorded' })

let oldSecret = ''

test('an integration is created, its secret is shown once, and the shown lines send a delivery', async () => {
  await page.goto('/settings')
  await page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name: 'Integrations' }).click()
  await page.getByText('No integrations yet').waitFor()
  await create('shop', 'GitHub')
  const lines = await shownLines()
  oldSecret = /^SECRET='?([^'\n]+)'?$/m.exec(lines)?.[1] ?? ''
  await soon(async () =>
    assert.equal(await dialog.locator('pre').filter({ hasText: oldSecret }).first().textContent(), oldSecret),
  )
  assert.match((await runLines(lines)).id ?? '', /^whd_/)
  await dialog.getByRole('button', { name: 'Done' }).click()
  await page.getByRole('row', { name: /shop GitHub Active 1/ }).waitFor()
  await page.getByRole('link', { name: 'shop' }).click()
  await recorded('ping').waitFor()
  await page.getByText('ping', { exact: true }).click()
  await page.getByText(/^test-\d+$/).waitFor()
  assert.equal((await page.content()).includes(oldSecret), false)
  await assertFaultless(page, 'an integration with a delivery')
  person.fine()
})

test('the secret is rotated, and both secrets are valid until the rotation is finished', async () => {
  await button('Rotate secret').click()
  await dialog.getByRole('button', { name: 'Rotate secret' }).click()
  await dialog.getByText('Copy the secret now').waitFor()
  const lines = await shownLines()
  assert.equal(lines.includes(oldSecret), false)
  await dialog.getByRole('button', { name: 'Done' }).click()
  await page.getByText('The previous secret stays valid until').waitFor()
  assert.match((await runLines(lines, oldSecret)).id ?? '', /^whd_/)
  await recorded('ping').nth(1).waitFor()
  await button('Finish rotation').click()
  await dialog.getByRole('button', { name: 'Finish rotation' }).click()
  await page.getByText('The previous secret stays valid until').waitFor({ state: 'detached' })
  assert.equal((await runLines(lines, oldSecret)).error?.code, 'UNAUTHENTICATED')
  assert.match((await runLines(lines)).id ?? '', /^whd_/)
  await recorded('ping').nth(2).waitFor()
  person.fine()
})

test('an integration whose provider generates the secret waits for it, and a wrong one is shown at its field', async () => {
  await create('issues', 'Linear')
  await dialog.getByText('At Linear').waitFor()
  await soon(async () => assert.equal(await dialog.getByText('Copy the secret now').count(), 0))
  await dialog.getByRole('button', { name: 'Done' }).click()
  await page.getByRole('link', { name: 'issues' }).click()
  await page.getByText('Deliveries are rejected until').waitFor()
  await button('Set secret').click()
  await dialog.getByRole('textbox', { name: 'Secret' }).fill('short')
  await dialog.getByRole('button', { name: 'Set secret' }).click()
  await dialog.getByText('must have 16 to 200 ASCII characters').waitFor()
  await dialog.getByRole('textbox', { name: 'Secret' }).fill('lin_wh_the_secret_of_linear')
  await dialog.getByRole('button', { name: 'Set secret' }).click()
  await page.locator('.lead').getByText('Active').waitFor()
  await page.getByText('Send a test delivery').click()
  const lines = (await page.locator('pre').filter({ hasText: 'curl' }).textContent()) ?? ''
  assert.match((await runLines(lines, 'lin_wh_the_secret_of_linear')).id ?? '', /^whd_/)
  await recorded('Issue').waitFor()
  person.fine()
})

test('the lines that are shown for each other signature scheme send a delivery that the server accepts', async () => {
  const choose = (label: string, value: string) => () =>
    dialog.getByRole('combobox', { name: label }).selectOption({ label: value })
  const giveSecret = () => dialog.getByRole('textbox', { name: 'Secret' }).fill("it's a token of buildkite")
  await create('mirror', 'GitLab')
  assert.match((await runLines(await shownLines())).id ?? '', /^whd_/)
  await create('old', 'GitLab', choose('Signature', 'GitLab: secret token, for older versions'))
  assert.match((await runLines(await shownLines())).id ?? '', /^whd_/)
  await create('ci', 'Buildkite', giveSecret)
  await dialog.getByRole('button', { name: 'Done' }).click()
  await page.getByRole('link', { name: 'ci', exact: true }).click()
  await page.getByText('Send a test delivery').click()
  const lines = (await page.locator('pre').filter({ hasText: 'curl' }).textContent()) ?? ''
  assert.match((await runLines(lines, String.raw`it'\''s a token of buildkite`)).id ?? '', /^whd_/)
  await recorded('ping').waitFor()
  person.fine()
})

test('a deleted integration disappears from the list, and the others stay', async () => {
  await page.goto('/settings/integrations')
  await page.getByRole('link', { name: 'shop' }).click()
  await button('Delete integration').click()
  await dialog.getByRole('button', { name: 'Delete integration' }).click()
  await page.getByRole('row', { name: /mirror/ }).waitFor()
  await page.getByRole('link', { name: 'shop' }).waitFor({ state: 'detached' })
  const { integrations } = await stage.ask<{ integrations: { totalCount: number } }>('{ integrations { totalCount } }')
  assert.equal(integrations.totalCount, 4)
  person.fine()
})
