/** A person installs an app on the phone: a stock reader reads the QR code of the dialog, and its page has the button. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { before, test } from 'node:test'
import { atConsole } from '../../../kit/browser/atConsole.ts'
import { assertFaultless } from '../../../kit/browser/faults.ts'
import { startMachine } from '../../../kit/program/machine.ts'
import { createConfiguration, startBuild, untilBuild, withRemote } from '../../../kit/program/objects/builds.ts'

const { stage, person, page } = await atConsole()
let buildId = ''

before(async () => {
  const machine = await startMachine(stage, { hasTestClis: false })
  const { repositoryId } = await withRemote(stage, machine)
  const buildConfigurationId = await createConfiguration(stage.ask, {
    ...{ repositoryId, name: 'nightly', artifacts: ['*.apk'] },
    steps: [{ name: 'make', command: 'echo an app > shop.apk' }],
  })
  buildId = (await startBuild(stage.ask, { buildConfigurationId, worktreeId: machine.worktree('main') })).id
  await untilBuild(stage.ask, buildId, ['SUCCEEDED'])
})

/** The text of a QR code, as zbar reads it from a picture. */
function readQrCode(picture: Buffer): string {
  const { stdout, status, error } = spawnSync('zbarimg', ['--nodbus', '--quiet', '--raw', '-'], { input: picture })
  if (error !== undefined) throw new Error('Debian’s zbar-tools are needed', { cause: error })
  assert.equal(status, 0, 'zbarimg finds one code')
  return stdout.toString().trim()
}

let address = ''

for (const theme of ['light', 'dark'] as const)
  test(`the code of the dialog is that of the link, in ${theme}`, async () => {
    await page.emulateMedia({ colorScheme: theme })
    await page.goto(`/builds/${buildId}`)
    await page.getByRole('button', { name: 'Install: shop.apk' }).click()
    const code = page.getByRole('img', { name: 'Install: shop.apk' })
    await code.waitFor()
    await assertFaultless(page)
    address = readQrCode(await code.screenshot())
    const link = page.getByRole('dialog').getByRole('link', { name: 'Install' })
    assert.equal(address, await link.getAttribute('href'))
    person.fine()
  })

test('the page of the code has the app, its build and the button, without signing in', async () => {
  const context = await page
    .context()
    .browser()
    ?.newContext({ viewport: { width: 390, height: 844 } })
  assert.ok(context)
  try {
    const phone = await context.newPage()
    await phone.goto(address)
    await phone.getByRole('heading', { name: 'shop.apk' }).waitFor()
    await phone.getByText('nightly #1').waitFor()
    const arrived = phone.waitForEvent('download')
    await phone.getByRole('link', { name: 'Install' }).click()
    assert.equal((await arrived).suggestedFilename(), 'shop.apk')
    await phone.goto(`${address}x`)
    await phone.getByText('This link is not valid, or it has expired').waitFor()
  } finally {
    await context.close()
  }
})
