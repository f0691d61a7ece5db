/** A person looks after the devices that notify them, and enrolls, renames and removes devices on which builds are tested. */
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { atConsole } from '../../../kit/browser/atConsole.ts'
import { assertFaultless, faults } from '../../../kit/browser/faults.ts'
import { press, tabTo } from '../../../kit/browser/keys.ts'
import { soon } from '../../../kit/browser/soon.ts'
import { whereIs } from '../../../kit/browser/visit.ts'
import { ada, rest } from '../../../kit/program/accounts.ts'
import { identity } from '../../../kit/program/certificates.ts'
import { newDevice, registerDevice } from '../../../kit/program/objects/devices.ts'
import { answerText, fetchProfile, iPhone, postAnswer, signedBy } from '../../../kit/program/phone.ts'

const { stage, person, page } = await atConsole()
const dialog = page.getByRole('dialog')
const card = (name: string) => page.getByRole('listitem').filter({ hasText: name })

test('a device whose app is signed in appears by itself, with the time of its last registration', async () => {
  await page.goto('/settings')
  await page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name: 'Devices' }).click()
  await soon(() => assert.equal(whereIs(page), '/settings/devices'))
  await page.getByText('No devices receive notifications yet').waitFor()
  await page.getByText('This server sends nothing to devices, because APNS_KEY is not set.').waitFor()
  await soon(async () => assert.equal(await page.locator('.empty .command').innerText(), stage.url))
  const { body: session } = await rest(stage.url, 'POST', '/api/auth/sign-in/email', { body: ada })
  const headers = { authorization: `Bearer ${session.token}` }
  const device = { ...newDevice(), displayName: 'Ada’s phone', deviceModel: 'iPhone17,3', osVersion: '26.1' }
  await registerDevice(stage.url, { ...device, appVersion: '2.4.0', appBuild: '1187' }, headers)
  await card('Ada’s phone').getByText('Active').waitFor()
  await soon(async () =>
    assert.match(
      await card('Ada’s phone').innerText(),
      /iPhone17,3 · 26\.1 · org\.example\.app 2\.4\.0 \(1187\) · last registered/,
    ),
  )
  await rest(stage.url, 'POST', '/api/auth/sign-out', { body: {}, headers })
  await card('Ada’s phone').getByText('The session of the app has ended.').waitFor()
  person.fine()
})

test('a device that receives notifications is removed after a confirmation, and the focus is not lost', async () => {
  await press(page, card('Ada’s phone').getByRole('button', { name: 'Remove device' }))
  await dialog.getByText('The device receives no more notifications.').waitFor()
  await press(page, dialog.getByRole('button', { name: 'Remove device' }))
  await card('Ada’s phone').waitFor({ state: 'detached' })
  await page.locator('h2:focus', { hasText: 'Devices that receive notifications' }).waitFor()
  person.fine()
})

test('a phone enrolls with the link of the dialog, which shows the progress of the phone', async () => {
  await page.getByRole('button', { name: 'Enroll device' }).click()
  await dialog.getByLabel('Name').fill('n'.repeat(101))
  await page.keyboard.press('Enter')
  await page.locator('#dialog-field-displayName-problem', { hasText: 'at most 100 characters' }).waitFor()
  // The browser notes each response that is an error. This one is explained at the field.
  assert.match(person.complaints.splice(0).join(), /^error: Failed to load resource: .* 400 \(Bad Request\)$/)
  await dialog.getByLabel('Name').fill('Test phone')
  await page.keyboard.press('Enter')
  await dialog.getByText('Waiting until the link is opened …').waitFor()
  await assertFaultless(page, 'the link of an enrollment')
  const link = await dialog.locator('.command').innerText()
  const { challenge, url } = await fetchProfile(link)
  await dialog.getByText('The profile was downloaded.').waitFor()
  await postAnswer(url, await signedBy(await identity({ name: 'iPhone' }), answerText(iPhone, challenge)))
  await dialog.getByText('Test phone has enrolled.').waitFor()
  await dialog.getByRole('button', { name: 'Close' }).click()
  await soon(async () =>
    assert.match(
      await card('Test phone').innerText(),
      /iPhone or iPad · iPhone15,2 · 22F76[\s\S]*00008110-000A1B2C3D4E5F60[\s\S]*F2LXK0AAAA[\s\S]*by Ada/,
    ),
  )
  person.fine()
})

test('a rejected answer to an enrollment link is reported with the reason', async () => {
  await page.getByRole('button', { name: 'Enroll device' }).click()
  await dialog.waitFor()
  await page.keyboard.press('Enter')
  await dialog.getByText('Waiting until the link is opened …').waitFor()
  const { challenge, url } = await fetchProfile(await dialog.locator('.command').innerText())
  const { UDID: _, ...withoutUdid } = iPhone
  await postAnswer(url, await signedBy(await identity({ name: 'iPhone' }), answerText(withoutUdid, challenge)))
  await dialog.getByText(/^The answer of the device was rejected: .*UDID.* Create another link\.$/).waitFor()
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  person.fine()
})

test('a device is renamed in place by keyboard; a wrong name is explained at the field', async () => {
  const name = page.locator('input[name=displayName]')
  await press(page, page.getByRole('button', { name: 'Rename: Test phone' }))
  await page.locator('input[name=displayName]:focus').waitFor()
  await page.keyboard.type(' ')
  await page.keyboard.press('Enter')
  await page.locator('#field-displayName-problem', { hasText: 'at least 1 character' }).waitFor()
  assert.deepEqual(await faults(page), [])
  await name.fill('Shared phone')
  await page.keyboard.press('Enter')
  await card('Shared phone').waitFor()
  await page.locator('button:focus', { hasText: 'Rename' }).waitFor()
  await page.keyboard.press('Enter')
  await page.locator('input[name=displayName]:focus').waitFor()
  await page.keyboard.press('Escape')
  await name.waitFor({ state: 'detached' })
  await tabTo(page, page.getByRole('button', { name: 'Rename: Shared phone' }))
  await assertFaultless(page, 'the devices')
  person.fine()
})

test('the list for Apple is exported, and a test device is removed after a confirmation', async () => {
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Export for Apple' }).click(),
  ])
  assert.match(await readFile(await download.path(), 'utf8'), /00008110-000A1B2C3D4E5F60\tShared phone\tios/)
  await card('Shared phone').getByRole('button', { name: 'Remove device' }).click()
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await card('Shared phone').getByRole('button', { name: 'Remove device' }).click()
  await dialog.getByRole('button', { name: 'Remove device' }).click()
  await page.getByText('No test devices yet').waitFor()
  await page.locator('h2:focus', { hasText: 'Test devices' }).waitFor()
  person.fine()
})
