/** A person follows a run, answers its question, reads what it changed, and continues its conversation, all on the page of the run. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { atConsole } from '../../../kit/browser/atConsole.ts'
import { soon } from '../../../kit/browser/soon.ts'
import { whereIs } from '../../../kit/browser/visit.ts'
import { startMachine } from '../../../kit/program/machine.ts'
import { startRun, untilRun } from '../../../kit/program/runs.ts'

const { stage, person, page } = await atConsole()
const machine = await startMachine(stage, { name: 'builder', branches: ['one'] })

const button = (name: string) => page.getByRole('button', { name, exact: true })
const panel = page.getByRole('complementary', { name: 'State of the run' })
const transcript = page.getByRole('region', { name: 'Transcript' })

async function openTab(name: string): Promise<void> {
  await page.getByRole('navigation', { name: 'Parts of the run' }).getByRole('link', { name }).click()
}

const { id } = await startRun(stage.ask, {
  worktreeId: machine.worktree('one'),
  title: 'Fix the rounding',
  prompt: 'think\nplan\nmarkdown\nwork\nusage 1200 340 10\npermission edit\nsay All done.',
})

test('the transcript shows Markdown as elements, and neither loads images nor executes scripts from it', async () => {
  await page.goto(`/runs/${id}`)
  await transcript.getByText('What I found').waitFor()
  await transcript.locator('strong').getByText('cause').waitFor()
  await transcript.getByRole('cell', { name: 'main.c' }).waitFor()
  await transcript.locator('[data-scope="string"]').getByText('forty-two').waitFor()
  const manual = transcript.getByRole('link', { name: 'the manual' })
  await soon(async () => assert.equal(await manual.getAttribute('rel'), 'noopener noreferrer'))
  assert.deepEqual(await transcript.locator('img, [href^="javascript"]').all(), [])
  await transcript.getByText('<img src=x onerror').waitFor()
  await transcript.getByRole('link', { name: 'picture' }).waitFor()
  assert.notEqual(await page.title(), '1')
})

test('a completed tool call is folded, and opens with its command, its files, its changes and its output', async () => {
  const card = transcript.locator('.tool-call').filter({ hasText: 'Edit main.c' })
  await card.getByText('completed').waitFor()
  await soon(async () => assert.equal(await card.getAttribute('open'), null))
  await card.locator('summary').click()
  await card.getByText('rm -rf build && make all').waitFor()
  await card.getByText('/srv/app/main.c:3').waitFor()
  await card.getByRole('group', { name: 'Changes to /srv/app/main.c' }).getByText('return 0;').waitFor()
  await card.getByText('"saved": true').waitFor()
})

test('until a run ends, its changes are those of its tool calls', async () => {
  await openTab('Changes')
  await page.waitForURL(`**/runs/${id}/changes`)
  await page.getByRole('group', { name: 'Changes to /srv/app/main.c' }).first().waitFor()
  await openTab('Transcript')
})

test('a question is answered in place, and the transcript shows the answer and who gave it', async () => {
  await page.getByRole('heading', { name: 'The agent asks' }).waitFor()
  await transcript.getByText('Not answered yet.').waitFor()
  await page.locator('.question').getByRole('button', { name: 'Allow' }).click()
  await transcript.getByText('Answer: Allow').waitFor()
  await transcript.getByText('by Ada').waitFor()
  await transcript.getByText('All done.').waitFor()
  await untilRun(stage.ask, id, ['SUCCEEDED'])
  await panel.getByText('succeeded').waitFor()
  await panel.getByText('1.2K in, 340 out').waitFor()
  await panel.getByText('$0.25').waitFor()
  await panel.getByText('builder').waitFor()
  person.fine()
})

test('the changes of an ended run are files with their lines, in one column or side by side', async () => {
  await openTab('Changes')
  await page.getByText('1 changed file').waitFor()
  const lines = page.getByRole('region', { name: 'Changes to main.c' })
  await lines.getByText('return 0;').waitFor()
  await soon(async () =>
    assert.equal(await lines.locator('tbody tr').first().locator('td').getAttribute('colspan'), '3'),
  )
  await page.getByRole('checkbox', { name: 'Side by side' }).check()
  await soon(async () =>
    assert.equal(await lines.locator('tbody tr').first().locator('td').getAttribute('colspan'), '4'),
  )
  person.fine()
})

test('each tab has its own address, and the selected moment is kept on the next tab', async () => {
  await openTab('Timeline')
  await page.getByRole('list', { name: 'Timeline' }).getByText('Waiting for people').first().waitFor()
  await openTab('History')
  // The moment of the question. The transition after the answer may be stored later than the text that follows it.
  await page.locator('.journal button', { hasText: '→ WAITING_FOR_INPUT' }).first().click()
  await page.waitForURL(/\?at=\d+$/)
  await openTab('Transcript')
  await page.waitForURL(/\/transcript\?at=\d+$/)
  await transcript.getByText('What I found').waitFor()
  // The text is of a later moment. The page needs the history to find that out.
  await transcript.getByText('All done.').waitFor({ state: 'detached' })
  await button('Latest').click()
  await transcript.getByText('All done.').waitFor()
  await openTab('Statechart')
  await page.locator('.chart svg').waitFor()
  await page.goBack()
  await soon(() => assert.equal(whereIs(page), `/runs/${id}/transcript`))
  person.fine()
})

test('a file that is pasted into a follow-up is sent with it', async () => {
  const field = page.getByRole('textbox', { name: 'Follow-up' })
  await field.fill('attached')
  await field.evaluate((element) => {
    const clipboardData = new DataTransfer()
    clipboardData.items.add(new File(['# Notes'], 'notes.md', { type: 'text/markdown' }))
    element.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
  })
  await page.getByRole('list', { name: 'Files of the run' }).getByText('7 bytes').waitFor()
  await button('Send follow-up').click()
  await page.waitForURL((url) => /^\/runs\/run_\w+$/.test(url.pathname) && !url.pathname.endsWith(id))
  await transcript.getByText('[text # Notes]').waitFor()
  await panel.getByRole('link', { name: 'notes.md' }).waitFor()
  person.fine()
})

test('the transcript follows its end, and has a button to return there after the reader has scrolled up', async () => {
  const { id: longId } = await startRun(stage.ask, {
    worktreeId: machine.worktree('main'),
    title: 'Many steps',
    prompt: 'many 300\nsay The end.',
  })
  await page.goto(`/runs/${longId}`)
  await transcript.getByText('The end.').waitFor()
  const isAtEnd = () =>
    transcript.evaluate((box) => box.scrollTop + box.clientHeight >= box.scrollHeight - 12 && box.scrollTop > 0)
  assert.ok(await isAtEnd())
  await soon(async () => assert.equal(await button('Jump to latest').count(), 0))
  assert.ok((await transcript.locator('.entry').count()) < 250, 'entries far from the visible ones are not on the page')
  await transcript.hover()
  await page.mouse.wheel(0, -100_000)
  await transcript.getByText('Step 1', { exact: true }).waitFor()
  await button('Jump to latest').click()
  await transcript.getByText('The end.').waitFor()
  assert.ok(await isAtEnd())
  person.fine()
})

test('a run whose coding CLI wrote nothing and used no tool has a notice', async () => {
  const { id } = await startRun(stage.ask, { worktreeId: machine.worktree('one'), prompt: 'Please begin.' })
  await page.goto(`/runs/${id}`)
  await page.locator('.run-panel').getByText('Succeeded').first().waitFor()
  const notice = page.locator('.transcript .notice')
  await notice.getByText('The coding CLI wrote nothing and used no tool.').waitFor()
  await notice.getByRole('link', { name: 'builder' }).click()
  await page.getByRole('table', { name: 'Coding CLIs' }).waitFor()
  person.fine()
})

test('the page of a plan run offers to execute a plan that has a text, without a reload, and no other plan', async () => {
  const plan = (prompt: string) =>
    startRun(stage.ask, { kind: 'PLAN', worktreeId: machine.worktree('one'), title: prompt, prompt })
  const written = await plan('say 1. Find the cause.')
  await page.goto(`/runs/${written.id}`)
  await button('Execute plan').waitFor()
  const mute = await plan('Please begin.')
  await page.goto(`/runs/${mute.id}`)
  await panel.getByText('Succeeded').first().waitFor()
  await button('Retry run').waitFor()
  assert.equal(await button('Execute plan').count(), 0)
  person.fine()
})

test('an active run is canceled from its page', async () => {
  const { id: hanging } = await startRun(stage.ask, {
    worktreeId: machine.worktree('main'),
    title: 'Hang',
    prompt: 'hang',
  })
  await page.goto(`/runs/${hanging}`)
  await panel.getByText('Running', { exact: true }).first().waitFor()
  await button('Cancel run').click()
  await page.getByRole('dialog').getByLabel('Reason').fill('It was a test.')
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel run' }).click()
  await untilRun(stage.ask, hanging, ['CANCELED'])
  await panel.getByText('canceled').first().waitFor()
  await button('Retry run').waitFor()
  person.fine()
})
