/** A log that is longer than browsers can draw: its end, its beginning, any place between, and what is looked for in it. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { atConsole } from '../../kit/browser/atConsole.ts'
import { faults } from '../../kit/browser/faults.ts'
import { startLongLog } from '../../kit/browser/longLog.ts'
import { soon } from '../../kit/browser/soon.ts'

const many = 450_000

const { stage, person, page } = await atConsole({ LIMIT_AGENT_REPORTS_PER_MINUTE: '1000000' })
const log = await startLongLog(stage, 'main')
await log.print(many)

const box = () => page.getByLabel('Lines of the log')
const line = (number: number) => page.locator('.log-line .text', { hasText: `(${number})` })

/** Pixels from the top of what is seen to the line. */
const placeOf = async (number: number) => {
  const [outer, inner] = await Promise.all([box().boundingBox(), line(number).boundingBox()])
  return Math.round((inner?.y ?? Number.NaN) - (outer?.y ?? Number.NaN))
}

test('a long log is read whole, opens at its end, and follows new lines', async () => {
  await page.goto(`/runs/${log.runId}`)
  await page.getByRole('heading', { name: `Log ${many.toLocaleString('en')}` }).waitFor()
  await line(many).waitFor()
  await log.print(3)
  await line(many + 3).waitFor()
  await soon(async () =>
    assert.ok((await page.locator('.log-line').count()) < 100, 'only visible lines are in the document'),
  )
  // The end stays in sight in a window that becomes lower, and is still followed there.
  const size = page.viewportSize()
  await page.setViewportSize({ width: 1280, height: 420 })
  await log.print(1)
  await line(many + 4).waitFor()
  const [list, last] = await Promise.all([box().boundingBox(), line(many + 4).boundingBox()])
  assert.ok(list && last && last.y + last.height <= list.y + list.height, 'the last line is visible')
  if (size) await page.setViewportSize(size)
  person.fine()
})

test('the keys Home and End show the beginning and the end of a long log', async () => {
  await box().focus()
  await page.keyboard.press('Home')
  await line(1).waitFor()
  assert.equal(await placeOf(1), 1, 'below the border')
  await page.keyboard.press('End')
  await line(many + 4).waitFor()
})

test('a bar that is moved to the middle shows the middle, where a wheel moves the lines by its own distance', async () => {
  const height = 'document.querySelector(".log .virtual").scrollHeight / 2'
  await page.evaluate(`document.querySelector('.log .virtual').scrollTop = ${height}`)
  const middle = page.locator('.log-line .number').filter({ hasText: /^(2[0-4])\d{4}$/ })
  await middle.first().waitFor()
  const number = Number(await middle.nth(15).innerText())
  await line(number).waitFor()
  const before = await placeOf(number)
  await box().hover()
  await page.mouse.wheel(0, 60)
  for (let waited = 0; (await placeOf(number)) !== before - 60; waited++) {
    assert.ok(waited < 100, `the line is at ${await placeOf(number)}, not at ${before - 60}`)
    await page.evaluate('new Promise(requestAnimationFrame)')
  }
  // When it rests, the bar is put where the rows are, which must not move them.
  await page.evaluate('new Promise((resolve) => setTimeout(resolve, 300))')
  assert.equal(await placeOf(number), before - 60)
})

test('a search finds lines anywhere in a long log, and Enter selects the next match', async () => {
  await page.getByLabel('Search the log').fill(`(${many - 123_456})`)
  await page.getByText('1 of 1', { exact: true }).waitFor()
  await page
    .locator('.log-line.marked')
    .getByText(`(${many - 123_456})`)
    .waitFor()
  await page.getByLabel('Search the log').fill('WARNING src/module0/')
  const some = page.getByRole('status').filter({ hasText: /^1 of \d+$/ })
  await some.waitFor()
  await page.keyboard.press('Enter')
  await page
    .getByRole('status')
    .filter({ hasText: /^2 of \d+$/ })
    .waitFor()
  await page.locator('.log-line.marked .c3').getByText('warning').waitFor()
  await page.getByLabel('Search the log').fill('not in there')
  await page.getByRole('status').filter({ hasText: 'No matches' }).waitFor()
  assert.deepEqual(await faults(page), [])
  person.fine()
})
