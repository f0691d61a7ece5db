/** The heat map of 50,000 actors: the number in each state, their time in it, the transitions of each arrow, and the states that fill up. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { atConsole } from '../../kit/browser/atConsole.ts'
import { assertFaultless } from '../../kit/browser/faults.ts'
import { manyRuns } from '../../kit/browser/manyRuns.ts'
import { soon } from '../../kit/browser/soon.ts'
import { whereIs } from '../../kit/browser/visit.ts'
import { startRun } from '../../kit/program/runs.ts'
import { until } from '../../kit/program/until.ts'

const many = 50_000

const { stage, person, page } = await atConsole()
const main = await manyRuns(stage, many)

const state = (name: string) => page.locator('.chart .state[data-heat]', { hasText: name })

test('each state shows the number of its actors and how long they have been in it', async () => {
  await page.goto('/insights/states/run')
  await state('WAITING_FOR_INPUT').waitFor()
  // Every sixth of 50,000; the n-th has not changed for n seconds, half of them for less than 25,000.
  const figures = page.locator('.chart .state[data-heat] .figures')
  await soon(async () =>
    assert.equal(await state('WAITING_FOR_INPUT').locator('.figures').textContent(), '8,333 · 6–13 h'),
  )
  assert.match(
    (await state('WAITING_FOR_INPUT').locator('title').textContent()) ?? '',
    /half at most 6 h 5\d min, 99 in 100 at most 13 h/,
  )
  await soon(async () => assert.match((await state('SUCCEEDED').locator('.figures').textContent()) ?? '', /^8,333 · /))
  const wide = await figures.evaluateAll((all) =>
    all.flatMap((one) => {
      const [text, box] = [one, one.parentElement?.querySelector('.box')].map((it) => it?.getBoundingClientRect())
      const others = [...(one.parentElement?.querySelectorAll('text:not(.figures)') ?? [])]
      const lowest = Math.max(...others.map((other) => other.getBoundingClientRect().bottom))
      const fits =
        text &&
        box &&
        text.left >= box.left &&
        text.right <= box.right &&
        text.bottom <= box.bottom &&
        text.top >= lowest
      return fits ? [] : [one.textContent]
    }),
  )
  assert.deepEqual(wide, [], 'all figures are within their state, below its other texts')
  person.fine()
})

test('each arrow shows how often it was taken, and states that fill up are listed as bottlenecks', async () => {
  // The one run that was really made went this way, within the hour.
  const arrow = page.locator('.chart .edge', { has: page.locator('.event', { hasText: /^admit$/ }) })
  await arrow.locator('.rate', { hasText: /^1\/h$/ }).waitFor()
  await soon(async () => assert.ok((await page.locator('.chart [data-flow]').count()) > 0))
  const piles = page.getByRole('region', { name: 'Bottlenecks' })
  await soon(async () => assert.match(await piles.innerText(), /Admitted: \+1\/h, 8,33\d now/))
})

test('the color shows the number of actors or their time in the state, and the transitions are those of the period', async () => {
  const heatOf = async (name: string) => Number(await state(name).getAttribute('data-heat'))
  // The one run that was really made ended a moment ago, so its status has few seconds more than the others.
  assert.equal(await heatOf('WAITING_FOR_INPUT'), 5)
  await page.getByLabel('Color').selectOption('Color: time in the state')
  await page.getByText('Short to long time in the state (p50)').waitFor()
  assert.equal(await heatOf('WAITING_FOR_INPUT'), 5)
  await soon(() => assert.equal(whereIs(page), '/insights/states/run?color=time'))
  // The chart also asks again for the period before, every few seconds.
  const isOfADay = (body: string): boolean => {
    const { from } = (JSON.parse(body) as { variables: { from?: string } }).variables
    return from !== undefined && Math.abs(Date.now() - Date.parse(from) - 86_400_000) < 60_000
  }
  const asked = page.waitForRequest((request) => {
    const body = request.postData() ?? ''
    return body.includes('machineThroughput') && isOfADay(body)
  })
  await page.getByLabel('Period').selectOption('Last 24 hours')
  await asked
  await page.getByText('Transitions by this arrow in the last 1 d, as a rate').waitFor()
  await soon(() => assert.equal(whereIs(page), '/insights/states/run?color=time&time=day'))
  person.fine()
})

test('new actors appear before the older pages that a user reads, and none is missing in between', async () => {
  await page.goto('/insights/states/run')
  const list = page.getByRole('region', { name: 'Actors' })
  const rows = list.locator('[aria-setsize]')
  const first = async () => (await rows.first().locator('a').textContent()) ?? ''
  const known = async (least: number): Promise<number> => {
    await page
      .waitForFunction(
        (count) => Number(document.querySelector('[aria-label="Actors"] [aria-setsize]')?.ariaSetSize) >= count,
        least,
      )
      .catch(async (error: unknown) => {
        throw new Error(`Not ${least} rows: ${await page.locator('main').innerText()}`, { cause: error })
      })
    return Number(await rows.first().getAttribute('aria-setsize'))
  }
  await known(100)
  await list.focus()
  // While the chart is being drawn, the browser may not scroll.
  await until('the second page', async () => {
    await page.keyboard.press('End')
    return Number(await rows.first().getAttribute('aria-setsize')) >= 200 || undefined
  })
  await page.keyboard.press('Home')
  const newest = await first()
  for (let count = 0; count < 3; count++) await startRun(stage.ask, { worktreeId: main, command: 'true' })
  // Pages have 100 rows, and one more of them may have been on its way.
  await until(
    'three more rows',
    async () => Number(await rows.first().getAttribute('aria-setsize')) % 100 === 3 || undefined,
  )
  assert.notEqual(await first(), newest)
  person.fine()
})

test('a state that is selected by keyboard lists the actors in it', async () => {
  await page.getByLabel(/^Failed: 8,333 actors;.* List actors$/).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Status: Failed 8,333' }).waitFor()
  await soon(() => assert.equal(whereIs(page), '/insights/states/run?state=FAILED'))
  await page.goBack()
  await page.getByRole('heading', { name: `Newest first ${(many + 4).toLocaleString('en')}` }).waitFor()
  await assertFaultless(page)
  person.fine()
})
