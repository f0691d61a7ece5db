/** A person starts, follows and repeats runs in the console, without any script. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { atConsole } from '../../../kit/browser/atConsole.ts'
import { tabTo } from '../../../kit/browser/keys.ts'
import { soon } from '../../../kit/browser/soon.ts'
import { whereIs } from '../../../kit/browser/visit.ts'
import { startMachine } from '../../../kit/program/machine.ts'
import { startRun, untilRun } from '../../../kit/program/runs.ts'

const { stage, person, page } = await atConsole()
await startMachine(stage, { name: 'builder', branches: ['one', 'two'] })

const field = (name: string) => page.getByRole('textbox', { name })
const button = (name: string) => page.getByRole('button', { name, exact: true })
const runId = () => /^\/runs\/(run_\w+)$/.exec(whereIs(page))?.[1]

/** Waits for the page of another run than the one of this address. */
async function untilNextRun(before: string | undefined): Promise<string> {
  await page.waitForURL((url) => /^\/runs\/run_/.test(url.pathname) && !url.pathname.endsWith(before ?? '!'))
  return runId() ?? assert.fail(whereIs(page))
}

test('a prompt is written and started by keyboard alone, with the key c', async () => {
  await page.goto('/')
  await page.getByText('Live', { exact: true }).waitFor()
  await page.keyboard.press('c')
  await page.getByRole('heading', { name: 'New run' }).waitFor()
  await page.locator('textarea:focus').waitFor()
  await page.keyboard.type('say Hello from the form.')
  await tabTo(page, page.getByRole('searchbox', { name: 'Find: Worktree' }))
  await page.keyboard.type('one')
  await tabTo(page, page.getByRole('radio', { name: 'one' }).first())
  await page.keyboard.press('Space')
  await field('What should the agent do?').focus()
  await page.keyboard.press('Control+Enter')
  const id = await untilNextRun(undefined)
  await page.locator('.transcript').getByText('Hello from the form.').waitFor()
  await page.locator('.run-task').getByText('say Hello from the form.').waitFor()
  await page.locator('.facts').getByText('Ada', { exact: true }).waitFor()
  await untilRun(stage.ask, id, ['SUCCEEDED'])
  person.fine()
})

test('a follow-up continues the conversation of an ended run', async () => {
  const before = runId()
  await field('Follow-up').fill('say And this is the second turn.')
  await button('Send follow-up').click()
  await untilNextRun(before)
  await page.locator('.transcript').getByText('And this is the second turn.').waitFor()
  person.fine()
})

test('a follow-up of an active run is queued, and can be changed and withdrawn', async () => {
  await page.goto('/runs/new')
  await field('What should the agent do?').fill('permission\nsay Done.')
  await page.getByRole('radio', { name: 'one builder' }).check()
  await button('Start run').click()
  await untilNextRun(undefined)
  await page.getByRole('heading', { name: 'The agent asks' }).waitFor()
  await field('Follow-up').fill('say later')
  await button('Send follow-up').click()
  const queued = page.getByRole('list', { name: 'Queued follow-ups' })
  await queued.getByText('say later').waitFor()
  await field('Follow-up').fill('say later')
  await button('Send follow-up').click()
  await queued.getByText('say later').nth(1).waitFor()
  await button('Withdraw').first().click()
  await queued.getByText('say later').nth(1).waitFor({ state: 'detached' })
  await button('Edit').click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Prompt').fill('say much later')
  await dialog.getByRole('button', { name: 'Save follow-up' }).click()
  await queued.getByText('say much later').waitFor()
  await button('Withdraw').click()
  await queued.waitFor({ state: 'detached' })
  await page.locator('.question').getByRole('button').first().click()
  await page.locator('.transcript').getByText('Done.').waitFor()
  person.fine()
})

