/** The pages of an app: a person filters and searches its reports, follows its uploads, and deletes and renames what is not needed. */
import assert from 'node:assert/strict'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { before, test } from 'node:test'
import { bytesFormatOf } from '../../../../spec/messages/formatBytes.ts'
import { atConsole } from '../../../kit/browser/atConsole.ts'
import { faults, scroll } from '../../../kit/browser/faults.ts'
import { press } from '../../../kit/browser/keys.ts'
import { soon } from '../../../kit/browser/soon.ts'
import {
  groupOfCrash,
  image,
  makeApp,
  newUuid,
  recordCrash,
  recordDsym,
  reportOf,
} from '../../../kit/program/objects/crashes.ts'
import { ips, ipsBody, ipsHead } from '../../../kit/program/objects/crashFiles.ts'
import { buildProgram, llvm } from '../../../kit/program/objects/dsymFixtures.ts'
import { completeDsymUpload, createDsymUpload, sendDsymBytes } from '../../../kit/program/objects/dsymUploads.ts'
import { infoPlist, storedZip, zipOfDsyms } from '../../../kit/program/objects/dsymZips.ts'

const bundleIdentifier = 'org.example.shop'
const { stage, person, page } = await atConsole()
const [shopUuid, kitUuid] = [newUuid(), newUuid()]
const appPath = `/apps/${await makeApp(stage.ask, bundleIdentifier)}`
let reportId: string

before(async () => {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'], { origin: stage.url })
  ;({ id: reportId } = await recordCrash(stage.ask, reportOf(bundleIdentifier, [shopUuid])))
  await recordCrash(stage.ask, { ...reportOf(bundleIdentifier, [newUuid()]), version: '2.2', build: '220' })
  const zip = zipOfDsyms([{ name: 'Shop.app', bundleIdentifier, uuid: shopUuid }])
  const { id } = await createDsymUpload(stage, zip)
  await sendDsymBytes(stage, id, zip, 0, zip.length)
  assert.equal(await completeDsymUpload(stage, id), 200)
})

/** The kinds of frames, as the style sheet finds them. */
const readKinds = (rows: (HTMLElement | SVGElement)[]) =>
  rows.map(({ dataset: { isSystem, isInlined } }) => ({ isSystem, isInlined }))

/** A dSYM that clang makes of C++, and the address of a call that is inlined. */
function buildInlinedCall() {
  const source = join(stage.folder, 'app.cpp')
  writeFileSync(
    source,
    `struct Cart { int check(int item); int total(int items); };
inline __attribute__((always_inline)) int Cart::check(int item)
{
  if (item < 0) __builtin_trap();
  return item * 3;
}
__attribute__((noinline)) int Cart::total(int items) { return check(items) + 1; }
int main(int argc, char **) { Cart cart; return cart.total(argc); }
`,
  )
  const { symbols, binary } = buildProgram(stage.folder, { arch: 'arm64', sources: [source], flags: ['-g', '-O1'] })
  const uuid = /UUID: ([0-9A-F-]{36})/.exec(llvm('llvm-dwarfdump', '--uuid', symbols))?.[1] ?? ''
  const trap = /^\s*([0-9a-f]+):.*\tbrk\t/m.exec(llvm('llvm-objdump', '-d', binary))?.[1]
  assert.ok(trap, 'the call has a trap')
  const zip = storedZip([
    ['Inlined.app.dSYM/Contents/Info.plist', Buffer.from(infoPlist(bundleIdentifier))],
    ['Inlined.app.dSYM/Contents/Resources/DWARF/Shop', readFileSync(symbols)],
  ])
  return { uuid, zip, address: `0x${trap}` }
}

const main = page.getByRole('main')
const button = (name: string) => main.getByRole('button', { name, exact: true })
const link = (name: string) => main.getByRole('link', { name, exact: true })
const dialog = page.getByRole('dialog')
const crashedThread = page.getByRole('region', { name: 'Crashed thread' })
const otherThreads = page.getByRole('region', { name: 'Other threads' })
const copied = () => page.evaluate<string>('navigator.clipboard.readText()')

