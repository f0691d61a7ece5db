/** A person creates a build configuration, builds with it on a real machine, reads the log, cancels, and builds again; by keyboard and mouse. */
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { before, test } from 'node:test'
import { atConsole } from '../../../kit/browser/atConsole.ts'
import { assertFaultless } from '../../../kit/browser/faults.ts'
import { soon } from '../../../kit/browser/soon.ts'
import { whereIs } from '../../../kit/browser/visit.ts'
import { type Machine, startMachine } from '../../../kit/program/machine.ts'
import { withRemote } from '../../../kit/program/objects/builds.ts'
import { mutate } from '../../../kit/program/runs.ts'

const { stage, person, page } = await atConsole()
let machine: Machine

before(async () => {
  machine = await startMachine(stage, { hasTestClis: false })
  await withRemote(stage, machine)
})

const button = (name: string) => page.getByRole('button', { name, exact: true })
const dialog = page.getByRole('dialog')
const facts = page.locator('dl.facts').first()
const log = page.locator('.log-lines')

test('the empty page of builds leads to the form of a new configuration', async () => {
  await page.goto('/builds')
  await page.getByText('No builds yet').waitFor()
  await page.getByRole('main').getByRole('link', { name: 'Configurations' }).first().click()
  await page.getByText('No build configurations yet').waitFor()
  await page.getByRole('link', { name: 'New configuration' }).first().click()
  await page.getByRole('heading', { name: 'New configuration' }).waitFor()
})

test('an invalid artifact path is reported at its field, and no configuration is created', async () => {
  await page.getByLabel('acme/shop').first().check()
  await page.getByLabel('Name', { exact: true }).fill('release')
  await page.getByLabel('Name of step 1', { exact: true }).fill('compile')
  await page.getByLabel('Command of step 1', { exact: true }).fill('echo compiled; echo "$CHANNEL"')
  await page.getByLabel('Artifacts', { exact: true }).fill('/absolute/path')
  await button('Create configuration').click()
  await page.getByText(/must be a path in the checkout/).waitFor()
  await page.getByLabel('Artifacts', { exact: true }).fill('')
  const { buildConfigurations } = await stage.ask<{ buildConfigurations: { totalCount: number } }>(
    '{ buildConfigurations { totalCount } }',
  )
  assert.equal(buildConfigurations.totalCount, 0)
})

test('a configuration is created with its steps and variables', async () => {
  await button('Add variable').click()
  await page.locator('[name="environment.0.name"]').fill('CHANNEL')
  await page.locator('[name="environment.0.value"]').fill('stable')
  await button('Add step').click()
  await page.getByLabel('Name of step 2', { exact: true }).fill('package')
  await page.getByLabel('Command of step 2', { exact: true }).fill('echo packaged')
  await button('Create configuration').click()
  await page.getByRole('heading', { name: 'release' }).waitFor()
  await page.getByText('echo packaged').waitFor()
  await page.getByText('version 1').waitFor()
  await assertFaultless(page)
})

test('a build is started on a machine, and its log is followed to its end', async () => {
  await button('Start build').click()
  await dialog.getByLabel(/main/).first().check()
  await dialog.getByRole('button', { name: 'Start build' }).click()
  await page.waitForURL('**/builds/bld_*')
  await page.getByRole('heading', { name: 'release 1' }).waitFor()
  await log.getByText('compiled').waitFor()
  await log.getByText('stable').waitFor()
  await log.getByText('packaged').waitFor()
  await button('Rebuild').waitFor()
  await facts.getByText(/^[0-9a-f]{40}$/).waitFor()
  await facts.getByRole('link', { name: 'acme/shop' }).waitFor()
  await soon(async () =>
    assert.match((await page.locator('.state-strip').innerText()).replaceAll('\n', ' '), /Succeeded/),
  )
  await assertFaultless(page)
  person.fine()
})

test('a rebuild is a new build with a link to the first one', async () => {
  const first = whereIs(page)
  await button('Rebuild').click()
  await page.waitForURL((url) => url.pathname !== first)
  await page.getByRole('heading', { name: 'release 2' }).waitFor()
  await facts.getByRole('link', { name: 'Build 1' }).waitFor()
  await log.getByText('packaged').waitFor()
})

test('an edit is a new version, and a build of it is canceled with a reason', async () => {
  await page.locator('.crumbs a').last().click()
  await page.getByRole('link', { name: 'Edit configuration' }).click()
  await page.getByLabel('Command of step 1', { exact: true }).fill('echo begun; sleep 600')
  await button('Save configuration').click()
  await page.getByText('version 2').waitFor()
  await button('Start build').click()
  await dialog.getByLabel(/main/).first().check()
  await dialog.getByRole('button', { name: 'Start build' }).click()
  await page.getByRole('heading', { name: 'release 3' }).waitFor()
  await log.getByText('begun').waitFor()
  await page.getByText('Building', { exact: true }).waitFor()
  await button('Cancel build').click()
  await dialog.getByLabel(/Reason/).fill('Not needed.')
  await dialog.getByRole('button', { name: 'Cancel build' }).click()
  await page.getByText('Not needed.').waitFor()
  await button('Rebuild').waitFor()
})

