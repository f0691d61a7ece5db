/** A newcomer with a real browser and a real machine: enrolls it, watches a run live, answers its question, and sees it end. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { atConsole } from '../../kit/browser/atConsole.ts'
import { faults } from '../../kit/browser/faults.ts'
import { soon } from '../../kit/browser/soon.ts'
import { whereIs } from '../../kit/browser/visit.ts'
import { type Machine, startMachine } from '../../kit/program/machine.ts'
import { startRun } from '../../kit/program/runs.ts'

const { stage, person, page } = await atConsole()
let machine: Machine

test('the command that the console creates makes a machine an agent, which appears by itself', async () => {
  await page.goto('/machines')
  await page.getByText('No machines yet').waitFor()
  await page.getByRole('button', { name: 'Add machine' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Folders with repositories').fill('~/code\n/srv/my work')
  await dialog.getByRole('button', { name: 'Create command' }).click()
  const command = await dialog.locator('.command').first().innerText()
  assert.match(command, / --root ~\/code --root '\/srv\/my work' --cli detect$/)
  assert.deepEqual(await faults(page), [])
  const [token = ''] = /enroll_[\w-]+/.exec(command) ?? []
  assert.notEqual(token, '', command)
  machine = await startMachine(stage, { name: 'builder', branches: ['one'], token })
  await dialog.getByText('builder is connected ✓').waitFor()
  await page.getByRole('button', { name: 'Close' }).click()
  const row = page.getByRole('listitem').filter({ hasText: 'builder' })
  await row.getByText('connected').waitFor()
  await row.getByText('2 of 2 available').waitFor()
  assert.deepEqual(await faults(page), [])
  person.fine()
})

test('a run is watched live: its output, its question, the answer and its end', async () => {
  await page.goto('/runs')
  await page.getByText('No runs yet').waitFor()
  const prompt = 'plan\nthink\ntool\nsay Let me see.\npermission\nsay Thank you.'
  const { id } = await startRun(stage.ask, { worktreeId: machine.worktree('one'), title: 'Tidy up', prompt })
  await page.getByRole('link', { name: 'Tidy up' }).focus()
  await page.keyboard.press('Enter')
  await soon(() => assert.equal(whereIs(page), `/runs/${id}`))
  await page.locator('.transcript').getByText('Let me see.').waitFor()
  await page.getByRole('heading', { name: 'The agent asks' }).waitFor()
  await page.locator('.run-status').getByText('waiting for input').waitFor()
  assert.deepEqual(await faults(page), [])
  await page.locator('.question').getByRole('button').first().focus()
  await page.keyboard.press('Enter')
  await page.locator('.transcript').getByText('Thank you.').waitFor()
  await page.locator('.run-status').getByText('succeeded').waitFor()
  // A run that has ended has no question and no button to end it.
  await page.getByRole('heading', { name: 'The agent asks' }).waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Cancel run', exact: true }).waitFor({ state: 'detached' })
  person.fine()
})

test('the log of a command has its colors, and is searched', async () => {
  const command = "printf 'one\\n\\033[31mred words\\033[0m\\n'; seq 1 3000; echo needle; exit 3"
  const { id } = await startRun(stage.ask, { worktreeId: machine.worktree('one'), title: 'Noisy', command })
  await page.goto(`/runs/${id}`)
  await page.locator('.run-status').getByText('failed').waitFor()
  // The output of the shell is before and after the command.
  await page.getByRole('heading', { name: /^Log 3,005/ }).waitFor()
  await soon(async () =>
    assert.ok((await page.locator('.log-line').count()) < 100, 'only visible lines are in the document'),
  )
  await page.locator('.log-line').getByText('needle').waitFor()
  await page.getByLabel('Search the log').fill('red')
  await page.getByText('1 of 1').waitFor()
  await soon(async () => assert.equal(await page.locator('.log-line.marked .c1').innerText(), 'red words'))
  assert.deepEqual(await faults(page), [])
  person.fine()
})

test('an agent is drained and resumed, and the filter of the list is in the address', async () => {
  await page.goto('/machines?q=build')
  await page.getByRole('button', { name: 'Drain: builder' }).click()
  await page.getByLabel('Reason').fill('a new disk')
  await page.getByRole('dialog').getByRole('button', { name: 'Drain machine' }).click()
  await page.getByText('draining').waitFor()
  await page.getByRole('button', { name: 'Resume: builder' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Resume machine' }).click()
  await page.getByRole('button', { name: 'Drain: builder' }).waitFor()
  await page.getByLabel('Name, host or tag').fill('nobody')
  await page.getByText('No matches').waitFor()
  await soon(() => assert.equal(whereIs(page), '/machines?q=nobody'))
  person.fine()
})