test('reports are filtered by build and by status, and the filters are in the address', async () => {
  await page.goto(`${appPath}/reports`)
  await soon(async () => assert.equal(await link('EXC_BREAKPOINT (SIGTRAP)').count(), 2))
  await main.getByLabel('Build', { exact: true }).selectOption({ label: '2.1 (210)' })
  await soon(async () => assert.equal(await link('EXC_BREAKPOINT (SIGTRAP)').count(), 1))
  assert.equal(new URL(page.url()).search, '?version=2.1&build=210')
  await main.getByLabel('Status', { exact: true }).selectOption({ label: 'Failed' })
  await main.getByText('No matches').waitFor()
  await button('Clear filters').click()
  await soon(async () => assert.equal(await link('EXC_BREAKPOINT (SIGTRAP)').count(), 2))
  await link('Builds').click()
  await page
    .getByRole('row', { name: /^2\.1 \(210\)/ })
    .getByRole('link', { name: 'Crash reports' })
    .click()
  await soon(async () => assert.equal(await link('EXC_BREAKPOINT (SIGTRAP)').count(), 1))
  await link('EXC_BREAKPOINT (SIGTRAP)').click()
  await page.waitForURL(`**/crash-reports/${reportId}`)
})

test('the file of a report that an app has sent is downloaded, and one without a file has no link', async () => {
  assert.equal(await link('Download report').count(), 0)
  const bundleInfo = { ...ipsBody.bundleInfo, CFBundleIdentifier: 'org.example.sent' }
  const file = ips(ipsHead, { ...ipsBody, incident: newUuid(), bundleInfo })
  const sent = await fetch(`${stage.url}/api/public/crash-reports`, {
    method: 'POST',
    headers: { 'content-type': 'text/plain', 'x-api-key': stage.key },
    body: file,
  })
  const { id, reportId: uuid } = (await sent.json()) as { readonly id: string; readonly reportId: string }
  await page.goto(`/crash-reports/${id}`)
  await main.getByText(`${bytesFormatOf('en')(Buffer.byteLength(file))}, deleted on `).waitFor()
  const [download] = await Promise.all([page.waitForEvent('download'), link('Download report').click()])
  assert.equal(download.suggestedFilename(), `${uuid}.ips`)
  assert.equal(readFileSync(await download.path(), 'utf8'), file)
  assert.deepEqual(await faults(page), [])
  await page.goto(`/crash-reports/${reportId}`)
})

test('an inlined call is a part of the frame below it, and the mangled name is shown on demand', async () => {
  const { uuid, zip, address } = buildInlinedCall()
  const threads = [{ crashed: true, frames: [{ imageUuid: uuid, address }] }]
  const { id } = await recordCrash(stage.ask, {
    ...reportOf(bundleIdentifier, []),
    ...{ threads, images: [image(uuid)] },
  })
  const { id: uploadId } = await createDsymUpload(stage, zip, 'inlined.zip')
  await sendDsymBytes(stage, uploadId, zip, 0, zip.length)
  assert.equal(await completeDsymUpload(stage, uploadId), 200)
  await page.goto(`/crash-reports/${id}`)
  const rows = crashedThread.locator('.frame')
  await rows.first().getByText('Cart::check(int)').waitFor()
  assert.deepEqual(await rows.evaluateAll(readKinds), [
    { isSystem: 'false', isInlined: 'true' },
    { isSystem: 'false', isInlined: 'false' },
  ])
  await rows.first().getByText('inlined', { exact: true }).waitFor()
  await rows.first().getByText('app.cpp:4', { exact: true }).waitFor()
  await rows.nth(1).getByText('Cart::total(int)', { exact: true }).waitFor()
  assert.equal(await page.getByText('_ZN4Cart5totalEi').count(), 0)
  await press(page, rows.nth(1).getByRole('button'))
  await button('Copy Linker symbol').click()
  assert.equal(await copied(), '_ZN4Cart5totalEi')
  assert.deepEqual(await faults(page), [])
})

