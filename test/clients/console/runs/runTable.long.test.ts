/** A person finds runs in the table, saves the filters as a view, and retries and cancels many runs by keyboard. */
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { atConsole } from '../../../kit/browser/atConsole.ts'
import { tabTo } from '../../../kit/browser/keys.ts'
import { soon } from '../../../kit/browser/soon.ts'
import { whereIs } from '../../../kit/browser/visit.ts'
import { startMachine } from '../../../kit/program/machine.ts'
import { startRun, untilRun } from '../../../kit/program/runs.ts'

const { stage, person, page } = await atConsole()
const machine = await startMachine(stage, { name: 'builder', branches: ['one', 'two'] })
const row = (title: string) =>
  page.getByRole('row').filter({ has: page.getByRole('link', { name: title, exact: true }) })
const button = (name: string) => page.getByRole('button', { name, exact: true })
const waiting: string[] = []

before(async () => {
  await page.setViewportSize({ width: 1920, height: 1000 })
  const { id } = await startRun(stage.ask, { worktreeId: machine.worktree('one'), title: 'Broken', command: 'exit 3' })
  await untilRun(stage.ask, id, ['FAILED'])
  const prompt = 'permission\nsay Thanks.'
  const asks = await startRun(stage.ask, { worktreeId: machine.worktree('two'), title: 'Asks', prompt })
  await untilRun(stage.ask, asks.id, ['WAITING_FOR_INPUT'])
  for (const title of ['Later', 'Last']) {
    const input = {
      worktreeId: machine.worktree('two'),
      title,
      command: 'true',
    }
    waiting.push((await startRun(stage.ask, input)).id)
  }
})

test('each column head is above its cells', async () => {
  for (const width of [1440, 1920]) {
    await page.setViewportSize({ width, height: 1000 })
    await page.goto('/runs')
    await row('Broken').waitFor()
    for (const name of ['title', 'status', 'requester', 'place', 'wait', 'duration', 'created'])
      await soon(async () => {
        const cells = await page.locator(`.run-row .cell-${name}`).all()
        const [head, ...others] = await Promise.all(cells.map(async (cell) => (await cell.boundingBox())?.x))
        assert.deepEqual(new Set(others), new Set([head]), `${name}, ${width} pixels wide`)
      })
  }
})

test('a row shows the requester, the machine, the wait and the duration of its run, and is 32 pixels high', async () => {
  await page.goto('/runs')
  const broken = row('Broken')
  await broken.getByText('Failed').waitFor()
  await soon(async () =>
    assert.match((await broken.locator('.cell-requester a').getAttribute('href')) ?? '', /^\/runs\?by=(usr|key)_/),
  )
  await broken.getByRole('link', { name: 'builder' }).waitFor()
  await soon(async () => assert.match((await broken.locator('.cell-duration').textContent()) ?? '', /^\d+ m?s/))
  assert.match((await broken.locator('.cell-wait').textContent()) ?? '', /^\d+ m?s/)
  await soon(async () => assert.equal((await broken.boundingBox())?.height, 32))
  await page.getByText('4 runs', { exact: true }).waitFor()
  person.fine()
})

test('the server filters by text and by several statuses, and sorts by the end', async () => {
  await page.getByLabel('Title, prompt, command, branch or ID').fill('exit')
  await row('Asks').waitFor({ state: 'detached' })
  await row('Broken').waitFor()
  await page.getByLabel('Title, prompt, command, branch or ID').fill('')
  await row('Asks').waitFor()
  await page.getByText('Status: any').click()
  await page.getByRole('checkbox', { name: 'Failed' }).check()
  await page.getByRole('checkbox', { name: 'Waiting for input' }).check()
  await page.keyboard.press('Escape')
  await row('Later').waitFor({ state: 'detached' })
  await row('Asks').waitFor()
  await button('Ended').click()
  await row('Asks').waitFor({ state: 'detached' })
  await soon(() => assert.equal(whereIs(page), '/runs?status=FAILED%2CWAITING_FOR_INPUT&sort=ended-desc'))
  await button('Created ').click()
  await row('Asks').waitFor()
  person.fine()
})

