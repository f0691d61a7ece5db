import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { MachineStalls } from './machineStalls.ts'

test('a process that was blocked for 700 ms counts as stalled before its next timer, and one that slept does not', async (context) => {
  const stalls = new MachineStalls()
  context.after(() => stalls.end())
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 700)
  assert.ok(stalls.isRecent)
  const others = new MachineStalls()
  context.after(() => others.end())
  await sleep(10)
  assert.ok(!others.isRecent)
})
