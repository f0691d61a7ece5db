/** A file of more than 4 GiB is written with the records of zip64, and the memory stays small. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { truncateSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { makeBundle, temporaryFolder } from './kit/bundles.ts'
import { planBundles, readWithPython, zipInto } from './kit/zips.ts'

test('unzip and Python read a file of more than 4 GiB, and one behind it', async (t) => {
  const folder = temporaryFolder(t)
  const bundle = makeBundle(folder, 'App.dSYM', { files: { Large: 10, Small: 10 } })
  const size = 2 ** 32 + 12_345
  // A file with a hole has no bytes on the disk.
  truncateSync(join(bundle, 'Contents/Resources/DWARF/Large'), size)
  const [plan] = await planBundles([bundle])
  assert.ok(plan)
  const before = process.memoryUsage().rss
  const zip = await zipInto(folder, plan)
  const used = process.memoryUsage().rss - before
  assert.ok(used < 300e6, `${used} bytes of memory`)
  assert.deepEqual(
    readWithPython(zip).map(([, bytes]) => bytes),
    [24, size, 10],
  )
  assert.match(execFileSync('unzip', ['-t', zip], { encoding: 'utf8' }), /No errors detected/)
})
