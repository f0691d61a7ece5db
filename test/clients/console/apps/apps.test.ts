/** A person creates an app, reads its crash reports, and uploads the dSYMs that they miss. */
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { atConsole } from '../../../kit/browser/atConsole.ts'
import { faults } from '../../../kit/browser/faults.ts'
import { press, tabTo } from '../../../kit/browser/keys.ts'
import { image, newUuid, recordCrash, reportOf } from '../../../kit/program/objects/crashes.ts'
import { completeDsymUpload, createDsymUpload, sendDsymBytes } from '../../../kit/program/objects/dsymUploads.ts'
import { smallImage, zipOfDsyms } from '../../../kit/program/objects/dsymZips.ts'

const bundleIdentifier = 'org.example.shop'
const { stage, person, page } = await atConsole()
const [shopUuid, kitUuid] = [newUuid(), newUuid()]
let reportId: string

before(async () => {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'], { origin: stage.url })
})

/** The kinds of frames, as the style sheet finds them. */
const readKinds = (rows: (HTMLElement | SVGElement)[]) =>
  rows.map(({ dataset: { isSystem, isInlined } }) => ({ isSystem, isInlined }))

const main = page.getByRole('main')
const button = (name: string) => main.getByRole('button', { name, exact: true })
const link = (name: string) => main.getByRole('link', { name, exact: true })
const dialog = page.getByRole('dialog')
const missing = page.getByRole('region', { name: 'Missing dSYMs' })
const crashedThread = page.getByRole('region', { name: 'Crashed thread' })
const otherThreads = page.getByRole('region', { name: 'Other threads' })
const copied = () => page.evaluate<string>('navigator.clipboard.readText()')

test('without an app, the page has the commands that send a report and dSYMs, for this server', async () => {
  await page.goto('/apps')
  await main.getByText('No apps yet').waitFor()
  await button('Copy command that sends a crash report').click()
  assert.equal(
    await copied(),
    `curl -sS ${stage.url}/api/public/crash-reports -H "X-API-Key: $SIGNALBOX_API_KEY" -H 'Content-Type: application/octet-stream' --data-binary @crash.ips`,
  )
  await button('Copy command that downloads the client').click()
  assert.equal(await copied(), `curl -fsS ${stage.url}/api/public/dsym/signalbox-dsym.mjs -o signalbox-dsym.mjs`)
  assert.deepEqual(await faults(page), [])
})

test('an app is created with the keyboard alone, and a wrong identifier is named at its field', async () => {
  await press(page, button('Create app'))
  await tabTo(page, dialog.getByLabel('Name', { exact: true }))
  await page.keyboard.type('Shop')
  await tabTo(page, dialog.getByLabel('Bundle identifier'))
  await page.keyboard.type('not an identifier')
  await page.keyboard.press('Enter')
  await dialog.locator('.problem').filter({ hasText: 'must' }).waitFor()
  await page.keyboard.press('Control+A')
  await page.keyboard.type(bundleIdentifier)
  await page.keyboard.press('Enter')
  await page.waitForURL('**/apps/app_*')
  await page.getByRole('heading', { name: 'Shop' }).waitFor()
  await main.getByText('No crashes yet').waitFor()
})

test('a report appears by itself, and the list of apps counts those that wait for symbols', async () => {
  const frames = [
    { imageUuid: shopUuid, address: `0x${(smallImage.mainAddress + 16n).toString(16)}` },
    {
      imageUuid: kitUuid,
      address: '0x1a2b3c4d0',
      symbol: 'UIApplicationMain',
      file: '/src/UIKit/UIApplication.m',
      line: 42,
    },
  ]
  const quiet = { name: 'com.apple.network', frames: [{ imageUuid: kitUuid, address: '0x2000', symbol: 'mach_msg' }] }
  const report = {
    ...reportOf(bundleIdentifier, []),
    threads: [quiet, { name: 'main', crashed: true, frames }, { frames: [] }],
    images: [image(shopUuid), { ...image(kitUuid, 'UIKitCore'), path: '/System/Library/UIKitCore' }],
    exceptionReason: 'Index out of range',
  }
  await link('Crash reports').click()
  await main.getByText('No crash reports yet').waitFor()
  ;({ id: reportId } = await recordCrash(stage.ask, report))
  await link('EXC_BREAKPOINT (SIGTRAP)').waitFor()
  await main.getByText('Index out of range').waitFor()
  await recordCrash(stage.ask, { ...reportOf(bundleIdentifier, [newUuid()]), version: '2.2', build: '220' })
  await page.goto('/apps')
  const row = page.getByRole('row', { name: /^Shop/ })
  await row.getByText('2.2 (220)').waitFor()
  await row.getByRole('cell', { name: '2', exact: true }).waitFor()
})

test('the crashed thread is open, and each other thread is one line that can be opened by keyboard', async () => {
  await page.goto(`/crash-reports/${reportId}`)
  await crashedThread.getByText('Thread 1').waitFor()
  await crashedThread.getByText('UIApplicationMain').waitFor()
  await crashedThread.getByText('UIApplication.m:42', { exact: true }).waitFor()
  assert.deepEqual(await otherThreads.locator('.thread-line strong').allInnerTexts(), ['Thread 0', 'Thread 2'])
  const folded = otherThreads.locator('summary').first()
  assert.match((await folded.innerText()).replaceAll('\n', ' '), /com\.apple\.network 1 frame mach_msg$/)
  assert.equal(await otherThreads.locator('.frame').count(), 0)
  await press(page, folded)
  await otherThreads.locator('.frame').getByText('mach_msg').waitFor()
  await press(page, crashedThread.getByRole('button', { name: '0x1a2b3c4d0: Details of frame 1' }))
  await crashedThread.getByText('/src/UIKit/UIApplication.m:42', { exact: true }).waitFor()
  await crashedThread.getByText(kitUuid).waitFor()
  await otherThreads.locator('summary').nth(1).click()
  await otherThreads.getByText('This thread has no frames.').waitFor()
  assert.deepEqual(await faults(page), [])
})

test('a missing dSYM is listed with its UUID and the command that uploads it, until it is uploaded', async () => {
  await missing.getByText(shopUuid, { exact: true }).waitFor()
  await main.getByText('Some frames have a symbol, and others lack one.').waitFor()
  await missing.getByRole('button', { name: 'Copy command that finds and uploads these dSYMs' }).click()
  assert.equal(
    await copied(),
    `node signalbox-dsym.mjs upload --server ${stage.url} --dsym-paths "$(mdfind 'com_apple_xcode_dsym_uuids == ${shopUuid}')"`,
  )
  await missing.getByText('Prepare: upload client and API key').click()
  await missing.getByText('/api/public/dsym/signalbox-dsym.mjs').waitFor()
  assert.deepEqual(await faults(page), [])
  const zip = zipOfDsyms([{ name: 'Shop.app', bundleIdentifier, uuid: shopUuid }])
  const { id } = await createDsymUpload(stage, zip)
  await sendDsymBytes(stage, id, zip, 0, zip.length)
  assert.equal(await completeDsymUpload(stage, id), 200)
  await missing.waitFor({ state: 'detached' })
  await crashedThread.locator('.frame').first().getByText('main', { exact: true }).waitFor()
  await main.getByText('No frame lacks a symbol that a dSYM could have.').waitFor()
  assert.deepEqual(await crashedThread.locator('.frame').evaluateAll(readKinds), [
    { isSystem: 'false', isInlined: 'false' },
    { isSystem: 'true', isInlined: 'false' },
  ])
  person.fine()
})
