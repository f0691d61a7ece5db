/**
 * The console does not use up what the API allows a person on default limits: ten pages a minute, or ten tabs that stay open.
 * `npm run console:points` prints the cost of every page, and keeps ten tabs open for an hour by the clock.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { limits } from '../../../spec/core/limits.ts'
import { atConsole } from '../../kit/browser/atConsole.ts'
import { openPlace, preparePlaces } from '../../kit/browser/places.ts'
import { measureCosts, noteRefusals, pointsSpent, settledMs } from '../../kit/browser/points.ts'

const most = limits.graphqlPointsPer5Minutes
const { stage, page } = await atConsole({ LIMIT_GRAPHQL_POINTS_PER_5_MINUTES: String(most) })
const context = page.context()
const refused: string[] = []

const places = await preparePlaces(stage)
const runId =
  places
    .find(({ name }) => name === '/runs/{id}')
    ?.path.split('/')
    .at(-1) ?? ''

test('no page costs more than 60 points, and ten pages a minute cost less than half of the points', async (t) => {
  noteRefusals(page, refused)
  const costs = await measureCosts(page, stage, places)
  for (const [name, cost] of costs) t.diagnostic(`${name}: ${cost} points`)
  const average = [...costs.values()].reduce((sum, cost) => sum + cost, 0) / costs.size
  t.diagnostic(`ten pages a minute for 5 minutes: ${Math.round(50 * average)} of ${most} points`)
  assert.ok(50 * average < most / 2, `${average} points each`)
  for (const [name, cost] of costs) assert.ok(cost <= 60, `${name}: ${cost} points`)
  assert.deepEqual(refused, [])
})

test('ten tabs that stay open, also of the pages that poll, cost less than half of the points', async (t) => {
  const open = [
    '/',
    '/runs',
    '/machines',
    '/stuck',
    '/insights',
    '/insights/states',
    '/insights/states/run',
    '/tools/audit',
  ]
  const tabs = [...open, `/runs/${runId}`, `/actors/${runId}`]
  const pages = await Promise.all(tabs.map(() => context.newPage()))
  for (const [index, tab] of pages.entries()) {
    noteRefusals(tab, refused)
    await openPlace(tab, { name: '', path: tabs[index] ?? '' })
  }
  await sleep(settledMs)
  const seconds = 20
  const spent = await pointsSpent(context, stage, () => sleep(seconds * 1_000))
  const perWindow = (spent / seconds) * 300
  for (const tab of pages) await tab.close()
  t.diagnostic(`ten tabs for 5 minutes: ${Math.round(perWindow)} of ${most} points`)
  assert.ok(perWindow < most / 2, `${perWindow} points`)
  assert.deepEqual(refused, [])
})

test('the operator actions are requested once, when a user opens them', async (t) => {
  const asked: string[] = []
  page.on('request', (one) => {
    if (one.postData()?.includes('operatorActions')) asked.push(one.url())
  })
  await openPlace(page, { name: 'run', path: `/runs/${runId}`, ready: '.run-panel .facts' })
  await sleep(settledMs)
  assert.equal(asked.length, 0)
  const cost = await pointsSpent(context, stage, async () => {
    await page.getByRole('button', { name: 'Show actions' }).click()
    await page.getByRole('heading', { name: 'Available actions' }).waitFor()
    await sleep(settledMs)
  })
  assert.equal(asked.length, 1)
  t.diagnostic(`operator actions: ${cost} points`)
  assert.ok(cost <= 60, `${cost} points`)
  assert.deepEqual(refused, [])
})
