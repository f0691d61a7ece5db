/** A person sees a new crash in the inbox, reads which builds and days have it, and acknowledges and resolves it. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { atConsole } from '../../../kit/browser/atConsole.ts'
import { faults } from '../../../kit/browser/faults.ts'
import { soon } from '../../../kit/browser/soon.ts'
import { groupOfCrash, makeApp, newUuid, recordCrash, reportOf } from '../../../kit/program/objects/crashes.ts'

const bundleIdentifier = 'org.example.shop'
const { stage, person, page } = await atConsole()
const [uuid, otherUuid] = [newUuid(), newUuid()]
let appId: string

const main = page.getByRole('main')
const button = (name: string) => main.getByRole('button', { name, exact: true })
const link = (name: string) => main.getByRole('link', { name, exact: true })
const reports = main.getByRole('region', { name: 'Crash reports' })
const builds = main.getByRole('region', { name: 'Crashes by build' })

const daysAgo = (days: number): string => new Date(Date.now() - days * 86_400_000).toISOString()

/** A crash of two named functions, the innermost first. */
const crash = (build: string, days = 0) =>
  recordCrash(stage.ask, {
    ...{ ...reportOf(bundleIdentifier, [uuid, otherUuid], [uuid, otherUuid]), build, happenedAt: daysAgo(days) },
  })

test('a new crash is in the inbox, and leads to its page', async () => {
  appId = await makeApp(stage.ask, bundleIdentifier)
  await page.goto('/')
  await main.getByText('You’re all caught up.').waitFor()
  await groupOfCrash(stage.ask, (await crash('210', 3)).id)
  await main.getByText('New crash').waitFor()
  await main.getByText('1 report: EXC_BREAKPOINT.').waitFor()
  await link('Shop: function0').click()
  await main.getByRole('heading', { name: 'function0', level: 1 }).waitFor()
  await main.getByText('No person has seen this crash yet.').waitFor()
  const calls = main.getByRole('region', { name: 'Innermost calls' })
  assert.deepEqual(await calls.getByRole('listitem').locator('code').allInnerTexts(), ['function0', 'function1'])
})

test('more reports appear by themselves, by build and by day', async () => {
  await crash('210', 3)
  await crash('211', 1)
  await builds.getByRole('row', { name: '2.1 (210) 2' }).waitFor()
  await builds.getByRole('row', { name: '2.1 (211) 1' }).waitFor()
  await soon(async () => assert.equal(await reports.getByRole('row').count(), 1 + 3))
  await main.getByText('Show as table').click()
  const table = main.getByRole('table', { name: 'Crashes by day' })
  await soon(async () => {
    const counts = await table.locator('tbody td').allInnerTexts()
    assert.deepEqual(counts.slice(-4), ['2', '0', '1', '0'])
    assert.equal(counts.length, 30)
  })
  assert.deepEqual(await faults(page), [])
})

test('a crash is acknowledged and resolved, and a newer build opens it again', async () => {
  await button('Acknowledge').click()
  await main.getByText('A person has seen this crash.').waitFor()
  await button('Resolve').click()
  await main.getByText('The crash is corrected.').waitFor()
  await crash('212')
  await main.getByText('The crash was resolved, and a newer build has it again.').waitFor()
})

test('the list of crashes can have the most frequent first, and its order and filters are in the address', async () => {
  for (const _ of [1, 2]) await recordCrash(stage.ask, reportOf(bundleIdentifier, [newUuid()]))
  await page.goto(`/apps/${appId}`)
  await soon(async () => assert.equal(await main.locator('.object-table tbody tr').count(), 3))
  await main.getByLabel('Order').selectOption({ label: 'Most reports first' })
  await soon(async () =>
    assert.equal(await main.locator('.object-table tbody tr .item-name').first().innerText(), 'function0'),
  )
  await main.getByLabel('Build', { exact: true }).selectOption({ label: '2.1 (212)' })
  await main.getByRole('columnheader', { name: 'Reports of all builds' }).waitFor()
  await soon(async () => assert.equal(await main.locator('.object-table tbody tr').count(), 1))
  assert.equal(new URL(page.url()).search, '?order=reports&version=2.1&build=212')
  await main.getByLabel('Build', { exact: true }).selectOption({ label: 'Any build' })
  await soon(async () => assert.equal(await main.locator('.object-table tbody tr').count(), 3))
  await main.getByLabel('Status', { exact: true }).selectOption({ label: 'Regressed' })
  await soon(async () => assert.equal(await main.locator('.object-table tbody tr').count(), 1))
  assert.equal(new URL(page.url()).search, '?order=reports&status=REGRESSED')
  assert.deepEqual(await faults(page), [])
})

test('the row of a build links to the crashes of the build', async () => {
  await page.goto(`/apps/${appId}/builds`)
  await main.getByRole('row', { name: '2.1 (211)' }).getByRole('link', { name: 'Crashes', exact: true }).click()
  await page.waitForURL(`**/apps/${appId}?version=2.1&build=211`)
  await soon(async () => assert.equal(await main.locator('.object-table tbody tr').count(), 1))
})

test('a report links to its crash, and a crash links to its reports', async () => {
  await link('function0').click()
  await reports.getByRole('link').first().click()
  await page.waitForURL('**/crash-reports/crs_*')
  await link('function0').click()
  await page.waitForURL('**/crash-groups/cgr_*')
})

test('crashes are acknowledged in the inbox', async () => {
  await page.goto('/')
  await soon(async () => assert.equal(await button('Acknowledge').count(), 3))
  for (let left = 2; left >= 0; left--) {
    await button('Acknowledge').first().click()
    await soon(async () => assert.equal(await button('Acknowledge').count(), left))
  }
  await main.getByText('You’re all caught up.').waitFor()
  person.fine()
})
