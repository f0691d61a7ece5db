/** A person looks at the statechart of a failed run: the strip, the first sight, moving and zooming, the full screen, and the theme. */
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { atConsole } from '../../../kit/browser/atConsole.ts'
import { assertFaultless } from '../../../kit/browser/faults.ts'
import { soon } from '../../../kit/browser/soon.ts'
import { startMachine } from '../../../kit/program/machine.ts'
import { startRun, untilRun } from '../../../kit/program/runs.ts'
import { until } from '../../../kit/program/until.ts'

const { stage, person, page } = await atConsole()
const machine = await startMachine(stage, { name: 'builder', branches: ['one', 'two'] })
let id = ''
let succeededId = ''

const chart = page.locator('section.chart')
const drawing = chart.locator('svg')
const current = chart.locator('.state.current').first()
const zoomText = page.getByTitle('Original size')

before(async () => {
  const start = async (branch: string, command: string, status: string) => {
    const run = await startRun(stage.ask, { worktreeId: machine.worktree(branch), title: command, command })
    await untilRun(stage.ask, run.id, [status])
    return run.id
  }
  id = await start('one', 'exit 3', 'FAILED')
  succeededId = await start('two', 'true', 'SUCCEEDED')
})

/** The SVG of the page's icon. */
const readIcon = async () =>
  decodeURIComponent((await page.locator('link[rel="icon"]').getAttribute('href')) ?? '').replace(
    /^data:image\/svg\+xml,/,
    '',
  )

test('the icon of the page shows the status of the run, in a color and a shape', async () => {
  await page.goto(`/runs/${id}`)
  await until(
    'the icon of a failed run',
    async () => (await readIcon()).includes('<path d="M16 16h14v14H16z" fill="#b0261c"/>') || undefined,
  )
  await page.goto(`/runs/${succeededId}`)
  await until(
    'the icon of a run that succeeded',
    async () => (await readIcon()).includes('<circle cx="23" cy="23" r="7" fill="#1d8a5b"/>') || undefined,
  )
  await page.getByRole('link', { name: 'Settings', exact: true }).click()
  await until('the icon without a mark', async () => /\/assets\/.*\.svg$/.test(await readIcon()) || undefined)
  person.fine()
})

const getScroll = () => chart.evaluate(({ scrollLeft, scrollTop }) => ({ x: scrollLeft, y: scrollTop }))
const getWidth = async () => (await drawing.boundingBox())?.width ?? 0

async function openChart(runId: string): Promise<void> {
  await page.goto(`/runs/${runId}/statechart`)
  await drawing.waitFor({ timeout: 60_000 })
}

/** Whether the first current state is as a whole within the visible part of the chart. */
async function isCurrentVisible(): Promise<boolean> {
  const [inner, outer] = [await current.locator('.box').boundingBox(), await chart.boundingBox()]
  return (
    inner !== null &&
    outer !== null &&
    inner.x >= outer.x &&
    inner.y >= outer.y &&
    inner.x + inner.width <= outer.x + outer.width + 1 &&
    inner.y + inner.height <= outer.y + outer.height + 1
  )
}

test('the strip has the states with their times, 24 pixels high, and opens the statechart', async () => {
  await page.goto(`/runs/${id}`)
  const strip = page.getByRole('list', { name: 'States passed' })
  const parts = strip.getByRole('listitem')
  await parts.filter({ hasText: /^Failed$/ }).waitFor()
  await soon(async () =>
    assert.match((await parts.allTextContents()).join(' '), /^Queued \d+ m?s Admitted \d+ m?s .*Failed$/),
  )
  assert.equal(await parts.last().getAttribute('aria-current'), 'step')
  await soon(async () => assert.equal(await parts.last().locator('[data-tone]').getAttribute('data-tone'), 'failed'))
  assert.match((await parts.first().getAttribute('title')) ?? '', /^Queued \d+ m?s$/)
  for (const width of [390, 1440]) {
    await page.setViewportSize({ width, height: 900 })
    await soon(async () => assert.equal((await strip.boundingBox())?.height, 24))
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), true)
    await parts.filter({ hasText: /^Failed$/ }).waitFor()
  }
  await strip.click()
  await page.waitForURL(`**/runs/${id}/statechart`)
  person.fine()
})

test('the chart opens with the current state visible and readable, on a phone and on a desktop', async () => {
  for (const width of [390, 1440]) {
    await page.setViewportSize({ width, height: 900 })
    await openChart(id)
    await until('the current state in view', async () => (await isCurrentVisible()) || undefined)
    const { height = 0 } = (await current.locator('.name').boundingBox()) ?? {}
    assert.ok(height >= 9, `${height} px high at ${width}`)
    await soon(async () => assert.equal(await current.locator('.name').textContent(), 'Failed'))
    const size = await drawing.boundingBox()
    assert.equal((size?.width ?? 0) > (size?.height ?? 0), width > 640, 'from left to right in a wide view')
    await assertFaultless(page, `the chart, ${width} pixels wide`)
  }
  person.fine()
})

