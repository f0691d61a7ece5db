/** The steps of a whole day at the console, for a person with any hand. Each step ends when the page shows that it worked. */
import type { Locator } from 'playwright-core'
import { untilRun } from '../program/runs.ts'
import type { Ask } from '../program/testProgram.ts'
import { type wayNames, ways } from './hands.ts'
import { type Visit, whereIs } from './visit.ts'

interface Worker {
  readonly person: Visit
  readonly way: (typeof wayNames)[number]
  /** The branch of the worktree in which they work. */
  readonly branch: string
  /** Waits for the end of a run. */
  readonly ask: Ask
}

export function atWork({ person, way, branch, ask }: Worker) {
  const { page } = person
  const hand = ways[way].hand(page)
  const field = (name: string | RegExp, within: Locator | typeof page = page) => within.getByRole('textbox', { name })
  const button = (name: string, within: Locator | typeof page = page) =>
    within.getByRole('button', { name, exact: true })
  const link = (name: string | RegExp, within: Locator | typeof page = page) => within.getByRole('link', { name })
  const dialog = page.getByRole('dialog')
  const tabs = page.getByRole('navigation', { name: 'Parts of the run' })
  const worktreeOf = (within: Locator | typeof page) =>
    within.getByRole('radio', { name: new RegExp(`^${branch} `) }).first()
  const succeeded = async (id: string) => void (await untilRun(ask, id, ['SUCCEEDED']))

  /** Waits for the page of another run. @returns its ID */
  async function untilRunPage(before = 'none'): Promise<string> {
    await page.waitForURL(({ pathname }) => /^\/runs\/run_/.test(pathname) && !pathname.includes(before))
    return whereIs(page).split('/')[2] ?? ''
  }

  async function startRun(prompt: string, kind?: string): Promise<string> {
    const [, part, before] = whereIs(page).split('/')
    await hand.activate(page.locator('.new-run-link'))
    await hand.write(field('What should the agent do?'), prompt)
    await hand.check(worktreeOf(page))
    if (kind !== undefined) {
      await hand.activate(page.getByText('More options'))
      await hand.select(page.getByRole('combobox', { name: 'Kind of run' }), kind)
    }
    await hand.activate(button('Start run'))
    return await untilRunPage(part === 'runs' ? before : undefined)
  }

  const said = (text: string) => page.locator('.transcript').getByText(text).waitFor()

  return {
    hand,
    field,
    button,
    link,
    dialog,

    /** Starts a run that asks before it edits, and allows that. */
    async runWithQuestion(prompt: string, answer: string): Promise<void> {
      const id = await startRun(prompt)
      await page.getByRole('heading', { name: 'The agent asks' }).waitFor()
      await hand.activate(page.locator('.question').getByRole('button').first())
      await said(answer)
      await succeeded(id)
      person.fine()
    },

    /** On the page of a run. @param text what the file has now */
    async readChanges(file: string, text: string): Promise<void> {
      await hand.activate(link('Changes', tabs))
      await page
        .getByRole('region', { name: `Changes to ${file}` })
        .getByText(text)
        .waitFor()
      await hand.activate(link('Transcript', tabs))
      person.fine()
    },

    /** On the page of a run. */
    async followUp(prompt: string, answer: string): Promise<void> {
      const before = whereIs(page).split('/')[2]
      await hand.write(field('Follow-up'), prompt)
      await hand.activate(button('Send follow-up'))
      const id = await untilRunPage(before)
      await said(answer)
      await succeeded(id)
      person.fine()
    },

    /** Lets the agent write a plan, and opens it. */
    async writePlan(prompt: string): Promise<void> {
      const id = await startRun(prompt, 'Plan: write a plan, change nothing')
      await succeeded(id)
      await hand.activate(link(prompt, page.locator('.facts')))
      await button('Edit plan').waitFor()
      person.fine()
    },

    /** On the page of a plan: replaces its text. */
    async editPlan(text: string): Promise<void> {
      await hand.activate(button('Edit plan'))
      await hand.write(field('', dialog), text)
      await hand.activate(button('Save plan', dialog))
      await page.locator('.plan-text').getByText(text).waitFor()
      person.fine()
    },

    /** On the page of a plan. */
    async executePlan(): Promise<void> {
      await hand.activate(button('Execute plan'))
      await hand.check(worktreeOf(dialog))
      await hand.activate(button('Execute plan', dialog))
      await succeeded(await untilRunPage())
      person.fine()
    },

    /** Builds a workflow of one command, schedules it for every night, starts it now and watches it. */
    async workflow(name: string): Promise<void> {
      await hand.activate(link('Workflows', page.getByRole('navigation', { name: 'Main' })))
      await hand.activate(link('New workflow').first())
      await hand.write(field('Name of the workflow'), name)
      const step = page.getByRole('group', { name: 'Step 1', exact: true })
      await hand.write(field('Step name', step), 'check')
      await hand.write(field('Shell command', step), 'true')
      await hand.activate(button('Save and publish'))
      await page.getByRole('heading', { name, level: 1 }).waitFor()
      await hand.activate(button('Add schedule'))
      await hand.write(field('Name', dialog), 'every night')
      await hand.write(field('Times', dialog), '30 2 * * *')
      await dialog.getByRole('list', { name: 'Next times' }).getByRole('listitem').nth(4).waitFor()
      await hand.check(worktreeOf(dialog))
      await hand.activate(button('Save schedule', dialog))
      await page.getByRole('listitem').filter({ hasText: 'every night' }).first().waitFor()
      await hand.activate(button('Start workflow'))
      await hand.check(worktreeOf(dialog))
      await hand.activate(button('Start workflow', dialog))
      const id = await untilRunPage()
      await page.getByRole('region', { name: 'Graph of the steps' }).getByText('succeeded').first().waitFor()
      await succeeded(id)
      person.fine()
    },

    /** Pauses the queue of the worktree, starts a run that waits for it, finds out why, resumes the queue, and finds who did. */
    async freeWaitingRun(worktreeId: string, prompt: string): Promise<void> {
      await page.goto(`/worktrees/${worktreeId}`)
      await hand.activate(button('Pause queue'))
      await hand.write(field(/^Reason/, dialog), 'maintenance')
      await hand.activate(button('Pause queue', dialog))
      await button('Resume queue').waitFor()
      const id = await startRun(prompt)
      await page.locator('.run-panel').getByText('Queued').first().waitFor()
      await page.getByText('maintenance').first().waitFor()
      await hand.activate(button('Resume queue', page.locator('.run-panel')))
      await hand.activate(button('Resume queue', dialog))
      await succeeded(id)
      await hand.activate(link(branch, page.locator('.facts')))
      await hand.activate(link('History'))
      await hand.activate(page.locator('.journal button', { hasText: 'resume' }).first())
      await page.locator('.transition-details').getByRole('link', { name: /^Ada/ }).waitFor()
      person.fine()
    },
  }
}
