/** A person manages machines, repositories and worktrees in the console, without any script. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { atConsole } from '../../../kit/browser/atConsole.ts'
import { soon } from '../../../kit/browser/soon.ts'
import { whereIs } from '../../../kit/browser/visit.ts'
import { git, startMachine } from '../../../kit/program/machine.ts'
import { startRun, untilRun } from '../../../kit/program/runs.ts'
import { gate } from '../../../kit/program/testProgram.ts'
import { until } from '../../../kit/program/until.ts'

const { stage, person, page } = await atConsole()
const machine = await startMachine(stage, { name: 'builder', branches: ['one'], clis: ['gemini=acp:not-there --acp'] })
await git(machine.repository, 'remote', 'add', 'origin', 'https://github.com/acme/shop.git')
await until('the repository to have its name', async () => {
  const { repositories } = await stage.ask<{ repositories: { nodes: unknown[] } }>('{ repositories { nodes { id } } }')
  return repositories.nodes.length > 0 || undefined
})

const button = (name: string) => page.getByRole('button', { name, exact: true })
const dialog = page.getByRole('dialog')

test('a worktree is created, prepared, used and removed', async () => {
  await page.goto('/repositories')
  await page.getByRole('link', { name: 'acme/shop', exact: true }).click()
  await page.getByRole('heading', { name: 'acme/shop' }).waitFor()
  await page.getByText('No preparations').waitFor()
  await button('Edit preparations').click()
  await dialog.getByRole('textbox', { name: 'Name 1' }).fill('greet')
  await dialog.getByRole('textbox', { name: 'Command 1' }).fill('echo prepared > prepared.txt')
  await dialog.getByRole('button', { name: 'Save preparations' }).click()
  await page.locator('.preparations').getByText('echo prepared').waitFor()
  person.fine()

  await page.reload()
  await button('New worktree on builder').click()
  await dialog.getByText('1 preparation runs in it first.').waitFor()
  await dialog.getByLabel('Branch').fill('feature/fleet')
  await dialog.getByRole('button', { name: 'Create worktree' }).click()
  await page.getByRole('heading', { name: 'feature/fleet' }).waitFor()
  await soon(() => assert.match(whereIs(page), /^\/worktrees\/wt_/))

  await page.getByRole('link', { name: 'New run here' }).click()
  await page.getByText('Shell command').click()
  await page.getByRole('textbox', { name: 'Command' }).fill('cat prepared.txt; echo changed > changed.txt')
  await button('Start run').click()
  await page.locator('.log').getByText('prepared', { exact: true }).waitFor()
  await page.getByRole('link', { name: 'Open worktree' }).click()

  await page.locator('.facts').getByText('1 file').waitFor()
  await button('Remove worktree').click()
  await dialog.getByRole('button', { name: 'Remove worktree' }).click()
  // Uncommitted changes are kept unless the person confirms that they may be lost.
  await page.locator('.message').waitFor()
  await page.locator('.lead').getByText('present').waitFor()
  await button('Remove worktree').click()
  await dialog.getByRole('checkbox').check()
  await dialog.getByRole('button', { name: 'Remove worktree' }).click()
  await page.locator('.lead').getByText('removed').waitFor()
  await soon(async () => assert.equal(await page.getByRole('link', { name: 'New run here' }).count(), 0))
  person.fine()
})

test('a machine gets tags, and the list of machines is filtered by them', async () => {
  await page.goto(`/machines/${machine.agentId}`)
  await button('Edit tags').click()
  await dialog.getByRole('textbox', { name: 'Tags' }).fill('GPU')
  await dialog.getByRole('button', { name: 'Save tags' }).click()
  await dialog.getByText(/must be lower-case letters/).waitFor()
  await dialog.getByRole('textbox', { name: 'Tags' }).fill('xcode-16, gpu')
  await dialog.getByRole('button', { name: 'Save tags' }).click()
  await page.locator('.facts').getByText('gpu, xcode-16', { exact: true }).waitFor()
  person.fine()

  await page.goto('/machines')
  await page.getByRole('combobox', { name: 'Tag' }).selectOption('gpu')
  await page.getByRole('link', { name: 'builder', exact: true }).waitFor()
  await soon(() => assert.match(whereIs(page), /tag=gpu/))
  await page.getByRole('searchbox').fill('xcode')
  await page.getByRole('link', { name: 'builder', exact: true }).waitFor()
  person.fine()
})

test('a queue shows its runs and why they wait, is paused and resumed, and a waiting run is canceled', async () => {
  const worktreeId = machine.worktree('one')
  const held = gate(stage)
  const holder = await startRun(stage.ask, { worktreeId, title: 'Holds the slot', command: held.command })
  await held.untilBegun()
  const next = await startRun(stage.ask, { worktreeId, title: 'Next in line', command: 'true' })
  const last = await startRun(stage.ask, { worktreeId, title: 'Last in line', command: 'true' })
  await page.goto(`/worktrees/${worktreeId}`)
  const waiting = page.getByRole('list', { name: 'Waiting' })
  await page.getByRole('list', { name: 'Active' }).getByRole('link', { name: 'Holds the slot' }).waitFor()
  await waiting.getByText('Waits for the end of Holds the slot (limit 1)').waitFor()
  await waiting.getByText('Queued behind Next in line').waitFor()

  await button('Pause queue').click()
  await dialog.getByLabel('Reason').fill('deploying staging')
  await dialog.getByRole('button', { name: 'Pause queue' }).click()
  await page.getByText(/^Paused by Ada .*: “deploying staging”$/).waitFor()
  await waiting.getByText('The queue is paused').first().waitFor()

  await button('Cancel run: Last in line').click()
  await dialog.getByRole('button', { name: 'Cancel run' }).click()
  await untilRun(stage.ask, last.id, ['CANCELED'])
  await waiting.getByRole('link', { name: 'Last in line' }).waitFor({ state: 'detached' })
  await button('Resume queue').click()
  await dialog.getByRole('button', { name: 'Resume queue' }).click()
  await page.getByText(/^Paused by/).waitFor({ state: 'detached' })
  await held.open()
  for (const { id } of [holder, next]) await untilRun(stage.ask, id, ['SUCCEEDED'])
  await page.getByText('The queue is empty.').waitFor()
  person.fine()
})

test('the page of a worktree shows that its machine is not connected, and the list of machines does not show the old load', async () => {
  await page.goto(`/worktrees/${machine.worktree('one')}`)
  await page.getByText('The queue is empty.').waitFor()
  await machine.stop()
  await page.getByText('No run starts here now. The status of the machine builder is “Disconnected”.').waitFor()
  await page.goto('/machines')
  const row = page.locator('.agent-row', { hasText: 'builder' })
  await row.getByText('Disconnected').waitFor()
  await soon(async () => assert.equal(await row.getByText(/available|free/).count(), 0))
  await page.goto(`/worktrees/${machine.worktree('one')}`)
  await page.getByText('No run starts here now.').waitFor()
  await machine.start()
  await page.getByText('No run starts here now.').waitFor({ state: 'detached' })
  person.fine()
})

test('the page of a machine has its CLIs, worktrees and actions, and refuses an action if the machine has changed', async () => {
  await page.goto('/machines')
  await page.getByText('2 of 3 available (gemini unavailable)').waitFor()
  await page.getByRole('link', { name: 'builder' }).click()
  await page.getByRole('cell', { name: /“not-there” is not found/ }).waitFor()
  await page.getByRole('table', { name: 'Worktrees' }).getByRole('link', { name: 'one' }).waitFor()
  await button('Drain machine').click()
  await dialog.getByRole('button', { name: 'Drain machine' }).click()
  await page.locator('.lead').getByText('draining').waitFor()
  await button('Resume machine').click()
  await dialog.getByRole('button', { name: 'Resume machine' }).click()
  await button('Drain machine').waitFor()
  person.fine()

  await machine.stop()
  await page.locator('.state-strip').getByText('Disconnected').first().waitFor()
  await button('Mark machine as lost').click()
  await dialog.locator('.action-preview').getByText('Disconnected').waitFor()
  await dialog.getByLabel('Reason').fill('the disk is gone')
  // The machine changes while the dialog is open, so the decision was made on another state.
  await stage.ask('mutation ($id: ID!) { drainAgent(input: { agentId: $id, drain: true }) { agent { id } } }', {
    id: machine.agentId,
  })
  await dialog.getByRole('button', { name: 'Mark machine as lost' }).click()
  await dialog.getByText('The object changed while you were looking.').waitFor()
  assert.equal(await page.locator('.state-strip').getByText('Lost').count(), 0)
  await dialog.getByRole('button', { name: 'Keep machine' }).click()
  await button('Mark machine as lost').click()
  await dialog.getByLabel('Reason').fill('the disk is gone')
  await dialog.getByRole('button', { name: 'Mark machine as lost' }).click()
  await page.locator('.state-strip').getByText('Lost').first().waitFor()
  await button('Revoke machine').click()
  await dialog.getByRole('button', { name: 'Revoke machine' }).click()
  await page.locator('.state-strip').getByText('Revoked').first().waitFor()
  await soon(async () => assert.equal(await button('Revoke machine').count(), 0))
  person.fine()
})
