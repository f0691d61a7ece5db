/** Two processes on one database, as rivals for one actor. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Journal } from '../../actors/ports/journal.ts'
import type { ActorRef } from '../../spec/core/actor.ts'
import type { LampKind } from '../kit/runtime/lampAndWall.ts'
import { type LampSystem, openLamps } from '../kit/runtime/lampSystem.ts'
import { ManualClock, settled } from '../kit/runtime/manualClock.ts'
import { openMemoryStorage } from '../kit/runtime/memory/memory.ts'
import { refusal } from '../kit/runtime/testSystem.ts'

const press = { type: 'press' }
const note = (key: string) => ({ type: 'note', key, value: '!' })

/** Two processes that both have an activation of one actor. */
async function rivals() {
  const one = openLamps({ shared: true })
  const two = openLamps({ shared: true, beside: one, owner: 'two' })
  const lamp = await one.newLamp()
  return { one, two, lamp }
}

/** The hints that storage sends to one process about the commits of another. */
function hint(world: LampSystem, ref: ActorRef<LampKind>, seq: number): void {
  for (const feed of world.state.feeds) feed.hint([{ ref: ref as never, seq }], [])
}

test('messages that were decided on a state which another process had left are decided again in the order of their arrival', async () => {
  const { one, two, lamp } = await rivals()
  await two.send(lamp, press)
  await Promise.all(['a', 'b', 'c', 'd'].map((key) => one.send(lamp, note(key))))
  assert.deepEqual(
    (await one.history(lamp)).slice(2).map(({ payload }) => (payload as { key: string }).key),
    ['a', 'b', 'c', 'd'],
  )
})

test('the feed publishes the row of a transition only in the process that wrote it', async () => {
  const { one, two, lamp } = await rivals()
  const told: number[] = []
  for (const { storage } of [one, two])
    storage.feed.onActor(lamp.id, ({ seq, row }) => row !== undefined && told.push(seq))
  await Promise.all([one, two, one, two].map((world, index) => world.send(lamp, note(String(index)))))
  assert.deepEqual(told.sort(), [2, 3, 4, 5])
})

test('a hint about another process that comes between a message and its transition does not leave the message in the queue', async () => {
  // The message is queued, and then decided, some microtasks after it is sent.
  for (let microtasks = 0; microtasks < 10; microtasks += 1) {
    const { one, two, lamp } = await rivals()
    one.system.start()
    await two.send(lamp, press)
    const asked = one.send(lamp, press)
    for (let count = 0; count < microtasks; count += 1) await undefined
    hint(one, lamp, 2)
    let answered = false
    void asked.then(() => {
      answered = true
    })
    await settled()
    assert.ok(answered, `not answered after a hint ${microtasks} microtasks later`)
    assert.equal((await asked).seq, 3)
  }
})

test('a refusal waits until the stored state is read, and is decided again if that state has changed', async () => {
  const { one, two, lamp } = await rivals()
  assert.equal((await refusal(one.send(lamp, { type: 'hold' }))).details?.state, 'OFF')
  await two.send(lamp, press)
  assert.equal((await one.send(lamp, { type: 'hold' })).columns.status, 'ON')
})

test('a state that another process wrote and this one cannot read fails only its own actor', async () => {
  const { one, lamp } = await rivals()
  const other = await one.newLamp()
  const stored = one.state.actors.get(lamp.id)
  assert.ok(stored)
  const snapshot = stored.snapshot.replace('"off"', '"flickering"')
  one.state.actors.set(lamp.id, { ...stored, seq: 2, owner: 'newer', snapshot })
  assert.equal((await refusal(one.send(lamp, { type: 'hold' }))).code, 'INTERNAL')
  assert.equal(one.problems.length, 1)
  assert.equal((await one.send(other, press)).columns.status, 'ON')
})

