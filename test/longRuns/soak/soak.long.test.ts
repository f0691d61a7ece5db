/** A short soak in the everyday suite. The long one is `npm run soak`. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { test } from 'node:test'

test('attacks of every kind cause no error and leave no connection open, and valid callers are answered', {
  timeout: 150_000,
}, (t) => {
  const soak = join(import.meta.dirname, 'soak.ts')
  const args = [soak, '--minutes', '0.1', '--rest', '0.2', '--at-once', '20', '--any-memory']
  // In a process of its own, which ends by itself: thousands of broken sockets remain in it.
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8', timeout: 140_000 })
  t.diagnostic(stdout.split('\n')[0] ?? '')
  assert.equal(status, 0, stdout + stderr)
})
