/** In a real browser: each transition is sent to an inspector of another origin, until the user ends it. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { StatelyInspectionEvent } from '@statelyai/inspect'
import type { Page } from 'playwright-core'
import { atConsole } from '../../kit/browser/atConsole.ts'
import { assertFaultless, faults, scroll } from '../../kit/browser/faults.ts'
import { soon } from '../../kit/browser/soon.ts'
import { openStandIn } from '../../kit/browser/standIn.ts'
import { signedIn } from '../../kit/browser/visit.ts'
import { reportWorktree, startBareAgent } from '../../kit/program/bareAgent.ts'
import { mutate, startRun, untilRun } from '../../kit/program/runs.ts'
import { until } from '../../kit/program/until.ts'

const { stage, browser, person, page } = await atConsole()
const agent = await startBareAgent(stage, 'bare')
const worktrees = await reportWorktree(stage, agent, '/srv/bare', ['asked', 'live', 'left', 'closed', 'moved'])
const inspector = await openStandIn()
stage.onEnd(() => inspector.end())

async function waiting(branch: string): Promise<string> {
  const { id } = await startRun(stage.ask, { worktreeId: worktrees[branch], title: `on ${branch}`, command: 'true' })
  await untilRun(stage.ask, id, ['ADMITTED'])
  return id
}

const cancel = (runId: string) => mutate(stage.ask, 'cancelRun', { runId }, 'run { id }')

const button = (on = page) => on.getByRole('button', { name: 'Inspect with Stately' })
const host = () => new URL(inspector.url).host

/** By keyboard alone, from the button to the window. */
async function inspect(id: string, on = page): Promise<Page> {
  await on.goto(`/actors/${id}`)
  await on.locator('.chart svg').waitFor()
  await until('the button to be ready', async () => (await button(on).isEnabled()) || undefined)
  await button(on).focus()
  await on.keyboard.press('Enter')
  const address = on.getByRole('dialog').getByLabel('Address')
  await address.focus()
  await on.keyboard.press('ControlOrMeta+A')
  await on.keyboard.type(inspector.url)
  const [opened] = await Promise.all([on.context().waitForEvent('page'), on.keyboard.press('Enter')])
  await on.getByText(`${host()} up to transition`).waitFor()
  return opened
}

const heardBy = (opened: Page) => opened.evaluate('heard') as Promise<readonly StatelyInspectionEvent[]>
const statusesIn = (heard: readonly StatelyInspectionEvent[]) =>
  heard.flatMap((one) =>
    one.type === '@xstate.snapshot'
      ? [(one.snapshot as unknown as { value: { lifecycle: string } }).value.lifecycle]
      : [],
  )
const untilHeard = (opened: Page, status: string) =>
  until(`the inspector to receive ${status}`, async () => {
    const heard = await heardBy(opened)
    return statusesIn(heard).includes(status) ? heard : undefined
  })

test('a dialog states which data is sent to which origin, and without a confirmation none is sent', async () => {
  const id = await waiting('asked')
  const scripts: string[] = []
  page.on('response', async (response) => {
    if (response.url().includes('/assets/')) scripts.push(await response.text().catch(() => ''))
  })
  const loaded = () => scripts.some((text) => text.includes('xstateinspector'))
  await page.goto(`/actors/${id}`)
  await page.locator('.chart svg').waitFor()
  await until('the button to be ready', async () => (await button().isEnabled()) || undefined)
  assert.equal(loaded(), false, 'the inspector is not loaded before the user opens the dialog')
  await button().focus()
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Inspect with Stately' })
  await dialog.waitFor()
  await until('the program to be loaded', () => loaded() || undefined)
  await soon(async () =>
    assert.match(await dialog.innerText(), /sent to a page of stately\.ai, which opens in another window/),
  )
  assert.equal(await dialog.getByLabel('Address').inputValue(), 'https://stately.ai/inspect')
  await dialog.getByLabel('Address').fill('https://inspector.example/room')
  await soon(async () => assert.match(await dialog.innerText(), /sent to a page of inspector\.example/))
  await dialog.getByLabel('Address').fill('javascript:alert(1)')
  await page.keyboard.press('Enter')
  await dialog.getByText('begins with https:// or http://').waitFor()
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  assert.equal(page.context().pages().length, 1)
  assert.equal(await page.evaluate('document.activeElement.textContent'), 'Inspect with Stately', 'the focus is back')
  person.fine()
  await cancel(id)
  await untilRun(stage.ask, id, ['CANCELED'])
})

