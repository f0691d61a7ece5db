/** The pages of a run and of the fleet: whole lines, the end of a transcript, the subject of a permission, and correct loading states. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { atConsole } from '../../kit/browser/atConsole.ts'
import { assertFaultless } from '../../kit/browser/faults.ts'
import { soon } from '../../kit/browser/soon.ts'
import { type Machine, startMachine } from '../../kit/program/machine.ts'
import { startRun, untilRun } from '../../kit/program/runs.ts'
import { until } from '../../kit/program/until.ts'

const { stage, person, page } = await atConsole()
let machine: Machine

test('while the socket has not answered, the list of machines shows that it loads, and not that there is no machine', async () => {
  const other = await page.context().newPage()
  await other.routeWebSocket(/\/graphql$/, () => {})
  let release = () => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  await other.route('**/api/graphql', async (route) => {
    await held
    await route.continue()
  })
  await other.goto('/machines')
  await other.getByText('Loading …').waitFor()
  await soon(async () => assert.equal(await other.getByText('No machines yet').count(), 0))
  assert.equal(await other.getByText('0 machines').count(), 0)
  // The answer that there is none is one, though the socket has still not answered.
  release()
  await other.getByText('No machines yet').waitFor()
  await other.close()
})

test('while the server does not respond, the list of machines reports this, and not that there is no machine', async () => {
  machine = await startMachine(stage, { name: 'builder', branches: ['one', 'two', 'three'] })
  const other = await page.context().newPage()
  await other.routeWebSocket(/\/graphql$/, (socket) => void socket.close())
  await other.route('**/api/graphql', (route) => route.abort())
  await other.goto('/machines')
  await other.getByText('The server does not respond.').waitFor()
  for (const words of ['No machines yet', '0 machines']) assert.equal(await other.getByText(words).count(), 0)
  await other.close()
})

test('a filter that matches no run shows “No matches”, and a button clears the filters', async () => {
  await page.goto('/runs?status=PAUSED')
  await page.getByText('No matches').waitFor()
  await soon(async () => assert.equal(await page.getByText('No runs yet').count(), 0))
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await page.getByText('No runs yet').waitFor()
})

test('a line of the log that is wider than its box can be scrolled to its end, on a phone too', async () => {
  const command = `node -e "console.log('x '.repeat(600) + 'the-end')"; exit 3`
  const { id } = await startRun(stage.ask, { worktreeId: machine.worktree('one'), title: 'Wide', command })
  await untilRun(stage.ask, id, ['FAILED'])
  for (const size of [
    { width: 1280, height: 800 },
    { width: 390, height: 800 },
  ]) {
    await page.setViewportSize(size)
    await page.goto(`/runs/${id}`)
    const box = page.getByLabel('Lines of the log')
    await page.locator('.log-line', { hasText: 'the-end' }).waitFor()
    const hidden = await box.evaluate((element) => element.scrollWidth - element.clientWidth)
    assert.ok(hidden > 3_000, `${hidden} px beside the box`)
    await box.focus()
    await box.evaluate((element) => element.scrollTo({ left: element.scrollWidth }))
    const right = await page.evaluate(() => {
      const line = [...document.querySelectorAll('.log-line')].find((one) => one.textContent?.includes('the-end'))
      const text = line?.querySelector('.text')?.getBoundingClientRect()
      const outer = document.querySelector('.log .virtual')?.getBoundingClientRect()
      return (text?.right ?? Number.NaN) - (outer?.right ?? Number.NaN)
    })
    assert.ok(right <= 0, `the end is ${right} px beyond the box`)
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), true)
    await assertFaultless(page, `/runs/${id}`)
  }
  await page.setViewportSize({ width: 1280, height: 800 })
})

test('a failed state is red in the chart, in the light and the dark color scheme, and its badge has the tone of a failure', async () => {
  await page.getByRole('link', { name: 'Statechart' }).click()
  const colorOf = (selector: string) =>
    page
      .locator(selector)
      .first()
      .evaluate((element) => getComputedStyle(element).fill)
  const current = '.chart .state.current .box'
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    await page.locator('.chart .state.current', { hasText: 'FAILED' }).waitFor()
    const stop = await page.evaluate(() => getComputedStyle(document.documentElement).getPropertyValue('--stop').trim())
    const [, red = 0, green = 0] = (/rgb\((\d+), (\d+)/.exec(await colorOf(current)) ?? []).map(Number)
    assert.ok(red > green, `${await colorOf(current)} ${stop}`)
  }
  await page.emulateMedia({ colorScheme: 'light' })
  const badge = page.locator('.run-status .status-badge').first()
  await soon(async () => assert.equal(await badge.getAttribute('data-tone'), 'failed'))
})

