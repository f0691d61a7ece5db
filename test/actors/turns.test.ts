/** Two processes that write one actor under load take turns; a process alone never waits. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Journal } from '../../actors/ports/journal.ts'
import type { ActorRef } from '../../spec/core/actor.ts'
import type { LampKind } from '../kit/runtime/lampAndWall.ts'
import { type LampSystem, openLamps } from '../kit/runtime/lampSystem.ts'
import { type ManualClock, settled } from '../kit/runtime/manualClock.ts'
import { openMemoryStorage } from '../kit/runtime/memory/memory.ts'

/** Storage whose loads take 4 ms and whose commits take 1 ms. So a process that has to load an actor is later than one that has it. */
function slowJournal(clock: ManualClock, { journal }: LampSystem['storage']): Journal {
  const pause = (ms: number) => new Promise<void>((resolve) => void clock.after(ms, resolve))
  return {
    async load(requests) {
      await pause(2)
      const found = await journal.load(requests)
      await pause(2)
      return found
    },
    async commit(batch, done) {
      await pause(1)
      return journal.commit(batch, done)
    },
    settle: (batch) => journal.settle(batch),
    idempotent: (key) => journal.idempotent(key),
  }
}

function slowWorld(owner: string, beside: LampSystem): LampSystem {
  const storage = openMemoryStorage({ owner, state: beside.state })
  const { feed } = storage
  const journal = slowJournal(beside.clock, storage)
  const world = openLamps({ beside, owner, shared: true, journal, feed })
  world.system.start()
  return world
}

interface Sent {
  readonly key: string
  /** Milliseconds from sending to the answer. */
  readonly ms: number
}

/** Senders that each send the next message when the last one is answered, until `until`. */
async function send(
  world: LampSystem,
  to: ActorRef<LampKind>,
  senders: number,
  until: number,
  sent: Sent[],
): Promise<void> {
  const sender = async (name: string) => {
    for (let count = 0; world.clock.monotonic() < until; count++) {
      const began = world.clock.monotonic()
      const key = `${name}-${count}`
      await world.send(to, { type: 'note', key, value: 'x' })
      sent.push({ key, ms: world.clock.monotonic() - began })
    }
  }
  await Promise.all(Array.from({ length: senders }, (_, index) => sender(`sender ${index}`)))
}

test('a process that has to load an actor can soon write it, although another process writes it all the time', async () => {
  const base = openLamps()
  const lamp = await base.newLamp()
  const [one, two] = [slowWorld('one', base), slowWorld('two', base)]
  const sent: Record<'one' | 'two', Sent[]> = { one: [], two: [] }
  const until = base.clock.monotonic() + 2_000
  const load = Promise.all([send(one, lamp, 4, until, sent.one), send(two, lamp, 4, until, sent.two)])
  await settled()
  await base.clock.advance(3_000)
  await load
  const slowest = Math.max(...[...sent.one, ...sent.two].map(({ ms }) => ms))
  const counts = [sent.one.length, sent.two.length] as const
  assert.ok(slowest < 400, `the slowest message took ${slowest} ms (${counts} messages)`)
  assert.ok(Math.min(...counts) > 300, `messages: ${counts}`)
  // Each message was applied exactly once, however often a process lost.
  assert.equal(base.state.actors.get(lamp.id)?.seq, 1 + counts[0] + counts[1])
  assert.deepEqual([one.problems, two.problems], [[], []])
})

test('an actor that only one process writes is written without pauses', async () => {
  const base = openLamps()
  const lamp = await base.newLamp()
  const one = slowWorld('one', base)
  const sent: Sent[] = []
  const load = send(one, lamp, 1, base.clock.monotonic() + 2_000, sent)
  await settled()
  await base.clock.advance(2_100)
  await load
  // The first message has to load the actor, too.
  assert.equal(Math.max(...sent.slice(1).map(({ ms }) => ms)), 1)
  assert.equal(sent.length, 1_996)
})
