/** A person resolves what is in the inbox without leaving it. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { atConsole } from '../../../kit/browser/atConsole.ts'
import { assertFaultless } from '../../../kit/browser/faults.ts'
import { tabTo } from '../../../kit/browser/keys.ts'
import { soon } from '../../../kit/browser/soon.ts'
import { whereIs } from '../../../kit/browser/visit.ts'
import { startMachine } from '../../../kit/program/machine.ts'
import { startRun, untilRun } from '../../../kit/program/runs.ts'

const { stage, person, page } = await atConsole()
const machine = await startMachine(stage, { name: 'builder', branches: ['one', 'two'] })
const card = (title: string) => page.getByRole('listitem').filter({ has: page.getByRole('link', { name: title }) })

test('an empty inbox states that nothing is left to do', async () => {
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
  await soon(() => assert.equal(whereIs(page), '/'))
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

test('items that are marked as seen are shown so in every tab, and can be hidden', async () => {
  for (const [branch, title] of [
    ['one', 'Ends badly'],
    ['two', 'Ends worse'],
  ] as const) {
    const { id } = await startRun(stage.ask, { worktreeId: machine.worktree(branch), title, command: 'exit 3' })
    await untilRun(stage.ask, id, ['FAILED'])
  }
  await page.goto('/')
  const tab = await page.context().newPage()
  await tab.goto('/')
  const seenInTab = tab.locator('.inbox li[data-seen="true"]')
  await tab.getByRole('link', { name: 'Ends badly' }).waitFor()
  await tabTo(page, page.getByRole('button', { name: 'Mark as seen: Ends badly' }))
  await page.keyboard.press('Enter')
  await card('Ends badly').getByText('Seen ·').waitFor()
  await card('Ends badly').getByRole('button', { name: 'Retry run' }).waitFor()
  await page.locator('a:focus', { hasText: 'Ends badly' }).waitFor()
  await seenInTab.filter({ hasText: 'Ends badly' }).waitFor()
  await assertFaultless(page, 'the inbox with a seen item')

  await page.getByRole('checkbox', { name: /^New only/ }).check()
  await card('Ends badly').waitFor({ state: 'detached' })
  await card('Ends worse').waitFor()
  await soon(() => assert.equal(whereIs(page), '/?show=new'))
  await page.getByRole('button', { name: 'Mark all as seen' }).click()
  await page.getByText('No new items').waitFor()
  await seenInTab.filter({ hasText: 'Ends worse' }).waitFor()
  await soon(async () => assert.equal(await tab.getByRole('button', { name: 'Mark all as seen' }).count(), 0))
  await page.getByRole('button', { name: 'Show all items' }).click()
  await card('Ends worse').getByText('Seen ·').waitFor()
  await page.reload()
  await card('Ends badly').getByText('Seen ·').waitFor()
  await tab.close()
  person.fine()
})

test('the page of stuck actors belongs to the inbox, and has no entry in the navigation', async () => {
  await page.goto('/stuck')
  await page.getByRole('heading', { name: 'Stuck' }).waitFor()
  const navigation = page.getByRole('navigation', { name: 'Main' })
  await soon(async () => assert.equal(await navigation.getByRole('link', { name: 'Stuck' }).count(), 0))
  assert.equal(await navigation.getByRole('link', { name: /^Inbox/ }).getAttribute('aria-current'), 'page')
  person.fine()
})
