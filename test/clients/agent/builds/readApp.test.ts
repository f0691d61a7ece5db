/** The identity of an iOS app is read from its .ipa file. The zips are made by git. */
import assert from 'node:assert/strict'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, before, test } from 'node:test'
import { build as printPlist } from 'plist'
import { readApp } from '../../../../clients/agent/builds/readApp.ts'
import { git } from '../../../kit/program/machine.ts'

let folder = ''
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sb-ipa-'))
})
after(() => rm(folder, { recursive: true, force: true }))

let count = 0
async function ipa(files: Readonly<Record<string, string | Uint8Array>>): Promise<string> {
  const tree = join(folder, `tree-${++count}`)
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(tree, path)), { recursive: true })
    await writeFile(join(tree, path), content)
  }
  await git(tree, 'init', '--quiet')
  await git(tree, 'add', '--force', '.')
  const path = join(folder, `app-${count}.ipa`)
  await git(tree, 'archive', '--format=zip', '-o', path, await git(tree, 'write-tree'))
  return path
}

/** Written by Python’s plistlib. */
const binary = Buffer.from(
  'YnBsaXN0MDDXAQIDBAUGBwgJDg8QERJfEBNDRkJ1bmRsZURpc3BsYXlOYW1lXUNGQnVuZGxlSWNvbnNfEBJDRkJ1bmRsZUlkZW50aWZpZXJfEBpDRkJ1bmRsZVNob3J0VmVyc2lvblN0cmluZ18QD0NGQnVuZGxlVmVyc2lvbl8QEE1pbmltdW1PU1ZlcnNpb25fEBxVSVJlcXVpcmVkRGV2aWNlQ2FwYWJpbGl0aWVzZABDAGEAZgDp0QoLUWGiDA0QARACXxAQY29tLmV4YW1wbGUuc2hvcFUyLjEuMFMxNDdUMTUuMKETVWFybTY0CBctO1Btf5Kxur2/wsTG2d/j6OoAAAAAAAABAQAAAAAAAAAUAAAAAAAAAAAAAAAAAAAA8A==',
  'base64',
)

test('the identity of an app is read from a binary Info.plist, as Xcode writes it', async () => {
  assert.deepEqual(
    await readApp(await ipa({ 'Payload/Shop.app/Info.plist': binary, 'Payload/Shop.app/Shop': 'code' })),
    {
      bundleIdentifier: 'com.example.shop',
      version: '2.1.0',
      build: '147',
      title: 'Café',
    },
  )
})

test('the identity of an app is read from its own XML Info.plist, not from those of frameworks and extensions', async () => {
  const other = printPlist({ CFBundleIdentifier: 'com.example.other' })
  const files = {
    'Payload/Shop.app/Frameworks/A.framework/Info.plist': other,
    'Payload/Shop.app/Info.plist': printPlist({ CFBundleIdentifier: 'com.example.shop', CFBundleVersion: '7' }),
    'Payload/Shop.app/PlugIns/B.appex/Info.plist': other,
  }
  assert.deepEqual(await readApp(await ipa(files)), {
    bundleIdentifier: 'com.example.shop',
    version: '7',
    build: '7',
    title: 'com.example.shop',
  })
})

test('a file that is not an app is refused with the reason', async () => {
  const text = join(folder, 'text.ipa')
  await writeFile(text, 'not a zip')
  await assert.rejects(readApp(text), /[Ee]nd of central directory/)
  await assert.rejects(readApp(await ipa({ 'README.md': 'x' })), /it has no Payload\/NAME\.app\/Info\.plist/)
  const big = { 'Payload/Shop.app/Info.plist': 'x'.repeat(1_100_000) }
  await assert.rejects(readApp(await ipa(big)), /more than 1048576/)
  const nameless = { 'Payload/Shop.app/Info.plist': printPlist({ CFBundleName: 'Shop' }) }
  await assert.rejects(readApp(await ipa(nameless)), /CFBundleIdentifier/)
  const broken = { 'Payload/Shop.app/Info.plist': 'bplist00 broken' }
  await assert.rejects(readApp(await ipa(broken)))
})
