/** The measurement of uploads with few dSYMs: the client and curl send the same zip, and the server indexes it from both. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { compileImage } from './compileImage.ts'
import { measureDsymUpload } from './measureDsymUpload.ts'

test('the client and curl upload the same zip, and each phase of the client is timed', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'dsym-upload-test-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const compiled = await compileImage(folder, 50)
  const found = await measureDsymUpload({ compiled, bundles: 3, rounds: 1, print: () => {} })
  assert.ok(found.bundleBytes > 3 * compiled.symbols.length)
  assert.ok(found.zipBytes < found.bundleBytes)
  const [client] = found.client
  assert.deepEqual(Object.keys(client ?? {}), ['zip', 'hash', 'send', 'index', 'whole'])
  const parts = (client?.zip ?? 0) + (client?.hash ?? 0) + (client?.send ?? 0) + (client?.index ?? 0)
  assert.ok(parts > 0 && parts <= (client?.whole ?? 0), `${parts} s of ${client?.whole} s`)
  assert.ok(found.curl[0]?.send && found.curl[0].index && found.curl[0].zip === undefined)
})
