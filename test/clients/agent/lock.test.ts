/** The lock on an agent's state folder, while another process removes incomplete files from the folder. */
import assert from 'node:assert/strict'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { AgentFailure, exitCodes } from '../../../clients/agent/failures.ts'
import { takeLock } from '../../../clients/agent/system/lock.ts'

let folder: string
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'signalbox-lock-'))
})
after(() => rm(folder, { recursive: true, force: true }))

test('if several agents lock a folder while temporary files are deleted, one succeeds and the others fail as locked', async () => {
  let over = false
  const sweeping = (async () => {
    while (!over) {
      const names = (await readdir(folder)).filter((name) => name.endsWith('.tmp'))
      await Promise.all(names.map((name) => rm(join(folder, name), { force: true })))
    }
  })()
  const answers = await Promise.allSettled(Array.from({ length: 8 }, () => takeLock(folder, 0)))
  over = true
  await sweeping
  const refusals = answers.flatMap((answer) => (answer.status === 'rejected' ? [answer.reason] : []))
  assert.equal(refusals.length, 7)
  for (const reason of refusals) {
    assert.ok(reason instanceof AgentFailure, String(reason))
    assert.equal(reason.exitCode, exitCodes.locked)
  }
})

test('a lock in a folder that does not exist fails with ENOENT, without a wait', async () => {
  await assert.rejects(takeLock(join(folder, 'gone'), 0), { code: 'ENOENT' })
})
