/** An operator with a real browser and a real server finds a stuck actor, reads the cause, frees it, and checks the result. */

import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { jobIdOf, stepIdOf } from '../../../machines/work/steps/stepKeys.ts'
import { siblingId } from '../../../spec/core/ids.ts'
import { connect, textArray } from '../../../storage/sql/sql.ts'
import { atConsole } from '../../kit/browser/atConsole.ts'
import { assertFaultless, faults } from '../../kit/browser/faults.ts'
import { soon } from '../../kit/browser/soon.ts'
import { signedIn, visit, whereIs } from '../../kit/browser/visit.ts'
import { ada } from '../../kit/program/accounts.ts'
import { reportWorktree, startBareAgent } from '../../kit/program/bareAgent.ts'
import { commandStep } from '../../kit/program/commandStep.ts'
import { lastTransition, performAction, readActor } from '../../kit/program/operatorActions.ts'
import {
  lookAt,
  makeWorkflow,
  mutate,
  startRun,
  startWorkflow,
  untilOffered,
  untilRun,
} from '../../kit/program/runs.ts'
import { until } from '../../kit/program/until.ts'
import { embeddedServer } from '../../kit/runtime/postgres/embeddedServer.ts'

const { stage, browser, person, page } = await atConsole()
const agent = await startBareAgent(stage, 'bare')
const worktrees = await reportWorktree(stage, agent, '/srv/bare', [
  'main',
  'second',
  'third',
  'fourth',
  'shown',
  'line',
  'queue',
  'slot',
  'parent',
  'child',
  'reserved',
])
let sql = connect(await embeddedServer(stage.dataDir), { name: 'test', max: 1 })
stage.onEnd(() => sql.end())

/** A run whose job its agent never accepts. */
async function waiting(branch: string): Promise<string> {
  const { id } = await startRun(stage.ask, { worktreeId: worktrees[branch], title: `on ${branch}`, command: 'true' })
  await untilOffered(stage.ask, id)
  return id
}

const lit = (name: string) => page.locator('.chart .state.current', { hasText: name })

test('a visitor without a session is led to the sign-in page, and back to the requested page', async () => {
  const guest = await visit(browser, stage.url)
  await guest.page.goto('/stuck')
  await soon(() => assert.equal(whereIs(guest.page), '/sign-in?redirect=%2Fstuck'))
  await guest.page.getByLabel('Email address').fill(ada.email)
  await guest.page.getByRole('textbox', { name: 'Password' }).fill(ada.password)
  await guest.page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await guest.page.waitForURL('**/stuck')
  await guest.page.getByText('Nothing is stuck').waitFor()
  guest.fine()
  await guest.end()
})

test('an overdue run appears in the inbox, is explained by its chart, and is force-ended by keyboard alone', async () => {
  const id = await waiting('main')
  await page.goto('/')
  await page.getByText('Live', { exact: true }).waitFor()
  await page.getByText('You’re all caught up').waitFor()
  await sql`update actor set stuck_at = ${Date.now() - 600_000} where id = ${id}`
  // It appears without a reload.
  await page.getByRole('link', { name: 'on main' }).waitFor({ timeout: 30_000 })
  await page.getByRole('link', { name: 'Stuck' }).click()
  await page.getByText('Overdue: waiting for its agent to accept the job.').waitFor()
  await page.getByRole('link', { name: id }).focus()
  await page.keyboard.press('Enter')
  await soon(() => assert.equal(whereIs(page), `/actors/${id}`))
  await lit('ADMITTED').waitFor()
  await page.locator('.chart .edge.taken .event', { hasText: 'admit' }).waitFor()
  const stood = lit('ADMITTED').locator('.figures')
  const before = await stood.textContent()
  await until(
    'the time in the state to increase by itself',
    async () => (await stood.textContent()) !== before || undefined,
  )

  await page.getByRole('button', { name: 'Show actions' }).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Force-end run' }).focus()
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog')
  await soon(async () => assert.match(await dialog.innerText(), /Admitted[\s\S]*→[\s\S]*Canceled[\s\S]*final state/))
  assert.match(await dialog.innerText(), /Worktree queue ended/)
  await page.keyboard.type('!')
  await dialog.getByLabel('Reason').focus()
  await page.keyboard.type('nobody accepts it')
  await page.keyboard.press('Enter')
  await dialog.waitFor({ state: 'detached' })
  await lit('CANCELED').waitFor()
  assert.equal((await lookAt(stage.ask, id)).status, 'CANCELED')
  await page.getByText('The run is CANCELED, which is a terminal state.').waitFor()
  await page.locator('.journal button', { hasText: 'terminate' }).click()
  await page.locator('.transition-details', { hasText: 'nobody accepts it' }).waitFor()
  person.fine()
})