test('the progress of an upload is live, a failed one has its problem, and an unfinished one is deleted', async () => {
  const zip = Buffer.alloc(4_000_000, 1)
  await page.goto(`${appPath}/dsyms`)
  await link('Shop.app').waitFor()
  const { id } = await createDsymUpload(stage, zip, 'next.zip')
  const card = main.getByRole('listitem').filter({ hasText: 'next.zip' })
  await card.getByText('Waiting for the first byte of 4 MB').waitFor()
  await sendDsymBytes(stage, id, zip, 0, 1_000_000)
  await card.getByText('1 MB of 4 MB received').waitFor()
  const progress = card.getByRole('progressbar', { name: 'Progress: next.zip' })
  assert.deepEqual([await progress.getAttribute('value'), await progress.getAttribute('max')], ['1000000', '4000000'])
  await sendDsymBytes(stage, id, zip, 1_000_000, 3_000_000)
  await card.getByText('3 MB of 4 MB received').waitFor()
  await button('Delete upload: next.zip').click()
  await dialog.getByRole('button', { name: 'Delete upload' }).click()
  await card.waitFor({ state: 'detached' })
  const broken = Buffer.from('not a zip')
  const { id: brokenId } = await createDsymUpload(stage, broken, 'broken.zip')
  await sendDsymBytes(stage, brokenId, broken, 0, broken.length)
  assert.equal(await completeDsymUpload(stage, brokenId), 409)
  const failed = main.getByRole('listitem').filter({ hasText: 'broken.zip' })
  await failed.getByText(/The zip cannot be read/).waitFor()
  await failed.getByText('Failed').waitFor()
  await failed.getByRole('link', { name: 'broken.zip' }).click()
  await page.waitForURL(`**/dsym-uploads/${brokenId}`)
  await page.getByRole('heading', { name: 'broken.zip' }).waitFor()
  assert.deepEqual(await faults(page), [])
})

test('a dSYM has its images and its app, and is deleted after a confirmation', async () => {
  await page.goto(`${appPath}/dsyms`)
  await link('Shop.app').click()
  await page.getByRole('row', { name: new RegExp(shopUuid) }).waitFor()
  await link('1.2 (34)').waitFor({ state: 'detached' })
  await main.getByRole('definition').getByText('1.2 (34)').waitFor()
  assert.deepEqual(await faults(page), [])
  await button('Delete dSYM').click()
  await dialog.getByText('If no other dSYM has its images, crash reports lack them again').waitFor()
  await dialog.getByRole('button', { name: 'Keep dSYM' }).click()
  await button('Delete dSYM').click()
  await dialog.getByRole('button', { name: 'Delete dSYM' }).click()
  await main.getByText('This dSYM was deleted.').waitFor()
  await soon(async () => assert.equal(await button('Delete dSYM').count(), 0))
})

test('an app is renamed, archived and restored, and its lifecycle leads back to it', async () => {
  await page.goto(appPath)
  await button('Rename app').click()
  await dialog.getByLabel('Name').fill('Corner shop')
  await dialog.getByRole('button', { name: 'Rename app' }).click()
  await page.getByRole('heading', { name: 'Corner shop' }).waitFor()
  await button('Archive app').click()
  await dialog.getByRole('button', { name: 'Archive app' }).click()
  await main.getByText('The app is archived.').waitFor()
  await button('Restore app').click()
  await button('Archive app').waitFor()
  await link('Lifecycle').click()
  await link('Object page').click()
  await page.getByRole('heading', { name: 'Corner shop' }).waitFor()
})

test('an app that only reports without an API key have named is claimed', async () => {
  const answer = await fetch(`${stage.url}/api/public/crash-reports`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(reportOf('org.example.stranger', [newUuid()])),
  })
  assert.equal(answer.status, 201, await answer.clone().text())
  const { appId } = (await answer.json()) as { readonly appId: string }
  await page.goto(`/apps/${appId}`)
  await main.getByText('Only crash reports without an API key have named this app').waitFor()
  await button('Claim app').click()
  await dialog.getByLabel('Name').fill('Claimed')
  await dialog.getByRole('button', { name: 'Claim app' }).click()
  await page.getByRole('heading', { name: 'Claimed' }).waitFor()
  await button('Rename app').waitFor()
  person.fine()
})

