/** A person reads what an app has sent, filters it, saves the filters as a query, exports the records, and stops storing them. */
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { atConsole } from '../../../kit/browser/atConsole.ts'
import { assertFaultless } from '../../../kit/browser/faults.ts'
import { soon } from '../../../kit/browser/soon.ts'
import { whereIs } from '../../../kit/browser/visit.ts'

const { stage, person, page } = await atConsole()
const button = (name: string) => page.getByRole('button', { name, exact: true })
const records = page.locator('.telemetry-records > li')
const dialog = page.getByRole('dialog')

async function send(path: string, items: readonly object[]): Promise<void> {
  const response = await fetch(`${stage.url}/api/telemetry/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ items }),
  })
  assert.equal(response.status, 201, await response.text())
}

test('without records the page shows how to send one', async () => {
  await page.goto('/telemetry')
  await page.getByText('No records yet').waitFor()
  await page.getByText(`curl ${stage.url}/api/telemetry/console-logs`).waitFor()
  await assertFaultless(page, '/telemetry without records')
  person.fine()
})

test('records appear newest first, and one opens into all its fields', async () => {
  const logs = Array.from({ length: 60 }, (_, index) => ({ body: `Line ${index}`, severityText: 'INFO' }))
  await send('console-logs', logs)
  await send('console-logs', [
    { body: 'Payment failed', severityText: 'ERROR', attributes: { 'http.status': 502 }, sessionId: 's-1' },
  ])
  await button('Refresh').click()
  await page.getByText('The newest 50 records. Older ones are loaded at the end of the list.').waitFor()
  await soon(async () => assert.match((await records.first().textContent()) ?? '', /ERROR.*Payment failed/s))
  await page.getByText('Payment failed').first().click()
  await records.first().getByText('"http.status": 502').waitFor()
  await button('Load more').click()
  await page.getByText('61 records, newest first').waitFor()
  await soon(async () => assert.equal(await records.count(), 61))
  await assertFaultless(page, '/telemetry with records')
  person.fine()
})

test('the server filters by text, severity and session, and an unknown filter is reported', async () => {
  await page.getByLabel('Severity', { exact: true }).selectOption('ERROR or higher')
  await page.getByText('1 record, newest first').waitFor()
  await page.getByLabel('Text in the body or event name').fill('nowhere')
  await page.getByText('No matches').waitFor()
  await button('Clear filters').click()
  await page.getByText('The newest 50 records').waitFor()
  await page.goto('/telemetry?session=s-1')
  await page.getByText('1 record, newest first').waitFor()
  await page.goto('/telemetry?severity=LATE')
  await page.getByText('Ignored unknown filters in the address: severity=LATE.').waitFor()
  person.fine()
})

test('the filters are saved as a query, which is changed, renamed and deleted', async () => {
  await page.goto('/telemetry?severity=17')
  await button('Save query').click()
  await dialog.getByLabel('Name').fill('Failures')
  await dialog.getByRole('button', { name: 'Save query' }).click()
  await page.waitForURL(/query=tlq_|query=/)
  const queries = page.getByLabel('Saved query')
  await page.getByLabel('Text in the body or event name').fill('Payment')
  await button('Save changes').click()
  await button('Save changes').waitFor({ state: 'detached' })
  await queries.selectOption('All records')
  await page.getByText('The newest 50 records').waitFor()
  await queries.selectOption('Failures')
  await page.getByText('1 record, newest first').waitFor()
  await soon(() => assert.match(whereIs(page), /^\/telemetry\?q=Payment&severity=17&query=/))
  await button('Rename query').click()
  await dialog.getByLabel('Name').fill('Failed payments')
  await dialog.getByRole('button', { name: 'Rename query' }).click()
  await queries.locator('option', { hasText: 'Failed payments' }).waitFor({ state: 'attached' })
  await button('Delete query').click()
  await dialog.getByText('Deletes the saved query “Failed payments” for all users.').waitFor()
  await dialog.getByRole('button', { name: 'Delete query' }).click()
  await page.getByText('The newest 50 records').waitFor()
  await queries.locator('option', { hasText: 'Failed payments' }).waitFor({ state: 'detached' })
  person.fine()
})

test('the filtered records are exported, and a column that does not exist is named', async () => {
  await page.goto('/telemetry?severity=17')
  await page.getByText('1 record, newest first').waitFor()
  await button('Export').click()
  await dialog.getByLabel('Columns').fill('body, nowhere')
  await button('Download file').click()
  await dialog.getByText('must be a field of a record').waitFor()
  // The browser itself reports the answer 400.
  assert.equal(person.complaints.splice(0).length, 1)
  await dialog.getByLabel('Columns').fill('body, attributes.http.status')
  const download = page.waitForEvent('download')
  await button('Download file').click()
  const file = await download
  assert.match(file.suggestedFilename(), /\.csv$/)
  const text = await readFile(await file.path(), 'utf8')
  assert.match(text, /Payment failed,502/)
  assert.doesNotMatch(text, /Line 1/)
  person.fine()
})

test('analytics events are a type of their own, which can be turned off', async () => {
  await send('analytics-events', [{ eventName: 'bought', attributes: { price: 12.5 } }])
  await page.goto('/telemetry')
  await page.getByLabel('Type', { exact: true }).selectOption('Analytics events')
  await records.getByText('bought').first().waitFor()
  await page.goto('/settings/server')
  await page.getByRole('link', { name: 'Open the records' }).waitFor()
  await page.getByRole('switch', { name: 'Store analytics events' }).click()
  await page.goto('/telemetry?kind=events')
  await records.getByText('bought').first().waitFor()
  person.fine()
})
