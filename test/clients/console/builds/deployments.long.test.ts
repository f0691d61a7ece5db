/** A person gives a configuration a deployment command, deploys a build as a program and by the command, reads the log, and stops it. */
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { atConsole } from '../../../kit/browser/atConsole.ts'
import { assertFaultless } from '../../../kit/browser/faults.ts'
import { soon } from '../../../kit/browser/soon.ts'
import { type Machine, startMachine } from '../../../kit/program/machine.ts'
import { createConfiguration, startBuild, untilBuild, withRemote } from '../../../kit/program/objects/builds.ts'
import { startSlowTcpProxy } from '../../../kit/program/servers/slowTcpProxy.ts'

/** A link that takes two minutes for the large program. */
const bytesPerSecond = 128 * 1024
const large = 120 * bytesPerSecond

// Agents send and receive files by the public URL.
let serverPort = 0
const link = await startSlowTcpProxy(() => serverPort)
const { stage, person, page } = await atConsole({ PUBLIC_BASE_URL: `http://127.0.0.1:${link.port}` })
serverPort = stage.ports.main
stage.onEnd(() => link.stop())
let machine: Machine
let configurationId = ''
let buildId = ''

before(async () => {
  machine = await startMachine(stage, { hasTestClis: false })
  await startMachine(stage, { name: 'stage', hasTestClis: false })
  const { repositoryId } = await withRemote(stage, machine)
  configurationId = await createConfiguration(stage.ask, {
    repositoryId,
    name: 'shop',
    steps: [
      { name: 'make', command: "mkdir dist; printf '#!/bin/sh\\necho serving; exec sleep 600\\n' > dist/server" },
      { name: 'fill', command: `(cat dist/server; head -c ${large} /dev/urandom) > dist/large` },
    ],
    artifacts: ['dist/**'],
  })
})

const button = (name: string) => page.getByRole('button', { name, exact: true })
const dialog = page.getByRole('dialog')
const log = page.locator('.log-lines')
const strip = page.locator('.state-strip')

test('a configuration gets a command that deploys its builds', async () => {
  await page.goto(`/build-configurations/${configurationId}/edit`)
  await button('Add command').click()
  await page.getByLabel('Name of command 1', { exact: true }).fill('staging')
  await page.getByLabel('Text of command 1', { exact: true }).fill('echo "deployed $SIGNALBOX_ARTIFACT"')
  await page.getByLabel('Artifacts of command 1', { exact: true }).fill('dist/server')
  await button('Save configuration').click()
  await page.getByRole('heading', { name: 'Deployment commands' }).waitFor()
  await page.getByText('echo "deployed $SIGNALBOX_ARTIFACT"').waitFor()
  ;({ id: buildId } = await startBuild(stage.ask, {
    buildConfigurationId: configurationId,
    worktreeId: machine.worktree('main'),
  }))
  await untilBuild(stage.ask, buildId, ['SUCCEEDED'])
})

test('a build is deployed to another machine, where it runs until it is stopped', async () => {
  await page.goto(`/builds/${buildId}`)
  await button('Deploy').click()
  await dialog.getByLabel('Machine').selectOption({ label: 'stage' })
  await dialog
    .getByLabel('Destination')
    .getByRole('option', { name: /^The machine itself: / })
    .waitFor({ state: 'attached' })
  await dialog.getByLabel('File').getByRole('option', { name: 'dist/server' }).waitFor({ state: 'attached' })
  await assertFaultless(page)
  await dialog.getByRole('button', { name: 'Deploy' }).click()
  await page.waitForURL('**/deployments/dep_*')
  await page.getByRole('heading', { name: 'Deployment 1' }).waitFor()
  await log.getByText('serving').waitFor()
  await soon(async () => assert.match((await strip.innerText()).replaceAll('\n', ' '), /Running/))
  await assertFaultless(page)
  await button('Stop deployment').click()
  await dialog.getByLabel(/Reason/).fill('Enough.')
  await dialog.getByRole('button', { name: 'Stop deployment' }).click()
  await page.getByText('Enough.').waitFor()
  await soon(async () => assert.match((await strip.innerText()).replaceAll('\n', ' '), /Canceled/))
  person.fine()
})

test('a build is deployed by the command, and the page of the build has both deployments', async () => {
  await page.goto(`/builds/${buildId}`)
  await page.getByRole('link', { name: 'Deployment 1' }).waitFor()
  await button('Deploy').click()
  const commands = dialog.getByLabel('Destination').getByRole('option', { name: 'Command: staging' })
  await commands.waitFor({ state: 'attached' })
  await dialog.getByLabel('Destination').selectOption({ label: 'Command: staging' })
  await dialog.getByRole('button', { name: 'Deploy' }).click()
  await page.getByRole('heading', { name: 'Deployment 2' }).waitFor()
  await log.getByText(/deployed .*server/).waitFor()
  await soon(async () => assert.match((await strip.innerText()).replaceAll('\n', ' '), /Succeeded/))
  await page.goBack()
  await page.getByRole('link', { name: 'Deployment 2' }).waitFor()
  person.fine()
})

test('the transfer to a machine on a slow link shows its progress', async () => {
  await startMachine(stage, { name: 'far', hasTestClis: false })
  link.bytesPerSecond = bytesPerSecond
  await page.goto(`/builds/${buildId}`)
  await button('Deploy').click()
  await dialog.getByLabel('Machine').selectOption({ label: 'far' })
  const file = dialog.getByLabel('File')
  await file.getByRole('option', { name: 'dist/large' }).waitFor({ state: 'attached' })
  await file.selectOption({ label: 'dist/large' })
  await dialog.getByRole('button', { name: 'Deploy' }).click()
  await page.getByRole('heading', { name: 'Deployment 3' }).waitFor()
  const progress = page.getByRole('progressbar', { name: /^Transfer/ })
  await progress.waitFor()
  await assertFaultless(page)
  const seen = new Set<number>()
  await soon(async () => {
    seen.add(Number(await progress.getAttribute('value', { timeout: 1_000 })))
    assert.ok(seen.size >= 4, `the progress had the values ${[...seen]}`)
  })
  assert.ok([...seen].every((value) => value >= 0 && value <= large + 100))
  link.bytesPerSecond = Number.POSITIVE_INFINITY
  await log.getByText('serving').waitFor()
  await progress.waitFor({ state: 'detached' })
  await button('Stop deployment').click()
  await dialog.getByRole('button', { name: 'Stop deployment' }).click()
  await soon(async () => assert.match((await strip.innerText()).replaceAll('\n', ' '), /Canceled/))
  person.fine()
})
