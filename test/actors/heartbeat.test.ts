/** A process sends its heartbeats whatever else storage is slow at. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Outbox } from '../../actors/ports/outbox.ts'
import { openLamps } from '../kit/runtime/lampSystem.ts'
import { settled } from '../kit/runtime/manualClock.ts'
import { openMemoryStorage } from '../kit/runtime/memory/memory.ts'
import { MemoryState } from '../kit/runtime/memory/state.ts'

/** A system whose outbox counts its calls and is replaced in part by `change`. */
async function started(change: (outbox: Outbox) => Partial<Outbox>) {
  const { outbox } = openMemoryStorage({ owner: 'one', state: new MemoryState() })
  const calls = { beats: 0, claims: 0 }
  const changed = change(outbox)
  const world = openLamps({
    outbox: {
      beat(...args) {
        calls.beats++
        return (changed.beat ?? outbox.beat.bind(outbox))(...args)
      },
      claim(...args) {
        calls.claims++
        return (changed.claim ?? outbox.claim.bind(outbox))(...args)
      },
      retry: (...args) => outbox.retry(...args),
      fail: (...args) => outbox.fail(...args),
      unreported: (...args) => outbox.unreported(...args),
      markReported: (...args) => outbox.markReported(...args),
      done: (...args) => outbox.done(...args),
    },
  })
  world.system.start()
  await settled()
  return { world, calls }
}

test('heartbeats continue once a second while a claim hangs, and no second claim is sent', async () => {
  const { world, calls } = await started(() => ({ claim: () => new Promise(() => {}) }))
  await world.clock.advance(10_000)
  assert.deepEqual(calls, { beats: 11, claims: 1 })
})

test('no second heartbeat is sent while one hangs, and nothing is claimed without a heartbeat', async () => {
  const { world, calls } = await started(() => ({ beat: () => new Promise(() => {}) }))
  await world.clock.advance(10_000)
  assert.deepEqual(calls, { beats: 1, claims: 0 })
})

test('a heartbeat that fails is reported once and sent again in the next second', async () => {
  let failing = true
  const { world, calls } = await started((outbox) => ({
    beat: async (owner, now) => {
      if (failing) throw new Error('the database is unavailable')
      return outbox.beat(owner, now)
    },
  }))
  await world.clock.advance(2_500)
  assert.deepEqual([calls, world.problems.length], [{ beats: 3, claims: 0 }, 3])
  failing = false
  await world.clock.advance(2_000)
  assert.deepEqual([calls, world.problems.length], [{ beats: 5, claims: 2 }, 3])
})