test('a permission request is shown with its command and its diff', async () => {
  const prompt = 'say Let me see.\npermission edit\nsay Thank you.'
  const { id } = await startRun(stage.ask, { worktreeId: machine.worktree('two'), title: 'Asks', prompt })
  await page.goto(`/runs/${id}`)
  await page.getByRole('heading', { name: 'The agent asks' }).waitFor()
  await soon(async () =>
    assert.equal(
      await page.locator('.question').getByRole('group', { name: 'Command' }).innerText(),
      'rm -rf build && make all',
    ),
  )
  const diff = await page.locator('.question').getByRole('group', { name: 'Changes to /srv/app/main.c' }).innerText()
  assert.match(diff, /− {3}return 1;/)
  assert.match(diff, /\+ {3}return 0;/)
  await assertFaultless(page, `/runs/${id}`)
  await page.getByRole('button', { name: 'Allow' }).click()
  await page.locator('.transcript').getByText('Thank you.').waitFor()
})

test('the transcript follows its end, and stays where the reader has scrolled to', async () => {
  const says = Array.from({ length: 60 }, (_, n) => `think\nsay Line ${n}.`).join('\n')
  const prompt = `${says}\npermission\n${says.replaceAll('Line', 'Later')}\npermission\nsay The last.`
  const { id } = await startRun(stage.ask, { worktreeId: machine.worktree('three'), title: 'Talks', prompt })
  await page.goto(`/runs/${id}`)
  const box = page.locator('.transcript')
  const below = () => box.evaluate((element) => element.scrollHeight - element.clientHeight - element.scrollTop)
  await page.getByRole('button', { name: 'Allow' }).waitFor()
  await page.locator('.transcript').getByText('Line 59.').waitFor()
  await until('the end to be seen', async () => (await below()) < 12 || undefined)
  await box.evaluate((element) => element.scrollTo({ top: 40 }))
  await page.getByRole('button', { name: 'Allow' }).click()
  await page.locator('.transcript').getByText('Later 59.').waitFor()
  await page.getByRole('button', { name: 'Allow' }).waitFor()
  assert.equal(await box.evaluate((element) => element.scrollTop), 40)
  await box.evaluate((element) => element.scrollTo({ top: element.scrollHeight }))
  await page.getByRole('button', { name: 'Allow' }).click()
  await page.locator('.transcript').getByText('The last.').waitFor()
  await until('the end to be seen', async () => (await below()) < 12 || undefined)
  person.complaints.length = 0
})

test('every page has a title of its own', async () => {
  const { id } = await startRun(stage.ask, { worktreeId: machine.worktree('one'), title: 'Titled', command: 'true' })
  await untilRun(stage.ask, id, ['SUCCEEDED'])
  const titles: Record<string, string> = {
    '/': 'Inbox · Signalbox',
    '/machines': 'Machines · Signalbox',
    '/repositories': 'Repositories · Signalbox',
    [`/worktrees/${machine.worktree('one')}`]: 'one · Worktree · Signalbox',
    '/runs': 'Runs · Signalbox',
    [`/runs/${id}`]: 'Titled · Succeeded · Runs · Signalbox',
    '/stuck': 'Stuck · Signalbox',
    '/insights': 'Insights · Signalbox',
    '/insights/states': 'State maps · Insights · Signalbox',
    '/insights/states/run': 'Run · State maps · Insights · Signalbox',
    [`/actors/${id}`]: 'Titled · Succeeded · Run · Signalbox',
    '/tools': 'Presets · Tools · Signalbox',
    '/tools/servers': 'External servers · Tools · Signalbox',
    '/tools/audit': 'Audit · Tools · Signalbox',
    '/settings': 'Account · Settings · Signalbox',
    '/settings/keys': 'API keys · Settings · Signalbox',
    '/settings/users': 'Users · Settings · Signalbox',
    '/settings/server': 'Server · Settings · Signalbox',
    '/runs/nothing': 'Not found · Signalbox',
  }
  for (const [path, title] of Object.entries(titles)) {
    await page.goto(path)
    // The number of items in the inbox is before the title.
    const readTitle = async () => (await page.title()).replace(/^\(\d+\) /, '')
    await until(`the title of ${path}`, async () => (await readTitle()) === title || undefined).catch(async () => {
      assert.equal(await readTitle(), title, path)
    })
  }
})
