/**
 * A whole day in the console, once with a mouse, once with a finger on a phone, and once with a keyboard alone: a run by prompt with a
 * question, its changes, a follow-up, a plan, a workflow with a schedule, and a run that waits for a paused queue.
 */
import { describe, test } from 'node:test'
import type { Locator } from 'playwright-core'
import { atConsole } from '../../kit/browser/atConsole.ts'
import { ways } from '../../kit/browser/hands.ts'
import { signedIn, whereIs } from '../../kit/browser/visit.ts'
import { startMachine } from '../../kit/program/machine.ts'
import { untilRun } from '../../kit/program/runs.ts'

const { stage, browser } = await atConsole()
await startMachine(stage, { name: 'builder', branches: Object.keys(ways) })

for (const [way, { context, hand: handOf }] of Object.entries(ways))
  describe(`by ${way}`, async () => {
    const person = await signedIn(browser, stage, context)
    const { page } = person
    stage.onEnd(() => person.end())
    const hand = handOf(page)
    const field = (name: string | RegExp, within: Locator | typeof page = page) => within.getByRole('textbox', { name })
    const button = (name: string, within: Locator | typeof page = page) =>
      within.getByRole('button', { name, exact: true })
    const link = (name: string | RegExp, within: Locator | typeof page = page) => within.getByRole('link', { name })
    const dialog = page.getByRole('dialog')
    const newRun = page.locator('.new-run-link')
    const tabs = page.getByRole('navigation', { name: 'Parts of the run' })
    const idInAddress = () => whereIs(page).split('/')[2] ?? ''
    const untilRunPage = async (before = '') => {
      await page.waitForURL(
        ({ pathname }) => /^\/runs\/run_/.test(pathname) && !pathname.startsWith(`/runs/${before || '!'}`),
      )
      return idInAddress()
    }
    const worktree = page.getByRole('radio', { name: new RegExp(`^${way} `) }).first()
    const worktreeInDialog = dialog.getByRole('radio', { name: new RegExp(`^${way} `) }).first()
    let planRun = ''

    test('a run is started by a prompt, and its question is answered in place', async () => {
      await page.goto('/')
      await hand.activate(newRun)
      await hand.write(field('What should the agent do?'), `permission edit\nwrite ${way}.txt\nsay Finished.`)
      await hand.check(worktree)
      await hand.activate(button('Start run'))
      await untilRunPage()
      const question = page.locator('.question')
      await hand.activate(question.getByRole('button').first())
      await page.locator('.transcript').getByText('Finished.').waitFor()
      person.fine()
    })

    test('its changes are read, and a follow-up continues it', async () => {
      const before = idInAddress()
      await untilRun(stage.ask, before, ['SUCCEEDED'])
      await hand.activate(link('Changes', tabs))
      await page.getByRole('region', { name: `Changes to ${way}.txt` }).waitFor()
      await hand.activate(link('Transcript', tabs))
      await hand.write(field('Follow-up'), 'say The second turn.')
      await hand.activate(button('Send follow-up'))
      const next = await untilRunPage(before)
      await page.locator('.transcript').getByText('The second turn.').waitFor()
      await untilRun(stage.ask, next, ['SUCCEEDED'])
      person.fine()
    })

    test('a plan is written, edited and executed', async () => {
      const before = idInAddress()
      await hand.activate(newRun)
      await hand.write(field('What should the agent do?'), 'say 1. Find the cause.')
      await hand.check(worktree)
      await hand.activate(page.getByText('More options'))
      await hand.select(page.getByRole('combobox', { name: 'Kind of run' }), 'Plan: write a plan, change nothing')
      await hand.activate(button('Start run'))
      planRun = await untilRunPage(before)
      await untilRun(stage.ask, planRun, ['SUCCEEDED'])
      await hand.activate(link('say 1. Find the cause.', page.locator('.facts')))
      await hand.activate(button('Edit plan'))
      await hand.write(field('', dialog), 'say 2. Fix it.')
      await hand.activate(button('Save plan', dialog))
      await page.locator('.plan-text').getByText('2. Fix it.').waitFor()
      await hand.activate(button('Execute plan'))
      await hand.check(worktreeInDialog)
      await hand.activate(button('Execute plan', dialog))
      await untilRun(stage.ask, await untilRunPage(planRun), ['SUCCEEDED'])
      person.fine()
    })

    test('a workflow is built, scheduled, started and watched', async () => {
      const name = `Check by ${way}`
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
      await hand.check(worktreeInDialog)
      await hand.activate(button('Save schedule', dialog))
      await page.getByRole('listitem').filter({ hasText: 'every night' }).first().waitFor()
      await hand.activate(button('Start workflow'))
      await hand.check(worktreeInDialog)
      await hand.activate(button('Start workflow', dialog))
      const id = await untilRunPage()
      await page.getByRole('region', { name: 'Graph of the steps' }).getByText('succeeded').first().waitFor()
      await untilRun(stage.ask, id, ['SUCCEEDED'])
      person.fine()
    })

    test('a run that waits for a paused queue is freed', async () => {
      const { worktrees } = await stage.ask<{ worktrees: { nodes: { id: string; branch: string }[] } }>(
        '{ worktrees(first: 10) { nodes { id branch } } }',
      )
      const worktreeId = worktrees.nodes.find(({ branch }) => branch === way)?.id ?? ''
      await page.goto(`/worktrees/${worktreeId}`)
      await hand.activate(button('Pause queue'))
      await hand.write(field(/^Reason/, dialog), 'maintenance')
      await hand.activate(button('Pause queue', dialog))
      await button('Resume queue').waitFor()
      await hand.activate(newRun)
      await hand.write(field('What should the agent do?'), 'say Freed.')
      await hand.check(worktree)
      await hand.activate(button('Start run'))
      const id = await untilRunPage()
      await page.locator('.run-panel').getByText('Queued').first().waitFor()
      await page.getByText('maintenance').first().waitFor()
      await hand.activate(link(way, page.locator('.facts')))
      await hand.activate(button('Resume queue'))
      await hand.activate(button('Resume queue', dialog))
      await untilRun(stage.ask, id, ['SUCCEEDED'])
      person.fine()
    })
  })
