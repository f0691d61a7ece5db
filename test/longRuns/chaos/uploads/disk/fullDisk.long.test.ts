/** A full disk refuses uploads and transfers with 507 and loses nothing, and they continue by themselves (`npm run chaos:disk`). */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { test } from 'node:test'
import { mountNamespace, mountProblem } from './limitedDisk.ts'

const script = join(import.meta.dirname, 'fullDisk.ts')
const [unshare = '', ...mount] = mountNamespace

/** With 1 byte of reserve the file system itself refuses a write. With more, the check before it does. */
const cases = [
  { fileSystem: 'ext4', reserve: 1 },
  { fileSystem: 'ext4', reserve: 64 * 1024 * 1024 },
  { fileSystem: 'tmpfs', reserve: 1 },
] as const

for (const { fileSystem, reserve } of cases) {
  // The runner lists the reason of each test that it skips.
  const skip = mountProblem(fileSystem) ?? false
  test(`uploads on a full ${fileSystem} with a reserve of ${reserve} bytes lose nothing and continue`, {
    skip,
    timeout: 400_000,
  }, (context) => {
    const args = [script, '--file-system', fileSystem, '--reserve', String(reserve)]
    const { status, stdout, stderr } = spawnSync(unshare, [...mount, process.execPath, '--no-warnings', ...args], {
      timeout: 360_000,
      encoding: 'utf8',
    })
    context.diagnostic(stdout)
    assert.equal(status, 0, `${stdout}\n${stderr}`)
  })
}