test('the search finds an app, a report and a dSYM, and opens their pages', async () => {
  const dsymId = await recordDsym(stage.ask, bundleIdentifier, [kitUuid])
  const found = { 'Corner shop App': appPath, 'Crash report': `/crash-reports/${reportId}`, dSYM: `/dsyms/${dsymId}` }
  for (const [text, path] of Object.entries(found)) {
    await page.goto('/apps')
    await page.getByRole('button', { name: /^Go to/ }).click()
    await page.getByRole('combobox', { name: 'Go to' }).waitFor()
    await page.keyboard.type(path.split('/').at(-1) ?? '')
    await page.getByRole('option', { name: text }).click()
    await page.waitForURL(`**${path}`)
  }
})

test('hostile names cause no horizontal scrolling, hide no character, and fit on a phone', async () => {
  const override = '\u202e'
  const hostile = [
    `evil${override}gpj.exe`,
    'std::__1::vector<std::__1::pair<int, char>>::'.repeat(20),
    'x'.repeat(1_000),
    `z${'\u0301'.repeat(300)}`,
    'دالة_الشراء(سلة)',
  ]
  const frames = hostile.map((symbol, n) => ({ imageUuid: shopUuid, address: `0x${4_096 + n}`, symbol }))
  const report = {
    ...reportOf(bundleIdentifier, []),
    ...{ version: `${override}1.2`, build: 'b'.repeat(100), osName: 'o'.repeat(100), deviceModel: 'd'.repeat(100) },
    ...{ exceptionType: 'E'.repeat(100), exceptionReason: `${'r'.repeat(1_000)}${override}` },
    threads: [
      { name: 't'.repeat(255), crashed: true, frames },
      { name: `${override}${'n'.repeat(254)}`, frames },
    ],
    images: [image(shopUuid, `${override}${'i'.repeat(254)}`)],
  }
  const { id } = await recordCrash(stage.ask, report)
  const groupPath = `/crash-groups/${await groupOfCrash(stage.ask, id)}`
  for (const path of [`/crash-reports/${id}`, groupPath, appPath, `${appPath}/reports`, `${appPath}/builds`]) {
    await page.goto(path)
    await main.locator('.frame, .object-table tbody tr').first().waitFor()
    for (const width of [360, 1280]) {
      await page.setViewportSize({ width, height: 800 })
      await soon(async () => assert.equal(await scroll(page), 0, `${path} at ${width} px`))
    }
    // No override is left in the text: each is shown by its name.
    assert.doesNotMatch(await main.innerText(), /[\u202a-\u202e]/)
  }
  await page.goto(`/crash-reports/${id}`)
  await otherThreads.locator('summary').first().click()
  await otherThreads.locator('.frame').first().waitFor()
  await page.setViewportSize({ width: 360, height: 800 })
  assert.equal(await scroll(page), 0)
  assert.deepEqual(await faults(page), [])
  assert.equal(await crashedThread.locator('.frame-symbol').first().innerText(), 'evilU+202Egpj.exe')
  // A name of 300 accents does not reach into the frames above and below it.
  const boxes = await crashedThread
    .locator('.frame')
    .evaluateAll((rows) =>
      rows.map((row) => [getComputedStyle(row).overflow, row.getBoundingClientRect().height] as const),
    )
  for (const [overflow, height] of boxes) assert.ok(overflow === 'clip' && height < 220, `${overflow} ${height}`)
  await page.setViewportSize({ width: 1280, height: 800 })
  person.fine()
})

