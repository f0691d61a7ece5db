/** A person reads how the runs of a time went, compares with the time before, and sees how loaded a machine is. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { atConsole } from '../../../kit/browser/atConsole.ts'
import { assertFaultless } from '../../../kit/browser/faults.ts'
import { tabTo } from '../../../kit/browser/keys.ts'
import { soon } from '../../../kit/browser/soon.ts'
import { signedIn, whereIs } from '../../../kit/browser/visit.ts'
import { startMachine } from '../../../kit/program/machine.ts'
import { startRun, untilRun } from '../../../kit/program/runs.ts'

const { stage, browser, person, page } = await atConsole()
const machine = await startMachine(stage, { name: 'builder', branches: ['one'] })

const chart = (title: string) =>
  page.locator('.time-chart', { has: page.getByRole('heading', { name: title, exact: true }) })
const tile = (name: string) => page.locator('.figure-tiles > div', { has: page.getByText(name, { exact: true }) })

test('without runs, the page states that there are none and has no charts', async () => {
  await page.goto('/insights')
  await page.getByText('No runs in this time').waitFor()
  await soon(async () => assert.equal(await page.locator('.time-chart').count(), 0))
  await assertFaultless(page, 'insights without runs')
  await page.getByLabel('Kind').selectOption('PLAN')
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await soon(() => assert.equal(whereIs(page), '/insights'))
  person.fine()
})

test('runs that end are counted by status, without a reload', async () => {
  const outcomes = [
    ['true', 'SUCCEEDED'],
    ['true', 'SUCCEEDED'],
    ['exit 3', 'FAILED'],
  ] as const
  for (const [command, status] of outcomes) {
    const { id } = await startRun(stage.ask, { worktreeId: machine.worktree('one'), command })
    await untilRun(stage.ask, id, [status])
  }
  await tile('Runs ended').getByText('3', { exact: true }).waitFor({ timeout: 60_000 })
  await tile('Success rate').getByText('67%', { exact: true }).waitFor()
  await tile('Runs started').getByText('Before: 0', { exact: true }).waitFor()
  await tile('Machine use')
    .getByText(/runs at once on average$/)
    .waitFor()
  await soon(async () =>
    assert.ok((await chart('Runs ended, by status').locator('[data-series="failed"] .bar').count()) > 0),
  )
  assert.equal(await chart('Runs ended, by status').locator('[data-series="lost"] .bar').count(), 0)
  await page.getByRole('table', { name: 'Machines' }).getByRole('link', { name: 'builder' }).waitFor()
  await assertFaultless(page, 'insights')
  person.fine()
})

test('the values of a chart are read by pointer, by keyboard and as a table', async () => {
  await page.goto('/insights?time=day')
  const ended = chart('Runs ended, by status')
  await ended.locator('svg').waitFor()
  const plot = ended.locator('.plot')
  const { width = 0, height = 0 } = (await plot.boundingBox()) ?? {}
  // The runs ended just now: in the last bar.
  await plot.hover({ position: { x: width - 4, y: height / 2 } })
  await ended.locator('.chart-legend [data-series="good"]').getByText('2', { exact: true }).waitFor()
  await page.mouse.move(0, 0)
  await ended
    .locator('.chart-legend [data-series="good"]')
    .getByText('2', { exact: true })
    .waitFor({ state: 'detached' })

  const control = page.getByRole('slider', { name: 'Runs ended, by status: values over time' })
  await tabTo(page, control)
  await ended.locator('.chart-legend [data-series="failed"]').getByText('1', { exact: true }).waitFor()
  await soon(async () =>
    assert.match((await control.getAttribute('aria-valuetext')) ?? '', /Succeeded: 2; Failed: 1; Timed out: 0/),
  )
  await page.keyboard.press('Home')
  await ended.locator('.chart-legend [data-series="failed"]').getByText('0', { exact: true }).waitFor()

  await ended.getByText('Show as table').click()
  const table = page.getByRole('table', { name: 'Runs ended, by status' })
  const rows = table.getByRole('row')
  // An hour has one row, because quarters of an hour are too narrow for bars.
  await soon(async () =>
    assert.ok((await rows.count()) >= 25 && (await rows.count()) <= 27, String(await rows.count())),
  )
  assert.deepEqual(await rows.last().getByRole('cell').allInnerTexts(), ['2', '1', '0', '0', '0', '0'])
  await assertFaultless(page, 'a chart as a table')
  person.fine()
})

test('the period and the filters are in the address, and an impossible period is explained', async () => {
  await page.goto('/insights')
  await page.getByLabel('Period').selectOption('Last 12 months')
  await page.getByLabel('Kind').selectOption('WORKFLOW')
  await page.getByText('No runs in this time').waitFor()
  await soon(() => assert.equal(whereIs(page), '/insights?time=year&kind=WORKFLOW'))
  await page.getByLabel('Kind').selectOption('')
  await chart('Runs started').locator('svg').waitFor()

  await page.getByLabel('Period').selectOption('own')
  await chart('Runs started').locator('.bar').first().waitFor()
  await page.getByLabel('Last day').fill('2020-01-01')
  await page.getByText('The last day must not be before the first day.').waitFor()
  await page.getByLabel('First day').fill('2015-01-01')
  await page.getByText('The period has 1,827 days. It can have at most 731.').waitFor()
  await assertFaultless(page, 'a period that is not possible')
  await page.getByLabel('First day').fill('2019-12-01')
  await page.getByText('No runs in this time').waitFor()
  await soon(() => assert.equal(whereIs(page), '/insights?time=own&from=2019-12-01&to=2020-01-01'))
  await page.reload()
  await page.getByText('No runs in this time').waitFor()
  await soon(async () => assert.equal(await page.getByLabel('First day').inputValue(), '2019-12-01'))
  person.fine()
})

test('days begin in the time zone of the reader, and the page is in their language', async () => {
  const reader = await signedIn(browser, stage, { locale: 'de-DE', timezoneId: 'Pacific/Auckland' })
  const asked = reader.page.waitForRequest((request) => request.postData()?.includes('insights(') ?? false)
  await reader.page.goto('/insights?time=month')
  assert.equal((await asked).postDataJSON().variables.timeZone, 'Pacific/Auckland')
  await reader.page.getByText('Die Zeiten gelten für Pacific/Auckland.', { exact: false }).waitFor()
  reader.fine()
  await reader.end()
})

test('the state maps are a tab of the insights', async () => {
  await page.goto('/insights')
  await page.getByRole('navigation', { name: 'Insights' }).getByRole('link', { name: 'State maps' }).click()
  await soon(() => assert.equal(whereIs(page), '/insights/states'))
  await page.getByRole('link', { name: 'Run', exact: true }).waitFor()
  await page.getByRole('navigation', { name: 'Insights' }).getByRole('link', { name: 'Figures' }).click()
  await soon(() => assert.equal(whereIs(page), '/insights'))
  person.fine()
})

test('the page of a machine shows its load over time', async () => {
  await page.goto(`/machines/${machine.agentId}`)
  await chart('Load').locator('.dot, .line').first().waitFor({ state: 'attached', timeout: 60_000 })
  await chart('Free memory').locator('.tick', { hasText: /GB|MB/ }).first().waitFor()
  await page.getByLabel('Period').selectOption('Last 7 days')
  await chart('Load').locator('.dot').first().waitFor()
  await soon(() => assert.equal(whereIs(page), `/machines/${machine.agentId}?time=week`))
  await assertFaultless(page, 'the page of a machine')
  person.fine()
})
