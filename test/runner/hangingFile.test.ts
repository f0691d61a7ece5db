/** The end of a test file that does not end by itself. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { test } from 'node:test'
import { killRunOf, withDescendants } from './hangingFile.ts'

test('ending a file ends all processes that it started, and no other process', { timeout: 20_000 }, async (t) => {
  const name = `endless-${process.pid}.test.ts`
  const file = spawn('sh', ['-c', 'sleep 1000 & echo begun; wait', name], { stdio: ['ignore', 'pipe', 'ignore'] })
  const other = spawn('sleep', ['1000'], { stdio: 'ignore' })
  t.after(() => [file, other].map((one) => one.kill('SIGKILL')))
  await once(file.stdout, 'data')
  assert.equal(killRunOf(name), true)
  await once(file, 'exit')
  assert.equal(file.signalCode, 'SIGKILL')
  // Its pipe is closed when the last process that holds it has ended.
  if (!file.stdout.closed) await once(file.stdout.resume(), 'close')
  assert.equal(other.signalCode, null)
  assert.equal(killRunOf(name), false, 'nothing is left to end')
})

test('the processes of a file are found over all generations', () => {
  const rows = [
    { pid: 4, parent: 3, command: '' },
    { pid: 2, parent: 1, command: '' },
    { pid: 3, parent: 2, command: '' },
    { pid: 9, parent: 1, command: '' },
  ]
  assert.deepEqual(withDescendants(2, rows), [2, 3, 4])
})
