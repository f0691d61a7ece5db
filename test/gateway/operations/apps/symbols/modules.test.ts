/** The committed WebAssembly modules are those that were built from the sources beside them. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { test } from 'node:test'
import {
  hashFiles,
  hashSources,
  type Manifest,
  moduleFiles,
} from '../../../../../gateway/operations/apps/symbols/native/build.ts'

const folder = resolve(import.meta.dirname, '../../../../../gateway/operations/apps/symbols/native')
const manifest = JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8')) as Manifest

test('the sources are those of the last build (otherwise: npm run build:symbols)', () => {
  assert.ok(Object.keys(manifest.sources).length > 10)
  assert.deepEqual(hashSources(), manifest.sources)
})

test('the modules are those of the last build', () => {
  assert.deepEqual(hashFiles(folder, moduleFiles), manifest.modules)
})

test('the modules import only the functions and the memory that their hosts provide', () => {
  const importsOf = (file: string) =>
    WebAssembly.Module.imports(new WebAssembly.Module(readFileSync(join(folder, file)))).map(({ name }) => name)
  assert.deepEqual(importsOf('dwarfReader.wasm'), ['memory', 'memory_exhausted'])
  assert.deepEqual(importsOf('demangler.wasm'), ['fd_close', 'fd_seek', 'fd_write'])
})