test('the scrubber shows earlier transitions and the latest one, without entries in the browser history', async () => {
  const scrubber = page.getByRole('slider')
  await scrubber.focus()
  await page.keyboard.press('Home')
  await lit('QUEUED').waitFor()
  await soon(async () => assert.equal(await lit('CANCELED').count(), 0))
  assert.match(await page.locator('.scrubber label').innerText(), /^Transition 1 of \d+ create/)
  await page.keyboard.press('ArrowRight')
  await lit('ADMITTED').waitFor()
  await page.getByRole('button', { name: 'Latest' }).click()
  await lit('CANCELED').waitFor()
  await page.goBack()
  await soon(() => assert.equal(whereIs(page), '/stuck'))
  await page.goForward()
  await soon(() => assert.match(whereIs(page), /^\/actors\/run_/))
})

test('a bulk forced transition of stranded runs reports a conflict for the run that has changed, and changes the others', async () => {
  const ids = [await waiting('second'), await waiting('third'), await waiting('fourth')]
  await sql`update actor set unwatched = true where id = any(${textArray(ids)}::text[])`
  await page.goto('/stuck')
  await page.getByText('Stranded: no timer, message or person can advance it.').nth(2).waitFor()
  await page.getByLabel('Select all 3').check()
  await page.getByRole('button', { name: 'Select an action' }).click()
  await page.getByRole('button', { name: 'Force transition to Failed' }).click()
  await page.getByRole('button', { name: 'Force transition to Failed: 3 actors' }).waitFor()
  await mutate(stage.ask, 'cancelRun', { runId: ids[1] }, 'run { id }')
  await page.getByLabel('Reason').fill('nobody will')
  await page.keyboard.press('Enter')
  await page.locator('.bulk-actions .rows', { hasText: 'CONFLICT' }).waitFor()
  await soon(async () =>
    assert.deepEqual(
      (await page.locator('.bulk-actions .rows .hint').allInnerTexts()).map((text) => text.split(':')[0]).sort(),
      ['CONFLICT', 'done', 'done'],
    ),
  )
  for (const id of [ids[0], ids[2]]) assert.equal((await lookAt(stage.ask, id ?? '')).status, 'FAILED')
  await page.getByRole('button', { name: 'Close' }).click()
  person.fine()
})

test('a kind of actor is shown as a heat map, whose states list the actors in them', async () => {
  await page.goto('/insights/states')
  await page.getByRole('link', { name: 'Run', exact: true }).click()
  const state = page.locator('.chart .state[data-heat]', { hasText: 'FAILED' })
  await state.waitFor()
  await soon(async () => assert.match((await state.locator('.figures').textContent()) ?? '', /^2 · /))
  await state.getByRole('link').click()
  await soon(() => assert.equal(whereIs(page), '/insights/states/run?state=FAILED'))
  await page.getByRole('heading', { name: /Status: Failed/ }).waitFor()
  await page.locator('.actor-row').nth(1).waitFor()
  await soon(async () => assert.equal(await page.locator('.actor-row').count(), 2))
  person.fine()
})