test('hostile names of an app and of uploads fit on a phone, also on the pages of their lifecycles', async () => {
  const override = '\u202e'
  const longIdentifier = `org.${'w'.repeat(140)}`
  const hostileId = await makeApp(stage.ask, longIdentifier)
  await page.goto(`/apps/${hostileId}`)
  await button('Rename app').click()
  await dialog.getByLabel('Name').fill(`${'n'.repeat(90)}${override}x`)
  await dialog.getByRole('button', { name: 'Rename app' }).click()
  await main.getByRole('heading', { name: 'nnn' }).waitFor()
  const entry = `A.app.dSYM/${'q'.repeat(3_000)}`
  const zips = {
    refused: storedZip([
      [entry, Buffer.from('a')],
      [entry, Buffer.from('b')],
    ]),
    indexed: zipOfDsyms([{ name: `${'d'.repeat(180)}.app`, bundleIdentifier: longIdentifier }]),
  }
  const paths = ['/apps', `/apps/${hostileId}`, `/apps/${hostileId}/dsyms`, `/actors/${hostileId}`]
  for (const [name, zip] of Object.entries(zips)) {
    const { id } = await createDsymUpload(stage, zip, `${name}${override}${'z'.repeat(200)}.zip`)
    await sendDsymBytes(stage, id, zip, 0, zip.length)
    assert.equal(await completeDsymUpload(stage, id), name === 'indexed' ? 200 : 409)
    paths.push(`/dsym-uploads/${id}`, `/actors/${id}`)
  }
  for (const path of paths) {
    await page.goto(path)
    await main
      .getByText(/n{90}|w{140}|z{200}|d{180}/)
      .first()
      .waitFor()
    for (const width of [360, 1280]) {
      await page.setViewportSize({ width, height: 800 })
      await soon(async () => assert.equal(await scroll(page), 0, `${path} at ${width} px`))
    }
    // The raw data of a lifecycle is folded, and shows what is stored.
    assert.doesNotMatch(await main.locator('h1').innerText(), /[\u202a-\u202e]/)
    assert.doesNotMatch(await page.title(), /[\u202a-\u202e]/)
  }
  person.fine()
})

test('a report with 1,000 threads and a thread with 1,000 frames are shown in parts, and each part states the total', async () => {
  const frame = (n: number) => ({ address: `0x${(4_096 + n).toString(16)}`, symbol: `call_${n}` })
  const deep = { crashed: true, frames: Array.from({ length: 1_000 }, (_, n) => frame(n)) }
  const threads = [...Array.from({ length: 999 }, () => ({ frames: [frame(0), frame(1)] })), deep]
  const { id } = await recordCrash(stage.ask, { ...reportOf(bundleIdentifier, []), threads })
  await page.goto(`/crash-reports/${id}`)
  await crashedThread.getByText('Thread 999').waitFor()
  await crashedThread.getByText('The first 100 of 1,000 are shown.').waitFor()
  await otherThreads.getByText('The first 50 of 1,000 are shown.').waitFor()
  assert.equal(await page.locator('.frame').count(), 100)
  assert.equal(await page.locator('.thread').count(), 50)
  await crashedThread.getByRole('button', { name: 'Load more' }).click()
  await crashedThread.getByText('call_199').waitFor()
  await otherThreads.getByRole('button', { name: 'Load more' }).click()
  await otherThreads.getByText('Thread 99', { exact: true }).waitFor()
  await otherThreads.locator('summary').nth(70).click()
  await otherThreads.locator('.frame').getByText('call_1').waitFor()
  assert.equal(await otherThreads.locator('.frame').count(), 2)
  person.fine()
})

test('the page of a report whose threads the server has lost states the loss and shows the rest of the report', async () => {
  const { id } = await recordCrash(stage.ask, reportOf(bundleIdentifier, []))
  rmSync(join(stage.dataDir, 'blobs', 'crash-threads', `${id}.blob`))
  await page.goto(`/crash-reports/${id}`)
  await main.getByText('The server has lost the threads of this report.').waitFor()
  await main.getByText('EXC_BREAKPOINT (SIGTRAP)').first().waitFor()
  assert.equal(await crashedThread.count(), 0)
  // Its output arrives independently of the page.
  await soon(() => assert.match(stage.program.output(), /the threads of a crash report are lost/))
  person.fine()
})