test('the mouse drags the chart, and the minimap moves it too', async () => {
  await openChart(id)
  await page.locator('.minimap').waitFor()
  await chart.scrollIntoViewIfNeeded()
  const { x = 0, y = 0, width = 0, height = 0 } = (await chart.boundingBox()) ?? {}
  const begin = await getScroll()
  await page.mouse.move(x + width / 2, y + height / 3)
  await page.mouse.down()
  await page.mouse.move(x + width / 2 + 150, y + height / 3, { steps: 5 })
  await page.mouse.up()
  assert.equal(Math.round(begin.x - (await getScroll()).x), 150)
  await page.locator('.minimap').click({ position: { x: 2, y: 2 } })
  assert.equal((await getScroll()).x, 0)
  person.fine()
})

test('the wheel zooms around the pointer', async () => {
  await openChart(id)
  await chart.scrollIntoViewIfNeeded()
  const getPoint = async () => {
    const box = await current.locator('.box').boundingBox()
    return { x: (box?.x ?? 0) + (box?.width ?? 0) / 2, y: (box?.y ?? 0) + (box?.height ?? 0) / 2 }
  }
  await page.locator('.minimap').click()
  const states = chart.locator('.state .box')
  const { x = 0, y = 0, width = 0, height = 0 } = (await chart.boundingBox()) ?? {}
  await page.mouse.move(x + width / 2, y + height / 2)
  const before = await getWidth()
  await page.mouse.wheel(0, -100)
  await until('a larger chart', async () => (await getWidth()) > before * 1.1 || undefined)
  const larger = await getWidth()
  await page.keyboard.down('Control')
  await page.mouse.wheel(0, -20)
  await page.keyboard.up('Control')
  await until('a pinch to zoom', async () => (await getWidth()) > larger * 1.1 || undefined)
  await soon(async () => assert.ok((await states.count()) > 5))
  assert.ok((await getPoint()).x > 0)
  person.fine()
})

test('keys zoom, fit and move', async () => {
  await openChart(id)
  await chart.focus()
  await page.keyboard.press('0')
  await zoomText.getByText('100%').waitFor()
  await page.keyboard.press('+')
  await zoomText.getByText('125%').waitFor()
  await page.keyboard.press('-')
  await zoomText.getByText('100%').waitFor()
  const begin = await getScroll()
  await page.keyboard.press('ArrowLeft')
  assert.equal(begin.x - (await getScroll()).x, 80)
  await page.keyboard.press('f')
  await page.locator('.minimap').waitFor({ state: 'detached' })
  const [inner, outer] = [await drawing.boundingBox(), await chart.boundingBox()]
  assert.ok(inner && outer && inner.width <= outer.width && inner.height <= outer.height)
  person.fine()
})

test('the full screen shows the chart, and the buttons cover nothing of it', async () => {
  await page.setViewportSize({ width: 1440, height: 900 })
  await openChart(id)
  await page.getByRole('button', { name: 'Full screen' }).click()
  await page.getByRole('button', { name: 'Exit full screen' }).waitFor()
  await until('the width of the screen', async () => {
    const screenWidth = await page.evaluate(() => innerWidth)
    return ((await chart.boundingBox())?.width ?? 0) > screenWidth - 50 || undefined
  })
  await until('the current state in view', async () => (await isCurrentVisible()) || undefined)
  const [bar, box] = [await page.locator('.chart-toolbar').boundingBox(), await chart.boundingBox()]
  assert.ok(bar && box && bar.y + bar.height <= box.y)
  // In full screen the window of this browser may differ from the screen that the test has set, so the mouse is not used.
  await page.getByRole('button', { name: 'Exit full screen' }).press('Enter')
  await page.getByRole('button', { name: 'Full screen', exact: true }).waitFor()
  person.fine()
})

test('a failed state is red, a succeeded one is green, in the theme that the user has chosen', async () => {
  const readFill = async () => {
    const fill = await current.locator('.box').evaluate((element) => getComputedStyle(element).fill)
    const [, red = 0, green = 0, blue = 0] = (/rgb\((\d+), (\d+), (\d+)/.exec(fill) ?? []).map(Number)
    return { red, green, blue }
  }
  const fills = new Set<string>()
  for (const theme of ['light', 'dark']) {
    await page.context().addCookies([{ name: 'signalbox_theme', value: theme, url: stage.url }])
    await openChart(id)
    const failed = await readFill()
    assert.ok(failed.red > failed.green && failed.red > failed.blue, JSON.stringify(failed))
    await openChart(succeededId)
    const succeeded = await readFill()
    assert.ok(succeeded.green > succeeded.red && succeeded.green > succeeded.blue, JSON.stringify(succeeded))
    fills.add(JSON.stringify([failed, succeeded]))
  }
  assert.equal(fills.size, 2, 'the scheme of the browser is light in both')
  await page.context().clearCookies({ name: 'signalbox_theme' })
  person.fine()
})