test('the filters are saved as a view, which is renamed, deleted and saved again', async () => {
  const filters = new URL(page.url()).search
  const save = async () => {
    await button('Save view').click()
    await page.getByLabel('Name', { exact: true }).fill('Needs care')
    await page.getByRole('dialog').getByRole('button', { name: 'Save view' }).click()
    await page.waitForURL(/view=svw_/)
  }
  const deleteView = async () => {
    await button('Delete view').click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete view' }).click()
  }
  await save()
  await button('Rename view').click()
  await page.getByLabel('Name', { exact: true }).fill('Mine')
  await page.getByRole('dialog').getByRole('button', { name: 'Rename view' }).click()
  const views = page.getByLabel('Saved view')
  await views.locator('option', { hasText: 'Mine' }).waitFor({ state: 'attached' })
  await views.selectOption('All runs')
  await row('Later').waitFor()
  await views.selectOption('Mine')
  await row('Later').waitFor({ state: 'detached' })
  await deleteView()
  await row('Later').waitFor()
  await soon(() => assert.equal(whereIs(page), '/runs'))
  // The page is not loaded again.
  await page.evaluate((search) => {
    history.pushState(null, '', `/runs${search}`)
    dispatchEvent(new PopStateEvent('popstate'))
  }, filters)
  await row('Later').waitFor({ state: 'detached' })
  await save()
  await views.locator('option', { hasText: 'Needs care' }).waitFor({ state: 'attached' })
  await deleteView()
  await row('Later').waitFor()
  await soon(() => assert.equal(whereIs(page), '/runs'))
  person.fine()
})

test('filters in the address that do not exist are reported, and a filter without runs can be cleared', async () => {
  await page.goto('/runs?status=LATE&color=red')
  await page.getByText('They are ignored: color and status=LATE.').waitFor()
  await page.goto('/runs?status=LOST')
  await page.getByText('No run matches the filters.').waitFor()
  await button('Clear filters').click()
  await row('Later').waitFor()
  person.fine()
})

test('runs are selected and canceled by keyboard alone, with a preview and the results', async () => {
  await page.goto('/runs')
  await row('Later').waitFor()
  for (const title of ['Last', 'Later', 'Broken']) {
    await tabTo(page, page.getByRole('checkbox', { name: `Select: ${title}` }))
    await page.keyboard.press('Space')
  }
  await page.getByText('3 runs selected').waitFor()
  await tabTo(page, button('Cancel runs'))
  await page.keyboard.press('Enter')
  await page.getByText('3 selected, 2 can take the action.').waitFor()
  await tabTo(page, button('Cancel 2 runs'))
  await page.keyboard.press('Enter')
  await page.getByText('Done: 2 runs').waitFor()
  await page.getByText('Not done: 1 run').waitFor()
  await page.keyboard.press('Escape')
  await row('Later').getByText('Canceled').waitFor()
  for (const id of waiting) await untilRun(stage.ask, id, ['CANCELED'])
  await page.getByText('3 runs selected').waitFor({ state: 'detached' })
  person.fine()
})

test('selected runs are retried as a bulk action', async () => {
  await page.getByRole('checkbox', { name: 'Select: Broken' }).check()
  await button('Retry runs').click()
  await button('Retry 1 run').click()
  await page.getByText('Done: 1 run').waitFor()
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click()
  await page.getByText('5 runs', { exact: true }).waitFor()
  person.fine()
})

test('on a phone the rows are cards of two lines, and the filters are folded', async () => {
  await page.setViewportSize({ width: 390, height: 844 })
  await row('Later').waitFor()
  await soon(async () => assert.equal((await row('Later').boundingBox())?.height, 56))
  assert.equal(await page.getByLabel('Kind').isVisible(), false)
  await page.getByText('Filters', { exact: true }).click()
  await page.getByLabel('Kind').waitFor()
  const width = await page.evaluate(() => document.documentElement.scrollWidth)
  assert.ok(width <= 390, `the page is ${width} px wide`)
  person.fine()
})
