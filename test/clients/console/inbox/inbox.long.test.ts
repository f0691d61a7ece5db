/** A person resolves what is in the inbox without leaving it. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { atConsole } from '../../../kit/browser/atConsole.ts'
import { tabTo } from '../../../kit/browser/keys.ts'
import { whereIs } from '../../../kit/browser/visit.ts'
import { startMachine } from '../../../kit/program/machine.ts'
import { startRun, untilRun } from '../../../kit/program/runs.ts'

const { stage, person, page } = await atConsole()
const machine = await startMachine(stage, { name: 'builder', branches: ['one', 'two'] })
const card = (title: string) => page.getByRole('listitem').filter({ has: page.getByRole('link', { name: title }) })

test('an empty inbox says what appears there', async () => {
  await page.goto('/')
  await page.getByText('You’re all caught up.').waitFor()
  assert.equal(await page.title(), 'Inbox · Signalbox')
  person.fine()
})

test('a question is answered in the inbox by keyboard, and the title counts it until then', async () => {
  const prompt = 'permission\nsay Thanks.'
  const { id } = await startRun(stage.ask, { worktreeId: machine.worktree('one'), title: 'Asks', prompt })
  await page.getByRole('heading', { name: 'Needs action' }).waitFor()
  await page.waitForFunction(() => document.title === '(1) Inbox · Signalbox')
  await tabTo(page, card('Asks').getByRole('button', { name: 'Answer' }))
  await page.keyboard.press('Enter')
  const question = page.locator('.question')
  await question.waitFor()
  await tabTo(page, question.getByRole('button').first())
  await page.keyboard.press('Enter')
  await untilRun(stage.ask, id, ['SUCCEEDED'])
  await card('Asks').waitFor({ state: 'detached' })
  await page.waitForFunction(() => document.title === 'Inbox · Signalbox')
  assert.equal(whereIs(page), '/')
  person.fine()
})

test('a failed run is retried in the inbox', async () => {
  const { id } = await startRun(stage.ask, { worktreeId: machine.worktree('two'), title: 'Broken', command: 'exit 3' })
  await untilRun(stage.ask, id, ['FAILED'])
  await page.getByRole('heading', { name: 'For review' }).waitFor()
  await card('Broken').getByRole('button', { name: 'Retry run' }).click()
  await stage.ask('query ($id: ID!) { run(id: $id) { id } }', { id })
  await page.goto('/runs')
  await page.getByRole('link', { name: 'Broken', exact: true }).nth(1).waitFor()
  person.fine()
})

test('stuck items are a part of the inbox, and not of the navigation', async () => {
  await page.goto('/stuck')
  await page.getByRole('heading', { name: 'Stuck' }).waitFor()
  const navigation = page.getByRole('navigation', { name: 'Main' })
  assert.equal(await navigation.getByRole('link', { name: 'Stuck' }).count(), 0)
  assert.equal(await navigation.getByRole('link', { name: /^Inbox/ }).getAttribute('aria-current'), 'page')
  person.fine()
})
