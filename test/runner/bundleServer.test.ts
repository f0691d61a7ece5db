import { deepEqual, match } from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { bundleServer } from './bundleServer.ts'

const files = {
  'main.ts': `import { prepared } from './gateway/http/uws.ts'
import { failure, place } from './parts/place.ts'
console.log(JSON.stringify({ place, stack: failure().stack, prepared }))`,
  'parts/place.ts': `export const place: readonly string[] = [import.meta.url, import.meta.dirname, import.meta.filename]
interface Nothing {
  readonly nothing: true
}
export const failure = (): Error => new Error('with a stack')`,
  'gateway/http/uws.ts': 'export const prepared = import.meta.url',
}

test('each file in a bundle keeps its own URL and path, and a stack trace has the lines of the source', async (t) => {
  const root = mkdtempSync(join(tmpdir(), 'bundle-server-'))
  t.after(() => rmSync(root, { recursive: true, force: true }))
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  const bundle = join(root, 'bundles/server.mjs')
  await bundleServer(root, bundle)
  const output = execFileSync(process.execPath, ['--no-warnings', '--enable-source-maps', bundle], { encoding: 'utf8' })
  const { place, stack, prepared } = JSON.parse(output)
  const path = join(root, 'parts/place.ts')
  deepEqual(place, [pathToFileURL(path).href, dirname(path), path])
  match(stack, /parts\/place\.ts:5:37/)
  deepEqual(prepared, pathToFileURL(join(root, 'gateway/http/uws.ts')).href, 'it is loaded by itself')
})