test('the layout of a chart is requested once, however often the chart is opened', async () => {
  const measured = async () =>
    (await page.evaluate("performance.getEntriesByType('measure').map(({ name }) => name)")) as readonly string[]
  const look = async (name: string) => {
    await page.getByRole('link', { name, exact: true }).click()
    await page.locator('.chart svg').waitFor()
    await page.getByRole('link', { name: 'State maps' }).first().click()
  }
  await page.goto('/insights/states')
  for (const name of ['Run', 'Agent', 'Run', 'Agent', 'Run']) await look(name)
  assert.deepEqual(await measured(), ['layout of RUN', 'layout of AGENT'])
})

test('the address of an object that does not exist shows “Not found” and a link to the inbox', async () => {
  for (const [path, what] of [
    ['/runs/run_01m7yn4dx8e00vgjrhgcrbqjcv', 'There is no run run_01m7yn4dx8e00vgjrhgcrbqjcv.'],
    ['/runs/nonsense', 'There is no run nonsense.'],
    ['/actors/run_01m7yn4dx8e00vgjrhgcrbqjcv', 'There is no actor run_01m7yn4dx8e00vgjrhgcrbqjcv.'],
    ['/actors/run_nonsense', 'There is no actor run_nonsense.'],
    ['/worktrees/wt_01m7yn4dx8e00vgjrhgcrbqjcv', 'There is no worktree wt_01m7yn4dx8e00vgjrhgcrbqjcv.'],
    ['/machines/agt_01m7yn4dx8e00vgjrhgcrbqjcv', 'There is no machine agt_01m7yn4dx8e00vgjrhgcrbqjcv.'],
    ['/repositories/nonsense', 'There is no repository nonsense.'],
    ['/insights/states/nonsense', 'There is no lifecycle nonsense.'],
  ] as const) {
    await page.goto(path)
    await page.getByText(what).waitFor()
    await soon(async () => assert.equal(await page.getByRole('heading', { level: 1 }).innerText(), 'Not found'))
    assert.equal(await page.getByText(/^Loading/).count(), 0)
  }
  assert.deepEqual(await faults(page), [])
  await page.getByRole('link', { name: 'Open the inbox' }).click()
  await soon(() => assert.equal(whereIs(page), '/'))
  person.fine()
})

test('if the layout of a chart cannot be loaded, the page reports it, tries again by itself and draws the chart', async () => {
  const { page: other, end } = await signedIn(browser, stage)
  await other.route('**/charts/**', (route) => route.abort())
  await other.goto('/insights/states/run')
  await other.getByText('The server does not respond.').waitFor()
  assert.deepEqual(await faults(other), [])
  await other.unroute('**/charts/**')
  await other.locator('.chart svg').waitFor()
  await end()
})

test('the states of a machine are listed, and the machine is downloaded as SVG, JSON and Mermaid', async () => {
  await page.goto('/insights/states/run')
  await page.getByText('Machine', { exact: true }).click()
  await page.getByRole('rowheader', { name: /lifecycle\.ADMITTED/ }).waitFor()
  assert.deepEqual(await faults(page), [])
  for (const [button, file, says] of [
    ['SVG', 'run-3.svg', /<svg[\s\S]*ADMITTED/],
    ['JSON', 'run-3.json', /"ADMITTED": \{/],
    ['Mermaid', 'run-3.mmd', /^stateDiagram-v2[\s\S]*as lifecycle__ADMITTED/],
  ] as const) {
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: button }).click(),
    ])
    assert.equal(download.suggestedFilename(), file)
    assert.match(await readFile(await download.path(), 'utf8'), says)
  }
  person.fine()
})