test('the dialog has no faults of axe and does not scroll sideways on a narrow screen', async () => {
  await page.goto(`/actors/${worktrees.asked?.replace('wt_', 'que_')}`)
  await button().click()
  await page.getByRole('dialog').waitFor()
  await assertFaultless(page)
  person.fine()
})

test('by keyboard, the inspector is opened and receives the actor, its history and its new transitions', async () => {
  const id = await waiting('live')
  const opened = await inspect(id)
  await untilHeard(opened, 'ADMITTED')
  assert.deepEqual([await faults(page), await scroll(page)], [[], 0])
  await cancel(id)
  const heard = await untilHeard(opened, 'CANCELED')

  const { actorHistory, machines } = await stage.ask<{
    actorHistory: { nodes: { event: string; at: string; to: unknown; change: object; machineHash: string }[] }
    machines: { hash: string; definition: string }[]
  }>(
    `query ($id: ID!) { machines(kind: RUN) { hash definition }
      actorHistory(id: $id, first: 100) { nodes { event at to change machineHash } } }`,
    { id },
  )
  const upTo = statusesIn(heard).length
  const steps = actorHistory.nodes.slice(0, upTo)
  const [actor, ...rest] = heard
  assert.ok(actor?.type === '@xstate.actor')
  assert.equal(actor.definition, machines.find(({ hash }) => hash === steps[0]?.machineHash)?.definition)
  assert.deepEqual(
    rest.map((one) => [
      one.type,
      one.sessionId,
      one.rootId,
      one.createdAt,
      one.type === '@xstate.event' ? one.event.type : one.type === '@xstate.snapshot' && one.snapshot,
    ]),
    steps.flatMap(({ event, at, to }, index) => {
      const common = [id, id, String(Date.parse(at))]
      const context = Object.assign({}, ...steps.slice(0, index + 1).map(({ change }) => change))
      const status = (to as { lifecycle: string }).lifecycle === 'CANCELED' ? 'done' : 'active'
      return [
        ['@xstate.event', ...common, event],
        ['@xstate.snapshot', ...common, { status, value: to, context }],
      ]
    }),
  )
  person.fine()

  await page.getByRole('button', { name: 'Disconnect inspector' }).click()
  await opened.waitForFunction("said.some(({ type }) => type === '@statelyai.disconnected')")
  await button().waitFor()
  await opened.close()
  person.fine()
})

test('the inspection ends when the user leaves the page', async () => {
  const id = await waiting('left')
  const opened = await inspect(id)
  await untilHeard(opened, 'ADMITTED')
  await page.getByRole('link', { name: 'Machines' }).click()
  await opened.waitForFunction("said.at(-1)?.type === '@statelyai.disconnected'")
  const before = (await heardBy(opened)).length
  await cancel(id)
  await untilRun(stage.ask, id, ['CANCELED'])
  await page.goBack()
  await page.locator('.chart .state.current', { hasText: 'CANCELED' }).waitFor()
  await button().waitFor()
  assert.equal((await heardBy(opened)).length, before)
  await opened.close()
  person.fine()
})

test('the inspection ends when its window is closed, and can be started again', async () => {
  const id = await waiting('closed')
  await (await inspect(id)).close()
  await page.getByText('The inspector window was closed.').waitFor()
  const opened = await inspect(id)
  await untilHeard(opened, 'ADMITTED')
  await opened.reload()
  // An inspector that was reloaded receives everything again.
  await untilHeard(opened, 'ADMITTED')
  await opened.close()
  await page.getByText('The inspector window was closed.').waitFor()
  person.fine()
  await cancel(id)
})

test('a page of another origin that opens in the inspector window receives nothing', async (t) => {
  const other = await openStandIn()
  t.after(other.end)
  const guest = await signedIn(browser, stage)
  t.after(guest.end)
  const id = await waiting('moved')
  const opened = await inspect(id, guest.page)
  await untilHeard(opened, 'ADMITTED')
  await opened.goto(other.url)
  await opened.waitForFunction('heard')
  const heldBack = opened.waitForEvent('console', (said) => /target origin provided/.test(said.text()))
  await cancel(id)
  await heldBack
  assert.deepEqual(await opened.evaluate('said'), [])
})

test('a window that the browser does not open is reported', async () => {
  const guest = await signedIn(browser, stage)
  await guest.page.addInitScript('window.open = () => null')
  await guest.page.goto(`/actors/${worktrees.left?.replace('wt_', 'que_')}`)
  await guest.page.locator('.chart svg').waitFor()
  await button(guest.page).click()
  await guest.page.getByRole('dialog').getByRole('button', { name: 'Open inspector' }).click()
  await guest.page.getByText('The browser did not open the window.').waitFor()
  guest.fine()
  await guest.end()
})