test('a run on a new worktree: the branch is created first, and the choices are remembered', async () => {
  await page.goto('/runs/new')
  await soon(async () => assert.equal(await page.getByRole('radio', { name: 'one builder' }).isChecked(), true))
  await page.getByText('Shell command').click()
  await field('Command').fill('git rev-parse --abbrev-ref HEAD')
  await page.getByText('New worktree', { exact: true }).click()
  await page.getByRole('group', { name: 'Repository' }).getByRole('radio').first().check()
  await field('Branch').fill('feature/form')
  await button('Start run').click()
  await untilNextRun(undefined)
  await page.locator('.log').getByText('feature/form').waitFor()
  await page.locator('.run-task.code').getByText('git rev-parse').waitFor()
  await soon(async () => assert.equal(await field('Follow-up').count(), 0, 'a command has no conversation'))
  person.fine()
})

test('an ended run is retried, and is run again with changes', async () => {
  const before = runId()
  await button('Retry run').click()
  const first = await untilNextRun(before)
  await untilRun(stage.ask, first, ['SUCCEEDED'])
  await page.goBack()
  await page.locator(`a[href="/runs/new?from=${before}"]`).waitFor()
  await button('Retry run').click()
  const retried = await untilNextRun(before)
  assert.notEqual(retried, first, 'a second retry is another run')
  await untilRun(stage.ask, retried, ['SUCCEEDED'])
  await page.getByRole('link', { name: 'Run again with changes' }).click()
  await page.getByRole('heading', { name: 'New run' }).waitFor()
  await soon(async () => assert.equal(await field('Command').inputValue(), 'git rev-parse --abbrev-ref HEAD'))
  await field('Command').fill('echo changed')
  await button('Start run').click()
  await untilNextRun(retried)
  await page.locator('.log').getByText('changed').first().waitFor()
  person.fine()
})

test('a run is started with a file, and a wrong value is shown at its field', async () => {
  await page.goto('/runs/new')
  await field('What should the agent do?').fill('say I have a file.')
  await page.getByRole('radio', { name: 'two builder' }).check()
  await page
    .locator('#field-files')
    .setInputFiles({ name: 'notes.md', mimeType: 'text/markdown', buffer: Buffer.from('# Notes') })
  await page.getByRole('list', { name: 'Files of the run' }).getByText('7 bytes').waitFor()
  await page.getByText('More options').click()
  await field('Model').fill('x'.repeat(300))
  await button('Start run').click()
  await page.locator('[id="field-configuration.model-problem"]').waitFor()
  await field('Model').fill('')
  await button('Start run').click()
  await untilNextRun(undefined)
  await page.locator('.facts').getByRole('link', { name: 'notes.md' }).waitFor()
  person.fine()
})

test('a repeated run keeps the exceptions from the permission policy, and a command does not change the remembered choices', async () => {
  const { worktrees } = await stage.ask<{ worktrees: { nodes: { id: string; branch: string }[] } }>(
    '{ worktrees(first: 10) { nodes { id branch } } }',
  )
  const worktreeId = worktrees.nodes.find(({ branch }) => branch === 'two')?.id
  const configuration = { permissionPolicy: 'ALLOW_ALL', permissionRules: [{ kind: 'DELETE', decision: 'DENY' }] }
  const former = await startRun(stage.ask, { worktreeId, prompt: 'say Carefully.', configuration })
  await untilRun(stage.ask, former.id, ['SUCCEEDED'], 60_000)
  await page.goto(`/runs/new?from=${former.id}`)
  await page.getByText('More options').click()
  await page.getByText('The exceptions of the former run are kept: DELETE DENY.').waitFor()
  await button('Start run').click()
  const again = await untilNextRun(undefined)
  const { run } = await stage.ask<{ run: { title: string; configuration: unknown } }>(
    'query ($id: ID!) { run(id: $id) { title configuration { permissionPolicy permissionRules { kind decision } } } }',
    { id: again },
  )
  assert.deepEqual(run, { title: 'say Carefully.', configuration })
  await page.goto('/runs/new')
  await page.getByText('Shell command').click()
  await field('Command').fill('true')
  await button('Start run').click()
  await untilNextRun(again)
  await page.goto('/runs/new')
  await page.getByText('More options').click()
  await soon(async () => assert.equal(await page.getByLabel('Permission requests').inputValue(), 'ALLOW_ALL'))
  person.fine()
})

test('a new run from a former run that does not exist shows “Not found”', async () => {
  await page.goto('/runs/new?from=run_00000000000000000000000000')
  await page.getByText('Not found').waitFor()
  person.fine()
})
