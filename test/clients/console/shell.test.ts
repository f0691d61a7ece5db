/** A person moves through the console by keys, and chooses its language and its colors. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { atConsole } from '../../kit/browser/atConsole.ts'
import { soon } from '../../kit/browser/soon.ts'
import { whereIs } from '../../kit/browser/visit.ts'

const { person, page } = await atConsole()

const focused = () => page.evaluate('document.activeElement.textContent')

test('the first tab stop skips the navigation', async () => {
  await page.goto('/runs')
  await page.getByRole('heading', { level: 1, name: 'Runs' }).waitFor()
  await page.keyboard.press('Tab')
  await soon(async () => assert.equal(await focused(), 'Skip to content'))
  await page.keyboard.press('Enter')
  assert.equal(await page.evaluate('document.activeElement.id'), 'main')
  await soon(() => assert.equal(whereIs(page), '/runs#main'))
})

test('two keys open a view, whose heading gets the focus', async () => {
  await page.goto('/runs')
  await page.getByRole('heading', { level: 1, name: 'Runs' }).waitFor()
  await page.keyboard.press('g')
  await page.keyboard.press('m')
  await page.getByRole('heading', { level: 1, name: 'Machines' }).waitFor()
  await soon(() => assert.equal(whereIs(page), '/machines'))
  await page.locator('h1:focus').waitFor()
})

test('a key that is typed into a field is text', async () => {
  await page.goto('/runs')
  await page.locator('main input[type="search"]').first().waitFor()
  await page.keyboard.press('/')
  await page.locator('main input[type="search"]:focus').waitFor()
  await page.keyboard.type('cg m?')
  await soon(() => assert.match(whereIs(page), /^\/runs/))
  assert.equal(await page.locator('main input[type="search"]').first().inputValue(), 'cg m?')
})

test('the key ? lists the keys', async () => {
  await page.goto('/machines')
  await page.getByRole('heading', { level: 1, name: 'Machines' }).waitFor()
  await page.keyboard.press('?')
  const dialog = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  await dialog.getByText('Go to: Runs').waitFor()
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  person.fine()
})

test('a search of the palette that failed shows its error, and not that nothing matches', async () => {
  await page.goto('/runs')
  await page.getByRole('heading', { level: 1, name: 'Runs' }).waitFor()
  const failure = { message: 'The database is unavailable.', extensions: { code: 'UNAVAILABLE', retryable: true } }
  await page.route('**/api/graphql', (route) =>
    route.request().postData()?.includes('globalSearch')
      ? route.fulfill({ json: { errors: [failure] } })
      : route.continue(),
  )
  await page.keyboard.press('Control+k')
  const palette = page.getByRole('dialog')
  await palette.getByRole('combobox').fill('qqxqq')
  await palette.getByRole('alert').getByText(failure.message).waitFor()
  assert.equal(await palette.getByRole('status').count(), 0)
  await page.unroute('**/api/graphql')
  await palette.getByRole('combobox').fill('qqxqq2')
  await palette.getByRole('status').getByText('No matches').waitFor()
  assert.equal(await palette.getByRole('alert').count(), 0)
  await page.keyboard.press('Escape')
  await palette.waitFor({ state: 'detached' })
})

test('the theme is kept, from the first paint of the next page', async () => {
  await page.goto('/settings')
  await page.getByLabel('Theme').selectOption({ label: 'Dark' })
  const background = () => page.evaluate('getComputedStyle(document.body).backgroundColor')
  const dark = await background()
  await page.emulateMedia({ colorScheme: 'light' })
  assert.equal(await background(), dark)
  const html = await (await page.request.get('/')).text()
  assert.match(html, /<html lang="en" data-theme="dark">/)
  await page.getByLabel('Theme').selectOption({ label: 'System' })
  assert.notEqual(await background(), dark)
})

test('the language is kept', async () => {
  await page.goto('/settings')
  await page.getByLabel('Language').selectOption({ label: 'Deutsch' })
  await page.getByRole('link', { name: /^Neuer Lauf/ }).waitFor()
  await page.reload()
  await page.getByRole('link', { name: /^Neuer Lauf/ }).waitFor()
  await soon(async () => assert.equal(await page.locator('html').getAttribute('lang'), 'de'))
  await page.getByLabel('Sprache').selectOption({ label: 'English' })
  await page.getByRole('link', { name: /^New run/ }).waitFor()
  person.fine()
})
