/** A person finds a line of a log, and sends the link to it to a colleague. */
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { atConsole } from '../../../kit/browser/atConsole.ts'
import { assertFaultless } from '../../../kit/browser/faults.ts'
import { soon } from '../../../kit/browser/soon.ts'
import { whereIs } from '../../../kit/browser/visit.ts'
import { commandStep } from '../../../kit/program/commandStep.ts'
import { startMachine } from '../../../kit/program/machine.ts'
import { makeWorkflow, startRun, startWorkflow, untilRun } from '../../../kit/program/runs.ts'

const { stage, person, page } = await atConsole()
const machine = await startMachine(stage, { branches: ['one', 'two'] })
const command = [
  'echo ::group::Install',
  'for i in 1 2 3; do echo "package $i"; done',
  'echo ::endgroup::',
  'for i in $(seq 1 2000); do echo "test $i ok"; done',
  'echo "expected 22, got 23: see https://example.com/bugs/7." >&2',
  'for i in $(seq 1 500); do echo "later $i"; done',
].join('; ')
const { id } = await startRun(stage.ask, { worktreeId: machine.worktree('one'), title: 'Checks', command })
await untilRun(stage.ask, id, ['SUCCEEDED'])

const row = (text: string) => page.locator('.log-line', { hasText: text })
const button = (name: string) => page.getByRole('button', { name, exact: true })
const panel = page.locator('.selected-line')
const addressed = () => Object.fromEntries(new URL(page.url()).searchParams)
/** The standard error may be read before or after the lines around it. */
let wrongLine = 0

test('a selected line has a link, which opens the log at this line', async () => {
  await page.goto(`/runs/${id}/log`)
  await page.getByLabel('Search the log').fill('got 23')
  await page.locator('.log-line.marked').getByText('got 23').waitFor()
  await page.locator('.log-line.marked .number').click()
  await panel.getByText('standard error').waitFor()
  wrongLine = Number(await page.locator('.log-line.marked .number').innerText())
  await soon(() => assert.deepEqual(addressed(), { find: 'got 23', line: String(wrongLine) }))
  await assertFaultless(page, 'a selected line')
  await page.getByLabel('Search the log').fill('')
  await soon(() => assert.equal(whereIs(page), `/runs/${id}/log`))
  await row('got 23').locator('.number').click()
  const [, link = ''] = await panel.locator('.command').allInnerTexts()
  assert.equal(link, `${stage.url}/runs/${id}/log?line=${wrongLine}`)
  await page.goto('/machines')
  await page.goto(link)
  await page.locator('.log-line.marked').getByText('got 23').waitFor()
  const shown = panel.getByText('expected 22, got 23: see https://example.com/bugs/7.')
  await shown.waitFor()
  await button('Deselect the line').click()
  await soon(() => assert.equal(whereIs(page), `/runs/${id}/log`))
  person.fine()
})

test('a search is in the address, and Enter selects the next match after the selected line', async () => {
  await page.goto(`/runs/${id}/log?find=test+1`)
  const position = page.locator('.log-search [role=status]')
  await position.getByText(/^1 of 1,111$/).waitFor()
  await page.getByLabel('Search the log').focus()
  await page.keyboard.press('Enter')
  await position.getByText(/^2 of 1,111$/).waitFor()
  await page.reload()
  await position.getByText(/^2 of 1,111$/).waitFor()
  await page.locator('.log-line.marked').getByText('test 10 ok').waitFor()
  await button('Previous match').click()
  await page.locator('.log-line.marked').getByText('test 1 ok').waitFor()
  person.fine()
})

test('addresses in the output are links', async () => {
  await page.goto(`/runs/${id}/log?line=${wrongLine}`)
  const link = row('got 23').getByRole('link', { name: 'https://example.com/bugs/7', exact: true })
  await soon(async () => assert.equal(await link.getAttribute('rel'), 'noopener noreferrer'))
})

test('a group is folded and unfolded, and a selected match in it unfolds it', async () => {
  await page.goto(`/runs/${id}/log?line=1`)
  await row('package 2').waitFor()
  await button('Fold the group “Install”').click()
  await row('package 2').waitFor({ state: 'detached' })
  await row('test 1 ok').waitFor()
  await assertFaultless(page, 'a folded group')
  await button('Unfold the group “Install”').click()
  const number = Number(await row('package 2').locator('.number').innerText())
  await button('Fold groups').click()
  await row('package 2').waitFor({ state: 'detached' })
  await page.getByLabel('Search the log').fill('package 2')
  await page.locator('.log-search [role=status]').getByText('1 of 1', { exact: true }).waitFor()
  await page.keyboard.press('Enter')
  await row('package 2').waitFor()
  await soon(() => assert.deepEqual(addressed(), { find: 'package 2', line: String(number) }))
  person.fine()
})

test('the log has times, and is downloaded whole', async () => {
  await page.goto(`/runs/${id}/log`)
  await button('Times').click()
  await soon(async () => assert.match(await page.locator('.log-line .time').last().innerText(), /^\d\d:\d\d:\d\d/))
  const downloaded = page.waitForEvent('download')
  await button('Download').click()
  const download = await downloaded
  assert.equal(download.suggestedFilename(), `${id.replace('run_', 'job_')}.log`)
  const text = await readFile(await download.path(), 'utf8')
  assert.equal(text.match(/^test \d+ ok$/gm)?.length, 2_000)
  assert.equal(text.match(/^later \d+$/gm)?.length, 500)
  assert.match(text, /^expected 22, got 23: see https:\/\/example\.com\/bugs\/7\.$/m)
  person.fine()
})

test('a link to a line that does not exist shows a message with its number', async () => {
  await page.goto(`/runs/${id}/log?line=999999`)
  await page.getByText('The log has no line 999,999.').waitFor()
  await page.goto(`/runs/${id}/log?line=none`)
  await row('later 500').waitFor()
  person.fine()
})

test('the page of a job has the log of the job', async () => {
  await page.goto(`/runs/${id}/log`)
  await page.getByRole('link', { name: 'Open job' }).click()
  await page.locator('.journal').waitFor()
  await row('later 500').waitFor()
  await row('later 500').locator('.number').click()
  await panel.getByText('later 500').waitFor()
  await soon(() => assert.match(whereIs(page), /^\/actors\/job_\w+\?line=\d+$/))
  person.fine()
})

test('the log of a workflow step is below the step, and its lines have links', async () => {
  const definition = { steps: [commandStep('build', 'echo building it'), commandStep('check', 'echo checking it')] }
  const workflowId = await makeWorkflow(stage.ask, { name: 'Two steps', ...definition })
  const { id: runId } = await startWorkflow(stage.ask, workflowId, machine.worktree('two'))
  await untilRun(stage.ask, runId, ['SUCCEEDED'])
  await page.goto(`/runs/${runId}`)
  const step = page.locator('.run-steps > .rows > li').filter({ hasText: 'build' }).first()
  await step.getByRole('button', { name: 'Show log' }).click()
  await step.locator('.log-line', { hasText: 'building it' }).locator('.number').click()
  await soon(() => assert.match(whereIs(page), /\?log=job_\w+&line=\d+$/))
  await page.reload()
  await step.locator('.log-line.marked').getByText('building it').waitFor()
  await step.getByRole('button', { name: 'Hide log' }).click()
  await soon(() => assert.equal(whereIs(page), `/runs/${runId}`))
  person.fine()
})
