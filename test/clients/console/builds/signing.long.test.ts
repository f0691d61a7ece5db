/** A person stores a certificate and a profile, gives them to a build configuration, and sees what the build used and what expires. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { atConsole } from '../../../kit/browser/atConsole.ts'
import { assertFaultless } from '../../../kit/browser/faults.ts'
import { type Machine, startMachine } from '../../../kit/program/machine.ts'
import { createConfiguration, withRemote } from '../../../kit/program/objects/builds.ts'
import { enrolledDevice } from '../../../kit/program/objects/devices.ts'
import { type Identity, SigningFiles } from '../../../kit/signing/signingFiles.ts'

const { stage, person, page } = await atConsole()
const files = new SigningFiles()
let machine: Machine
let identity: Identity
let p12: Buffer

before(async () => {
  machine = await startMachine(stage, { hasTestClis: false })
  const { repositoryId } = await withRemote(stage, machine)
  const steps = [{ name: 'sign', command: 'ls "$SIGNALBOX_SIGNING_DIR"' }]
  await createConfiguration(stage.ask, { repositoryId, name: 'app', steps })
  await enrolledDevice(stage)
  identity = await files.identity('Apple Distribution: Example GmbH', 20)
  p12 = await files.pkcs12(identity, 'right')
})
after(() => files.end())

const button = (name: string) => page.getByRole('button', { name, exact: true })
const dialog = page.getByRole('dialog')

/** Shows the page at the width of a phone and in the other scheme too, for the eye. */
async function look(name: string): Promise<void> {
  await assertFaultless(page)
  const folder = process.env.SCREENSHOTS
  if (folder === undefined) return
  const size = page.viewportSize()
  for (const [width, height] of [
    [1440, 900],
    [390, 844],
  ] as const)
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.setViewportSize({ width, height })
      await page.emulateMedia({ colorScheme })
      await page.screenshot({ path: `${folder}/${name}-${width}-${colorScheme}.png`, fullPage: true })
    }
  await page.emulateMedia({ colorScheme: null })
  if (size) await page.setViewportSize(size)
}

test('a certificate is stored; a wrong password and a missing file are named at their fields', async () => {
  await page.goto('/signing-assets')
  await page.getByText('No signing assets yet').waitFor()
  await look('empty')
  await button('Add signing asset').first().click()
  await dialog.getByLabel('Name', { exact: true }).fill('Release certificate')
  await dialog.getByRole('button', { name: 'Add signing asset' }).click()
  await dialog.getByText('Choose a file.', { exact: true }).waitFor()
  const file = { name: 'release.p12', mimeType: 'application/x-pkcs12', buffer: p12 }
  await dialog.getByLabel('File', { exact: true }).setInputFiles(file)
  await dialog.getByLabel('Password of the file', { exact: true }).fill('wrong')
  await dialog.getByRole('button', { name: 'Add signing asset' }).click()
  await dialog.getByText(/is not the password of the file/).waitFor()
  await look('dialog')
  await dialog.getByLabel('Password of the file', { exact: true }).fill('right')
  await dialog.getByRole('button', { name: 'Add signing asset' }).click()
  await page.getByRole('heading', { name: 'Release certificate' }).waitFor()
  await page.getByText('Apple Distribution: Example GmbH').waitFor()
  await page.getByText(/^Expires /).waitFor()
  await page.getByText('SIGNALBOX_SIGNING_RELEASE_CERTIFICATE_…').waitFor()
  await look('certificate')
  person.fine()
})

test('a profile is dropped on the form, which recognizes its kind; its page shows devices and certificates', async () => {
  const profile = await files.profile(identity)
  await page.goto('/signing-assets')
  await button('Add signing asset').click()
  await dialog.getByLabel('Name', { exact: true }).fill('Shop ad hoc')
  const data = await page.evaluateHandle((base64) => {
    const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))
    const transfer = new DataTransfer()
    transfer.items.add(new File([bytes], 'shop.mobileprovision'))
    return transfer
  }, profile.toString('base64'))
  await dialog.locator('.file-drop input').dispatchEvent('drop', { dataTransfer: data })
  assert.equal(await dialog.getByLabel('Kind').inputValue(), 'PROVISIONING_PROFILE')
  assert.equal(await dialog.getByLabel('Password of the file', { exact: true }).count(), 0)
  await dialog.getByRole('button', { name: 'Add signing asset' }).click()
  await page.getByRole('heading', { name: 'Shop ad hoc' }).waitFor()
  await page.getByText('0 of 1 enrolled devices are in the profile.').waitFor()
  await page.getByRole('link', { name: 'Release certificate' }).waitFor()
  await look('profile')
  person.fine()
})

test('a build configuration chooses signing assets, and the page of its build names them', async () => {
  await page.goto('/build-configurations')
  await page.getByRole('link', { name: 'app', exact: true }).click()
  await page.getByRole('link', { name: 'Edit configuration' }).click()
  await page.getByRole('checkbox', { name: /Release certificate/ }).check()
  await look('form')
  await button('Save configuration').click()
  await page.getByText('version 2').waitFor()
  await page.getByRole('link', { name: 'Release certificate' }).waitFor()
  await button('Start build').click()
  await dialog.getByLabel(/main/).first().check()
  await dialog.getByRole('button', { name: 'Start build' }).click()
  await page.getByRole('heading', { name: 'app 1' }).waitFor()
  await page.getByRole('link', { name: 'Release certificate' }).waitFor()
  await page.getByText('RELEASE_CERTIFICATE', { exact: true }).waitFor()
  await look('build')
  person.fine()
})

test('a used signing asset cannot be archived, and the inbox has it as expiring until its file is replaced', async () => {
  await page.getByRole('link', { name: 'Release certificate' }).click()
  await page.getByRole('link', { name: 'app', exact: true }).waitFor()
  await button('Archive signing asset').click()
  await dialog.getByRole('button', { name: 'Archive signing asset' }).click()
  await dialog.getByText(/"app"/).waitFor()
  await page.keyboard.press('Escape')
  await page.goto('/')
  await page.getByText('Signing asset expires soon').waitFor()
  await look('inbox')
  await page.getByRole('link', { name: 'Release certificate' }).click()
  const renewed = await files.pkcs12(await files.identity('Apple Distribution: Example GmbH', 365), 'renewed')
  await button('Replace file').click()
  const file = { name: 'renewed.p12', mimeType: 'application/x-pkcs12', buffer: renewed }
  await dialog.getByLabel('File', { exact: true }).setInputFiles(file)
  await dialog.getByLabel('Password of the file', { exact: true }).fill('renewed')
  await dialog.getByRole('button', { name: 'Replace file' }).click()
  await page.getByText(/renewed\.p12/).waitFor()
  await page.goto('/')
  await page.getByText('You’re all caught up.').waitFor()
  person.fine()
})

test('a renamed signing asset has other variables, and can be archived if it is not used', async () => {
  await page.goto('/signing-assets')
  await look('list')
  await page.getByRole('link', { name: 'Shop ad hoc' }).click()
  await button('Rename signing asset').click()
  await dialog.getByLabel('Name', { exact: true }).fill('Shop testers')
  await dialog.getByRole('button', { name: 'Rename signing asset' }).click()
  await page.getByText('SIGNALBOX_SIGNING_SHOP_TESTERS_…').waitFor()
  await button('Archive signing asset').click()
  await dialog.getByRole('button', { name: 'Archive signing asset' }).click()
  await page.getByText('Archived', { exact: true }).waitFor()
  person.fine()
})