test('one idempotency key that two processes receive at once creates one actor', async () => {
  const { one, two } = await rivals()
  const ask = (world: LampSystem, id: string) =>
    world.system.ask(
      { to: { kind: 'lamp', id }, event: { type: 'created' }, create: {} },
      { cause: 'request', principal: 'usr_test', requestId: 'r1', receivedAt: world.clock.now() },
      { idempotency: { key: 'usr_test|create|k', inputHash: 'h' } },
    )
  const replies = await Promise.all([
    ask(one, 'lmp_01arz3ndektsv4rrffq69g5fa0'),
    ask(two, 'lmp_01arz3ndektsv4rrffq69g5fa1'),
  ])
  assert.deepEqual(replies.map(({ repeated }) => repeated).sort(), [false, true])
  assert.equal(new Set(replies.map(({ row }) => row.id)).size, 1)
})

test('a message that another process has executed under the same key is answered as a repeat, although it would be refused now', async () => {
  const { one, two } = await rivals()
  const wall = { kind: 'wall', id: 'wal_01arz3ndektsv4rrffq69g5fa0' } as const
  const ask = (
    { system, clock }: LampSystem,
    event: string,
    more: { readonly create?: Readonly<Record<string, never>> } = {},
  ) =>
    system.ask(
      { to: wall, event: { type: event }, ...more },
      { cause: 'request', principal: 'usr_test', requestId: 'r1', receivedAt: clock.now() },
      { idempotency: { key: `usr_test|${event}|k`, inputHash: 'h' } },
    )
  await ask(one, 'create', { create: {} })
  const replies = await Promise.all([ask(one, 'fall'), ask(two, 'fall')])
  assert.deepEqual(replies.map(({ repeated, row }) => [repeated, row.seq]).sort(), [
    [false, 2],
    [true, 2],
  ])
})

test('a process with an activation of an actor answers its creation as a repeat if another process used the same key', async () => {
  const one = openLamps({ shared: true })
  const { journal } = openMemoryStorage({ owner: 'two', state: one.state })
  const made = Promise.withResolvers<void>()
  let looks = 0
  const slow: Journal = {
    load: (requests) => journal.load(requests),
    commit: (batch, done) => journal.commit(batch, done),
    settle: (batch) => journal.settle(batch),
    async idempotent(key) {
      const first = await journal.idempotent(key)
      // It finds no such key, and goes on when the other process has made the actor.
      if (looks++ === 0) await made.promise
      return first
    },
  }
  const two = openLamps({ shared: true, beside: one, owner: 'two', journal: slow })
  const to: ActorRef<LampKind> = { kind: 'lamp', id: 'lmp_01arz3ndektsv4rrffq69g5fa0' }
  const make = (world: LampSystem, key: string) =>
    world.system.ask(
      { to, event: { type: 'created' }, create: {} },
      { cause: 'request', principal: 'usr_test', requestId: 'r1', receivedAt: world.clock.now() },
      { idempotency: { key, inputHash: 'h' } },
    )
  const asked = make(two, 'usr_test|create|k')
  await make(one, 'usr_test|create|k')
  await two.send(to, press)
  made.resolve()
  assert.equal((await asked).repeated, true)
  assert.equal((await refusal(make(two, 'usr_test|create|other'))).code, 'CONFLICT')
})

test('an actor is loaded once, and messages that arrive during the load wait in their order', async () => {
  const clock = new ManualClock()
  const first = openLamps({ clock })
  const lamp = await first.newLamp()
  const { journal } = openMemoryStorage({ owner: 'two', state: first.state })
  let loads = 0
  const slow: Journal = {
    commit: (batch, done) => journal.commit(batch, done),
    settle: (batch) => journal.settle(batch),
    idempotent: (key) => journal.idempotent(key),
    async load(refs) {
      loads++
      const found = await journal.load(refs)
      // A later load answers sooner.
      await new Promise<void>((resolve) => void clock.after(loads === 1 ? 100 : 1, resolve))
      return found
    },
  }
  const second = openLamps({ beside: first, owner: 'two', journal: slow })
  const asked = ['a', 'b', 'c'].map(async (key) => {
    const step = await second.send(lamp, note(key))
    return [key, step.seq]
  })
  await settled()
  const late = second.send(lamp, note('d'))
  await clock.advance(200)
  assert.deepEqual(await Promise.all(asked), [
    ['a', 2],
    ['b', 3],
    ['c', 4],
  ])
  assert.equal((await late).seq, 5)
  assert.equal(loads, 1)
})
