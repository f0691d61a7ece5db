/** A person makes a workflow whose step builds a configuration, starts it, and goes from the run to the build and back. */
import { before, test } from 'node:test'
import { atConsole } from '../../../kit/browser/atConsole.ts'
import { assertFaultless } from '../../../kit/browser/faults.ts'
import { type Machine, startMachine } from '../../../kit/program/machine.ts'
import { createConfiguration, withRemote } from '../../../kit/program/objects/builds.ts'

const { stage, person, page } = await atConsole()
let machine: Machine

before(async () => {
  machine = await startMachine(stage, { hasTestClis: false })
  const { repositoryId } = await withRemote(stage, machine)
  await createConfiguration(stage.ask, { repositoryId, name: 'nightly app' })
})

const button = (name: string) => page.getByRole('button', { name, exact: true })
const step = page.getByRole('group', { name: 'Step 1', exact: true })

test('a workflow with a build is created in the form and published', async () => {
  await page.goto('/workflows/new')
  await page.getByRole('textbox', { name: 'Name of the workflow', exact: true }).fill('Every night')
  await step.getByRole('textbox', { name: 'Step name' }).fill('app')
  await step.getByRole('combobox', { name: 'Kind of step' }).selectOption('Build')
  await step.getByRole('combobox', { name: 'Configuration' }).selectOption('nightly app · acme/shop')
  await step.getByRole('textbox', { name: 'Commit' }).fill('no{{inputs.branch}}')
  await button('Save draft').click()
  await page.getByText(/names an input that is not declared/).waitFor()
  await step.getByRole('textbox', { name: 'Commit' }).fill('main')
  await assertFaultless(page)
  await button('Save and publish').click()
  await page.getByRole('heading', { name: 'Every night', level: 1 }).waitFor()
  await page.locator('.lead').getByText('Version 1').waitFor()
})

test('the run of the workflow links to the build and shows its status, and the build links to the run', async () => {
  await button('Start workflow').click()
  await page.getByRole('dialog').getByLabel(/main/).first().check()
  await page.getByRole('dialog').getByRole('button', { name: 'Start workflow' }).click()
  await page.waitForURL('**/runs/run_*')
  await page.locator('.run-steps').getByRole('link', { name: 'Build 1 · Succeeded' }).waitFor()
  await assertFaultless(page)
  await page.locator('.run-steps').getByRole('link', { name: 'Build 1 · Succeeded' }).click()
  await page.getByRole('heading', { name: 'nightly app 1' }).waitFor()
  await page
    .locator('dl.facts')
    .first()
    .getByText(/^Workflow:/)
    .waitFor()
  await assertFaultless(page)
  await page.locator('dl.facts').first().getByRole('link', { name: 'app', exact: true }).click()
  await page.waitForURL('**/runs/run_*')
  await page.locator('.run-steps').waitFor()
  person.fine()
})