test('a few letters in the palette lead to a view, or to an object that the search finds', async () => {
  await page.keyboard.press('Control+K')
  await page.getByRole('combobox', { name: 'Go to' }).waitFor()
  await page.keyboard.type('machi')
  await page.keyboard.press('Enter')
  await soon(() => assert.equal(whereIs(page), '/machines'))
  await page.getByRole('heading', { name: 'Machines' }).waitFor()
  await page.keyboard.press('Control+K')
  await page.getByRole('combobox', { name: 'Go to' }).waitFor()
  await page.keyboard.type('on second')
  await page.getByRole('option', { name: /on second Run/ }).waitFor()
  assert.deepEqual(await faults(page), [])
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'on second' }).waitFor()
  await soon(() => assert.match(whereIs(page), /^\/runs\/run_/))
  await page.keyboard.press('Control+K')
  await page.getByRole('combobox', { name: 'Go to' }).waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('combobox', { name: 'Go to' }).waitFor({ state: 'detached' })
  person.fine()
})

test('a queue shows which runs wait and why, is paused and resumed, and the limit of a run is changed', async () => {
  const [first, second] = [
    await waiting('queue'),
    await startRun(stage.ask, { worktreeId: worktrees.queue, title: 'second in line', command: 'true' }),
  ]
  await page.goto('/repositories')
  await page.getByRole('link', { name: 'queue', exact: true }).click()
  await soon(() => assert.equal(whereIs(page), `/worktrees/${worktrees.queue}`))
  const entry = page.getByRole('list', { name: 'Waiting' }).getByRole('listitem').filter({ hasText: 'second in line' })
  await entry.getByText('Waits for the end of on queue (limit 1)').waitFor()
  await page.getByRole('button', { name: 'Pause queue' }).click()
  await page.getByLabel('Reason').fill('a rebase')
  await page.getByRole('dialog').getByRole('button', { name: 'Pause queue' }).click()
  await page.getByText(/^Paused by .*: “a rebase”$/).waitFor()
  await entry.getByRole('button', { name: 'Change limit' }).click()
  await page.getByLabel('Maximum at once').fill('2')
  await page.keyboard.press('Enter')
  await entry.getByText('at most 2 at once').waitFor()
  await page.getByRole('button', { name: 'Resume queue' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Resume queue' }).click()
  await page.getByText('The queue is empty.').waitFor()
  await untilRun(stage.ask, second.id, ['ADMITTED'])
  assert.notEqual(first, second.id)
  person.fine()
})

test('the list of machines shows the load of each machine and links to the run of its agent', async () => {
  // A laptop’s screen has no room for the load. The page of the machine has it.
  await page.setViewportSize({ width: 1920, height: 1000 })
  await page.goto('/machines')
  const row = page.getByRole('listitem').filter({ hasText: 'bare' })
  await row.getByText('0.0 · 0 bytes free').waitFor()
  await page.setViewportSize({ width: 1280, height: 800 })
  await row.locator('.agent-work a').click()
  await soon(() => assert.match(whereIs(page), /^\/runs\/run_/))
  person.fine()
})

test('runs are filtered by kind, time and worktree, which the address has, and parent and child runs link to each other', async () => {
  const parent = await waiting('parent')
  const child = await waiting('child')
  await page.goto('/runs?kind=WORKFLOW')
  await page.getByText('No matches').waitFor()
  await page.getByLabel('Kind', { exact: true }).selectOption('SESSION')
  await page.getByRole('link', { name: 'on parent' }).waitFor()
  await page.getByLabel('Time', { exact: true }).selectOption('hour')
  const picker = page.getByLabel('Worktree')
  await picker.fill('parent')
  await page.locator(`datalist option[value="${worktrees.parent}"]`).waitFor({ state: 'attached' })
  // The text that the browser inserts when an entry of the list is chosen.
  await picker.fill(String(worktrees.parent))
  await page.getByRole('button', { name: 'Remove filter: parent' }).waitFor()
  await page.getByText('1 run', { exact: true }).waitFor()
  await soon(() => assert.equal(whereIs(page), `/runs?kind=SESSION&time=hour&worktree=${worktrees.parent}`))
  await page.getByRole('button', { name: 'Remove filter: parent' }).click()
  await page.getByRole('link', { name: 'on child' }).waitFor()

  // The cause is one click away.
  await sql`update actor set init = jsonb_set(init::jsonb, '{parentRunId}', to_jsonb(${parent}::text))::text where id = ${child}`
  await page.goto(`/runs/${parent}`)
  await page
    .getByRole('region', { name: /^Child runs/ })
    .getByRole('link', { name: 'on child' })
    .click()
  await soon(() => assert.equal(whereIs(page), `/runs/${child}`))
  await page.locator('.facts > div', { hasText: 'Parent run' }).getByRole('link').click()
  await soon(() => assert.equal(whereIs(page), `/runs/${parent}`))
  person.fine()
})

test('an actor that changes faster than the server responds is shown while it changes', async () => {
  const steps = [commandStep('true', 'true')]
  const workflowId = await makeWorkflow(stage.ask, { name: 'first draft', steps })
  await page.goto(`/actors/${workflowId}`)
  await page.getByText('Raw data').click()
  await page.route('**/api/graphql', async (route) => {
    await sleep(600)
    await route.continue()
  })
  const later = page.locator('.disclosure pre', { hasText: /SKIP/ }).waitFor()
  let wasShown = false
  later.then(
    () => {
      wasShown = true
    },
    () => {},
  )
  for (let draft = 1; draft <= 30 && !wasShown; draft++) {
    const input = { workflowId, name: `draft ${draft}`, steps, overlapPolicy: 'SKIP' }
    await mutate(stage.ask, 'saveWorkflowDraft', input, 'workflow { id }')
    await sleep(150)
  }
  await page.unrouteAll({ behavior: 'wait' })
  assert.ok(wasShown, 'nothing was shown until the changes had ended')
})

test('an operator action with an input can be sent only after its preview, which shows why it is not possible', async () => {
  const runId = await waiting('slot')
  await mutate(stage.ask, 'cancelRun', { runId }, 'run { id }')
  await untilRun(stage.ask, runId, ['CANCELED'])
  const queueId = String(worktrees.slot).replace('wt_', 'que_')
  await page.goto(`/actors/${queueId}`)
  await page.getByRole('button', { name: 'Show actions' }).click()
  const held = page.getByRole('button', { name: 'Release slot of a run or build that has ended' })
  await held.click()
  const dialog = page.getByRole('dialog')
  await soon(async () =>
    assert.equal(
      await dialog.getByRole('button', { name: 'Release slot of a run or build that has ended' }).isEnabled(),
      false,
      'the action has no preview yet',
    ),
  )
  await dialog.getByLabel('holderId').fill(`run_${'0'.repeat(26)}`)
  await dialog.getByText('holds no slot of this worktree').waitFor()
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  person.fine()
})

test('the slot and the reservation of an exclusive run that was force-ended are released from its worktree', async () => {
  const steps = [commandStep('step', 'true')]
  const workflowId = await makeWorkflow(stage.ask, { name: 'exclusive', steps, exclusiveWorktree: true })
  const { id } = await startWorkflow(stage.ask, workflowId, String(worktrees.reserved))
  const jobId = jobIdOf(stepIdOf(id, 0), 1)
  const offer = await agent.offers.first('the offer', (one) => one.jobId === jobId)
  await agent.say('acceptJob', { jobId, attempt: offer.attempt }, 'runToken')
  const release = page.getByRole('button', { name: /^Release slot/ })
  const dialog = page.getByRole('dialog')
  await page.goto(`/worktrees/${worktrees.reserved}`)
  await page.getByRole('list', { name: 'Active' }).getByRole('link').waitFor()
  await soon(async () => assert.equal(await release.count(), 0, 'the slot of a run that has not ended is not released'))

  const { sequence } = await readActor(stage.ask, id)
  await performAction(stage.ask, { id, action: { sendEvent: { event: 'terminate' } }, expectedSequence: sequence })
  const queueId = siblingId('worktreeQueue', String(worktrees.reserved))
  await until('the queue to have the end of the run', async () =>
    (await lastTransition(stage.ask, queueId))?.event === 'ended' ? true : undefined,
  )
  await release.click()
  await dialog.getByLabel('What is released').selectOption('The reservation only; the slot is still held')
  await dialog.getByRole('button', { name: 'Release slot' }).click()
  await dialog.waitFor({ state: 'detached' })
  assert.equal((await lastTransition(stage.ask, queueId))?.event, 'releaseReservation')
  await release.click()
  await soon(async () =>
    assert.equal(await dialog.getByLabel('What is released').count(), 0, 'there is no reservation any more'),
  )
  await dialog.getByLabel('Reason').fill('no process is left')
  await dialog.getByRole('button', { name: 'Release slot' }).click()
  await page.getByText('Nothing is active here.').waitFor()
  await dialog.waitFor({ state: 'detached' })
  const released = await lastTransition(stage.ask, queueId)
  assert.deepEqual([released?.event, released?.payload.reason], ['releaseSlot', 'no process is left'])
  person.fine()
})

test('no view has a fault of axe or of the content security policy, or scrolls sideways on a narrow screen', async () => {
  const id = await waiting('shown')
  await sql`update actor set unwatched = true where id = ${id}`
  const views = [
    ['/', 'Stuck'],
    ['/notifications', 'Mark all as read'],
    ['/machines', '1 machine, 1 connected'],
    ['/repositories', '/srv/bare'],
    [`/machines/${agent.agentId}`, 'Worktrees'],
    [`/worktrees/${worktrees.shown}`, 'The queue is empty.'],
    ['/runs', 'on shown'],
    [`/runs/${id}`, 'Waiting for output …'],
    ['/sessions', 'shown'],
    ['/plans', 'No plans yet'],
    ['/workflows/new', 'Name of the workflow'],
    ['/schedules', 'Schedules'],
    ['/commands', 'No commands yet'],
    ['/commands/new', 'Name'],
    ['/skills', 'No skills yet'],
    ['/skills/new', 'Name'],
    ['/stuck', 'Stranded: no timer, message or person can advance it.'],
    ['/insights', 'Runs started'],
    ['/insights/states', 'No actors yet'],
    ['/insights/states/run', 'Newest first'],
    ['/telemetry', 'No records yet'],
    [`/actors/${id}`, 'Operator actions'],
    ['/settings/integrations', 'No integrations yet'],
    ['/settings/devices', 'No test devices yet'],
    ['/settings/server-urls', 'Save server URLs'],
  ] as const
  for (const [path, says] of views) {
    await page.goto(path)
    await page.getByText(says).first().waitFor()
    if (/states\/|actors/.test(path)) await page.locator('.chart svg').waitFor()
    await assertFaultless(page, path)
  }
  await mutate(stage.ask, 'cancelRun', { runId: id }, 'run { id }')
  person.fine()
})

test('a lost connection is reported, and is restored by itself', async () => {
  await page.goto('/stuck')
  await page.getByText('Live', { exact: true }).waitFor()
  const id = await waiting('line')
  await sql.end()
  // It may be back before anybody could look for it afterwards.
  const lost = page.locator('.connection-banner').getByText('Connection lost.').waitFor()
  await stage.restart()
  await lost
  await page.getByText('Live', { exact: true }).waitFor({ timeout: 30_000 })
  sql = connect(await embeddedServer(stage.dataDir), { name: 'test', max: 1 })
  await sql`update actor set unwatched = true where id = ${id}`
  await page.getByRole('link', { name: id }).waitFor({ timeout: 20_000 })
})
