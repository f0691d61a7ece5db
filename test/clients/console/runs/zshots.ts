import { test } from 'node:test'
import { atConsole } from '../../../kit/browser/atConsole.ts'
import { startMachine } from '../../../kit/program/machine.ts'
import { startRun, untilRun } from '../../../kit/program/runs.ts'

const { stage, page } = await atConsole()
const machine = await startMachine(stage, { name: 'builder', branches: ['one', 'two'] })
test('shots', async () => {
  await page.setViewportSize({ width: 1440, height: 900 })
  const { id } = await startRun(stage.ask, { worktreeId: machine.worktree('one'), title: 'Broken', command: 'exit 3' })
  await untilRun(stage.ask, id, ['FAILED'])
  const asks = await startRun(stage.ask, {
    worktreeId: machine.worktree('two'),
    title: 'Asks for leave to delete',
    prompt: 'permission\nsay Thanks.',
  })
  await untilRun(stage.ask, asks.id, ['WAITING_FOR_INPUT'])
  for (let i = 0; i < 8; i++)
    await startRun(stage.ask, {
      worktreeId: machine.worktree('two'),
      title: 'Refactor price rounding ' + i,
      command: 'true',
    })
  const ok = await startRun(stage.ask, {
    worktreeId: machine.worktree('one'),
    title: 'Fine',
    prompt: 'say hello',
    cli: 'coder',
  })
  await untilRun(stage.ask, ok.id, ['SUCCEEDED'])
  const shot = async (n: string) => page.screenshot({ path: `/tmp/clgen/${n}.png` })
  await page.goto('/runs')
  await page.getByRole('link', { name: 'Broken' }).waitFor()
  await page
    .getByRole('checkbox')
    .nth(1)
    .check()
    .catch(() => {})
  await shot('runs-1440')
  await page.setViewportSize({ width: 2560, height: 900 })
  await shot('runs-2560')
  await page.setViewportSize({ width: 390, height: 844 })
  await shot('runs-390')
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.emulateMedia({ colorScheme: 'dark' })
  await shot('runs-dark')
  await page.emulateMedia({ colorScheme: 'light' })
  await page.goto('/')
  await page.waitForTimeout(2500)
  await shot('inbox-1440')
  await page.setViewportSize({ width: 390, height: 844 })
  await shot('inbox-390')
})
