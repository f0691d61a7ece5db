/**
 * The console does not use up what the API allows a person: ten pages a minute, with the stuck list and a state map open beside them,
 * on default limits. `npm run console:points` does the same for ten minutes by the clock.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { limits } from '../../../spec/core/limits.ts'
import { atConsole } from '../../kit/browser/atConsole.ts'
import { noteRefusals, type Place, pointsLeft, preparePlaces } from '../../kit/browser/points.ts'

const most = limits.graphqlPointsPer5Minutes
const { stage, page } = await atConsole({ LIMIT_GRAPHQL_POINTS_PER_5_MINUTES: String(most) })
const context = page.context()
const refused: string[] = []

/** A page asks for what it shows within this time; what it asks for later counts as what it costs to leave it open. */
const settledMs = 1_500

async function spentBy(work: () => Promise<void>): Promise<number> {
  const before = await pointsLeft(context, stage)
  await work()
  return before - (await pointsLeft(context, stage)) - 1
}

async function open({ path, ready }: Place): Promise<void> {
  await page.goto(path)
  await page.locator(ready).first().waitFor()
  await sleep(settledMs)
}

test('ten pages a minute, with the stuck list and a state map open, cost less than half of the points', async (t) => {
  noteRefusals(page, refused)
  const places = await preparePlaces(stage)
  await page.goto('about:blank')
  const costs = new Map<string, number>()
  for (const place of places) {
    const cost = await spentBy(() => open(place))
    const name = place.path.replace(/\w+_[0-9a-z]{26}/, ':id')
    costs.set(name, Math.max(cost, costs.get(name) ?? 0))
  }
  await page.goto('about:blank')
  const others = await Promise.all(
    ['/stuck', '/insights/states/run'].map(async (path) => ({ path, page: await context.newPage() })),
  )
  for (const other of others) {
    noteRefusals(other.page, refused)
    await other.page.goto(other.path)
    await sleep(settledMs)
  }
  const seconds = 12
  const beside = ((await spentBy(() => sleep(seconds * 1_000))) / seconds) * 300
  for (const other of others) await other.page.close()

  const opened = [...costs.values()].reduce((sum, cost) => sum + cost, 0) / costs.size
  const perWindow = 50 * opened + beside
  for (const [name, cost] of costs) t.diagnostic(`${name}: ${cost} points`)
  t.diagnostic(`the stuck list and a state map, open for 5 minutes: ${Math.round(beside)} points`)
  t.diagnostic(`ten pages a minute for 5 minutes, with both open: ${Math.round(perWindow)} of ${most} points`)
  assert.deepEqual(refused, [])
  assert.ok(perWindow < most / 2, `${perWindow} points`)
  // No page alone is a tenth of a minute's points, and none is far from the others.
  for (const [name, cost] of costs) assert.ok(cost <= 60, `${name}: ${cost} points`)
})

test('the operator actions are asked for once, when somebody wants to see them', async (t) => {
  const [run] = (await stage.ask<{ runs: { nodes: { id: string }[] } }>('{ runs(first: 1) { nodes { id } } }')).runs
    .nodes
  const asked: string[] = []
  page.on('request', (one) => {
    if (one.postData()?.includes('operatorActions')) asked.push(one.url())
  })
  await open({ path: `/runs/${run?.id}`, ready: '.run-panel .facts' })
  assert.equal(asked.length, 0)
  const cost = await spentBy(async () => {
    await page.getByRole('button', { name: 'Show actions' }).click()
    await page.getByRole('heading', { name: 'Available actions' }).waitFor()
    await sleep(settledMs)
  })
  assert.equal(asked.length, 1)
  t.diagnostic(`operator actions: ${cost} points`)
  assert.ok(cost <= 60, `${cost} points`)
  assert.deepEqual(refused, [])
})
