/** A person reads what happened, keeps track of what they have read, and finds the objects that it is about. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { firstIdAt } from '../../../../spec/core/ids.ts'
import { connect } from '../../../../storage/sql/sql.ts'
import { atConsole } from '../../../kit/browser/atConsole.ts'
import { assertFaultless } from '../../../kit/browser/faults.ts'
import { tabTo } from '../../../kit/browser/keys.ts'
import { soon } from '../../../kit/browser/soon.ts'
import { whereIs } from '../../../kit/browser/visit.ts'
import { startMachine } from '../../../kit/program/machine.ts'
import { makeWorkflow, mutate, startRun, untilRun } from '../../../kit/program/runs.ts'
import { embeddedServer } from '../../../kit/runtime/postgres/embeddedServer.ts'

const { stage, person, page } = await atConsole()
const machine = await startMachine(stage, { name: 'builder', branches: ['one'] })
const list = page.getByRole('list', { name: 'Notifications' })
const item = (text: string) => list.getByRole('listitem').filter({ hasText: text })
const unread = (at = page) => at.locator('.notifications li[data-seen="false"]')
const markOf = (text: string) => item(text).getByRole('button', { name: 'Mark as read' })
const inNavigation = page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: /^Notifications/ })

async function endRun(title: string, command: string): Promise<string> {
  const { id } = await startRun(stage.ask, { worktreeId: machine.worktree('one'), title, command })
  await untilRun(stage.ask, id, ['SUCCEEDED', 'FAILED'])
  return id
}

/** Older copies of the newest notification. */
async function copyNewest(count: number): Promise<void> {
  const { notifications } = await stage.ask<{ notifications: { nodes: { id: string; at: string }[] } }>(
    '{ notifications(first: 1) { nodes { id at } } }',
  )
  const [newest] = notifications.nodes
  assert.ok(newest)
  const first = firstIdAt('news', Date.parse(newest.at) - 100)
  const sql = connect(await embeddedServer(stage.dataDir), { name: 'test', max: 1 })
  await sql`
    insert into actor (id, init, kind, seq, owner, machine_version, machine_hash, status, terminal, unwatched, incidents, created_at,
      changed_at, snapshot)
    select ${first.slice(0, -2)} || lpad(n::text, 2, '0'), replace(init, 'Last of many', 'Copy ' || n), kind, seq, owner,
      machine_version, machine_hash, status, terminal, unwatched, incidents, created_at, changed_at, snapshot
    from actor, generate_series(0, ${count - 1}) n where id = ${newest.id}`
  await sql.end()
}

test('the palette leads to the notifications, and without any, the page states that there are none', async () => {
  await page.goto('/')
  await page.getByText('Live', { exact: true }).waitFor()
  await page.keyboard.press('Control+K')
  await page.getByRole('combobox', { name: 'Go to' }).waitFor()
  await page.keyboard.type('notifi')
  await page.keyboard.press('Enter')
  await page.getByText('No notifications yet').waitFor()
  await soon(() => assert.equal(whereIs(page), '/notifications'))
  assert.equal(await page.title(), 'Notifications · Signalbox')
  person.fine()
})

test('news appears by itself, the newest first, and the navigation counts the unread notifications', async () => {
  await endRun('First job', 'exit 3')
  await item('First job').waitFor()
  await endRun('Second job', 'true')
  await item('Second job').waitFor()
  await soon(async () =>
    assert.match(await list.getByRole('listitem').first().innerText(), /succeeded\s+Second job · builder/),
  )
  assert.match(await item('First job').innerText(), /failed/)
  await inNavigation.getByText('2', { exact: true }).waitFor()
  await soon(async () => assert.match((await item('First job').locator('time').getAttribute('title')) ?? '', /20\d\d/))
  await assertFaultless(page, 'notifications')
  person.fine()
})

test('a notification is marked as read by keyboard, in every tab, and read notifications can be hidden', async () => {
  const tab = await page.context().newPage()
  await tab.goto('/notifications')
  await unread(tab).nth(1).waitFor()
  await tabTo(page, markOf('First job'))
  await page.keyboard.press('Enter')
  await item('First job').getByText('Read ·').waitFor()
  await page.locator('a:focus', { hasText: 'failed' }).waitFor()
  await inNavigation.getByText('1', { exact: true }).waitFor()
  await tab.locator('li[data-seen="true"]', { hasText: 'First job' }).waitFor()
  await page.getByRole('checkbox', { name: /^Unread only/ }).check()
  await item('First job').waitFor({ state: 'detached' })
  await item('Second job').waitFor()
  await soon(() => assert.equal(whereIs(page), '/notifications?show=unread'))
  await markOf('Second job').click()
  await page.getByText('No unread notifications').waitFor()
  await page.getByRole('button', { name: 'Show all notifications' }).click()
  await item('First job').waitFor()
  await tab.close()
  person.fine()
})

test('a notification links to its object, and is marked as read when its link is opened', async () => {
  const id = await endRun('Third job', 'true')
  await item('Third job').getByRole('link').click()
  await soon(() => assert.equal(whereIs(page), `/runs/${id}`))
  await page.getByRole('heading', { name: 'Third job' }).waitFor()
  await page.keyboard.press('g')
  await page.keyboard.press('n')
  await item('Third job').getByText('Read ·').waitFor()
  person.fine()
})

test('a notification of an approval links to the run, where the step is approved', async () => {
  const steps = [{ name: 'ask', action: { approval: { message: 'Publish it?' } } }]
  const workflowId = await makeWorkflow(stage.ask, { name: 'Release', steps })
  const input = { workflowId, worktreeId: machine.worktree('one') }
  const { run } = await mutate<{ run: { id: string } }>(stage.ask, 'startWorkflow', input, 'run { id }')
  await item('Release: ask').getByRole('link').click()
  await soon(() => assert.equal(whereIs(page), `/runs/${run.id}`))
  await page.getByRole('button', { name: 'Approve step' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Approve step' }).click()
  await untilRun(stage.ask, run.id, ['SUCCEEDED'])
  await page.goto('/notifications')
  await item('Release').first().waitFor()
  await page.getByRole('button', { name: 'Mark all as read' }).click()
  await unread().first().waitFor({ state: 'detached' })
  person.fine()
})

test('the notifications from one down, and then all, are marked as read, also on later pages and in another tab', async () => {
  await endRun('Last of many', 'true')
  await item('Last of many').waitFor()
  await copyNewest(40)
  const tab = await page.context().newPage()
  for (const one of [page, tab]) {
    await one.goto('/notifications')
    await one.getByRole('button', { name: 'Load more' }).click()
    await unread(one).nth(40).waitFor()
  }
  // The first page has 30.
  await item('Copy 5 ').getByRole('button', { name: 'Mark up to here' }).click()
  for (const one of [page, tab]) {
    await one.locator('li[data-seen="true"]', { hasText: 'Copy 0 ' }).waitFor()
    await unread(one).nth(35).waitFor({ state: 'detached' })
    await soon(async () => assert.equal(await unread(one).count(), 35))
  }
  await page.getByText(/^46 notifications\. Each is deleted after \d+ days\.$/).waitFor()
  await page.getByRole('button', { name: 'Mark all as read' }).click()
  await unread().first().waitFor({ state: 'detached' })
  await unread(tab).first().waitFor({ state: 'detached' })
  await soon(async () => assert.equal(await inNavigation.innerText(), 'Notifications'))
  await tab.close()
  person.fine()
})
