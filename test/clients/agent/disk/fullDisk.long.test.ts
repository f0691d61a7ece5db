/** The state folder of an agent is on a disk that becomes full. The disk is a real file system, which another process fills. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { test } from 'node:test'
import { mountNamespace, mountProblem } from '../../../longRuns/chaos/uploads/disk/limitedDisk.ts'

const script = join(import.meta.dirname, 'fullDiskJobs.ts')
const [unshare = '', ...mount] = mountNamespace

for (const fileSystem of ['ext4', 'tmpfs'] as const) {
  // The runner lists the reason of each test that it skips.
  const skip = mountProblem(fileSystem) ?? false
  test(`on a full ${fileSystem}, jobs end with DISK_FULL, and the agent continues`, { skip, timeout: 180_000 }, () => {
    const args = ['--disable-warning=ExperimentalWarning', script, fileSystem]
    const { status, stdout, stderr } = spawnSync(unshare, [...mount, process.execPath, ...args], {
      timeout: 150_000,
      encoding: 'utf8',
    })
    assert.equal(status, 0, `${stdout}\n${stderr}`)
  })
}
