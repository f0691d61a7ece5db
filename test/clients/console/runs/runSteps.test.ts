/** A person follows the steps of a workflow's run in the console, pauses it, and decides an approval that the Action Center shows. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { atConsole } from '../../../kit/browser/atConsole.ts'
import { soon } from '../../../kit/browser/soon.ts'
import { commandStep } from '../../../kit/program/commandStep.ts'
import { startMachine } from '../../../kit/program/machine.ts'
import { makeWorkflow, startWorkflow, untilRun } from '../../../kit/program/runs.ts'

const { stage, person, page } = await atConsole()
const machine = await startMachine(stage, { branches: ['work'] })

test('an approval is found in the Action Center and decided on the page of its run', async () => {
  const workflowId = await makeWorkflow(stage.ask, {
    name: 'Release',
    steps: [
      commandStep('build', 'echo "building it"; echo "version=1.4" >> "$SIGNALBOX_OUTPUT"', { title: 'Build' }),
      { name: 'ask', title: 'Approve it', action: { approval: { message: 'Publish {{steps.build.version}}?' } } },
      commandStep('publish', 'true', { title: 'Publish' }),
    ],
  })
  const { id } = await startWorkflow(stage.ask, workflowId, machine.worktree('work'))
  await page.goto('/')
  const item = page.getByRole('listitem').filter({ hasText: 'Needs your approval' })
  await item.getByText('Publish 1.4?').waitFor()
  await item.getByRole('link', { name: 'Approve it' }).click()
  await page.waitForURL(`**/runs/${id}`)
  const step = (title: string) => page.locator('.run-steps > .rows > li').filter({ hasText: title })
  await step('Build').getByText('succeeded').waitFor()
  await step('Publish').last().getByText('pending').waitFor()
  await step('Build').getByRole('button', { name: 'Show log' }).click()
  await page.locator('.log').getByText('building it').waitFor()
  await page.getByRole('button', { name: 'Pause run' }).click()
  await untilRun(stage.ask, id, ['PAUSED'])
  await page.getByRole('button', { name: 'Resume run' }).click()
  await page.getByRole('button', { name: 'Pause run' }).waitFor()
  await page.getByRole('button', { name: 'Approve step' }).click()
  await page.getByLabel('Comment (optional)').fill('Checked.')
  await page.getByRole('dialog').getByRole('button', { name: 'Approve step' }).click()
  await untilRun(stage.ask, id, ['SUCCEEDED'])
  await step('Approve it').getByText('“Checked.”').waitFor()
  await step('Publish').last().getByText('succeeded').waitFor()
  await soon(async () => assert.equal(await page.getByRole('button', { name: 'Approve step' }).count(), 0))
  person.fine()
})