test('builds of the files of a worktree wait for each other, and one is canceled in the queue', async () => {
  const startOnFiles = async (heading: string) => {
    await page.goto('/build-configurations')
    await page.getByRole('link', { name: 'release' }).first().click()
    await button('Start build').click()
    await dialog.getByLabel(/main/).first().check()
    await dialog.getByLabel('Source', { exact: true }).selectOption('WORKTREE')
    await dialog.getByRole('button', { name: 'Start build' }).click()
    await page.getByRole('heading', { name: heading }).waitFor()
  }
  await startOnFiles('release 4')
  await facts.getByText('The files of the worktree as they are').waitFor()
  await log.getByText('begun').waitFor()
  await startOnFiles('release 5')
  await page.getByText('Waiting for the worktree').waitFor()
  await page.getByText('Waits for the end of release 4 (limit 1)').waitFor()
  await page.getByRole('link', { name: 'release 4', exact: true }).waitFor()
  await assertFaultless(page)
  await facts.getByRole('link', { name: 'main' }).click()
  const waiting = page.getByRole('list', { name: 'Waiting' })
  await waiting.getByText('Waits for the end of release 4 (limit 1)').waitFor()
  await assertFaultless(page)
  await button('Cancel build: release 5').click()
  await dialog.getByRole('button', { name: 'Cancel build' }).click()
  await page.getByText('The queue is empty.').waitFor()
  await page.getByRole('list', { name: 'Active' }).getByRole('link', { name: 'release 4' }).click()
  await button('Cancel build').click()
  await dialog.getByRole('button', { name: 'Cancel build' }).click()
  await button('Rebuild').waitFor()
  person.fine()
})

test('a file that a build keeps is downloaded, pinned and deleted', async () => {
  await page.goto('/build-configurations')
  await page.getByRole('link', { name: 'release' }).click()
  await page.getByRole('link', { name: 'Edit configuration' }).click()
  await page.getByLabel('Command of step 1', { exact: true }).fill('mkdir dist; printf 0123456789 > dist/digits.txt')
  await page.getByLabel('Artifacts', { exact: true }).fill('dist/**')
  await button('Save configuration').click()
  await page.getByText('version 3').waitFor()
  await button('Start build').click()
  await dialog.getByLabel(/main/).first().check()
  await dialog.getByRole('button', { name: 'Start build' }).click()
  const row = page.getByRole('row', { name: /dist\/digits\.txt/ })
  await row.getByText('Stored').waitFor()
  await assertFaultless(page)
  const downloading = page.waitForEvent('download')
  await button('Download: dist/digits.txt').click()
  const download = await downloading
  assert.equal(download.suggestedFilename(), 'digits.txt')
  assert.equal(await readFile(await download.path(), 'utf8'), '0123456789')
  await button('Pin: dist/digits.txt').click()
  await row.getByText('Pinned').waitFor()
  await button('Unpin: dist/digits.txt').click()
  await row.getByText('Stored').waitFor()
  await button('Delete: dist/digits.txt').click()
  await dialog.getByRole('button', { name: 'Delete' }).click()
  await row.getByText('Deleted').waitFor()
  await soon(async () => assert.equal(await button('Download: dist/digits.txt').count(), 0))
  person.fine()
})

test('the list shows all builds, or only those with one status', async () => {
  await page.goto('/builds')
  await page.getByRole('link', { name: 'release 3' }).waitFor()
  await page.getByLabel('Status').selectOption('CANCELED')
  await page.getByRole('link', { name: 'release 1' }).waitFor({ state: 'detached' })
  await page.getByRole('link', { name: 'release 3' }).waitFor()
  await assertFaultless(page)
})

test('a list grows by itself when another person starts a build', async () => {
  await page.goto('/builds')
  await page.getByRole('link', { name: 'release 3' }).waitFor()
  const { builds } = await stage.ask<{ builds: { nodes: { id: string }[] } }>('{ builds(first: 1) { nodes { id } } }')
  await mutate(stage.ask, 'rebuild', { buildId: builds.nodes[0]?.id }, 'build { id }')
  await page.getByRole('link', { name: 'release 5' }).waitFor()
  person.fine()
})

test('an archived configuration has no button to build it', async () => {
  await page.goto('/build-configurations')
  await page.getByRole('link', { name: 'release' }).click()
  await button('Archive configuration').click()
  await dialog.getByRole('button', { name: 'Archive configuration' }).click()
  await button('Unarchive configuration').waitFor()
  await soon(async () => assert.equal(await button('Start build').count(), 0))
})
