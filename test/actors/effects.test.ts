/** Messages between actors and effects on the world: what is guaranteed of each when something breaks in between. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { attemptLimit, unavailableLimit } from '../../actors/outbox/dispatcher.ts'
import { silentMs } from '../../actors/ports/outbox.ts'
import { Failure } from '../../spec/core/failure.ts'
import { openLamps } from '../kit/runtime/lampSystem.ts'
import { settled } from '../kit/runtime/manualClock.ts'

const newWallRef = (n: number) => ({ kind: 'wall', id: `wal_${String(n).padStart(26, '0')}` }) as const

test('a tell from one actor to another is delivered once', async () => {
  const world = openLamps()
  const [lamp, wall] = [await world.newLamp(), await world.newWall()]
  await world.send(lamp, { type: 'tell', to: wall.id, word: 'hello' })
  await settled()
  assert.deepEqual((await world.system.peek(wall))?.context, { words: 1, last: 'hello' })
  assert.deepEqual(await world.storage.views.effects(lamp.id), [])
  assert.deepEqual((await world.history(wall)).at(-1)?.cause.type, 'actor')
})

test('a tell that a dead process had not delivered is delivered once by the next process', async () => {
  const first = openLamps()
  const [lamp, wall] = [await first.newLamp(), await first.newWall()]
  // It dies between its commit and the delivery.
  let dead = false
  const dying = openLamps({ beside: first, owner: 'dying', failures: { away: () => dead } })
  const last = dying.send(lamp, { type: 'tell', to: wall.id, word: 'last words' })
  await last.then(() => {
    dead = true
  })
  await dying.clock.advance(0)
  assert.equal((await first.storage.views.effects(lamp.id)).length, 1)
  const next = openLamps({ beside: first, owner: 'next' })
  next.system.start()
  await next.clock.advance(120_000)
  assert.deepEqual((await next.system.peek(wall))?.context, { words: 1, last: 'last words' })
  assert.deepEqual(await next.storage.views.effects(lamp.id), [])
})

test('an effect whose process died while executing it is executed by the next process under the same key', async () => {
  const keys: string[] = []
  const first = openLamps({
    ring: ({ id }) => {
      keys.push(id)
      return new Promise(() => {})
    },
  })
  const lamp = await first.newLamp()
  await first.send(lamp, { type: 'ring' })
  // Other transitions are committed meanwhile. Their commits remove the completed effects.
  await first.send(lamp, { type: 'press' })
  await settled()
  const next = openLamps({
    beside: first,
    owner: 'next',
    ring: async ({ id }) => {
      keys.push(id)
      return undefined
    },
  })
  next.system.start()
  await next.clock.advance(silentMs - 1_000)
  assert.equal(keys.length, 1, 'the claim of the first process has not expired')
  await next.clock.advance(90_000)
  assert.deepEqual(keys, Array(2).fill(`${lamp.id}:2:0`))
  assert.deepEqual(await next.storage.views.effects(lamp.id), [])
})

test('an effect that a running process executes is not started a second time', async () => {
  let rings = 0
  const ring = () => {
    rings++
    return new Promise<undefined>(() => {})
  }
  const world = openLamps({ ring })
  world.system.start()
  const lamp = await world.newLamp()
  await world.send(lamp, { type: 'ring' })
  await world.clock.advance(300_000)
  assert.equal(rings, 1)
})

test('an actor that is to be created and already exists counts as created', async () => {
  const world = openLamps()
  world.system.start()
  const [lamp, wall] = [await world.newLamp(), await world.newWall()]
  await world.send(lamp, { type: 'build', to: wall.id, name: 'north' })
  await world.clock.advance(5_000)
  assert.deepEqual(await world.storage.views.effects(lamp.id), [])
  assert.equal((await world.system.peek(lamp))?.context.refusal, null)
})

test('an actor that is to be created under a taken name is created when the name becomes free', async () => {
  const world = openLamps()
  world.system.start()
  const [lamp, first, second] = [await world.newLamp(), newWallRef(1), newWallRef(2)]
  await world.send(lamp, { type: 'build', to: first.id, name: 'north' })
  await settled()
  await world.send(lamp, { type: 'build', to: second.id, name: 'north' })
  await world.clock.advance(1_000)
  assert.equal(await world.system.peek(second), undefined)
  await world.send(first, { type: 'fall' })
  await world.clock.advance(60_000)
  assert.equal((await world.system.peek(second))?.columns.status, 'STANDING')
  assert.deepEqual(await world.storage.views.effects(lamp.id), [])
  assert.equal((await world.system.peek(lamp))?.context.refusal, null)
})

test('if the name stays taken, the actor that requested the creation receives the refusal', async () => {
  const world = openLamps()
  world.system.start()
  const [lamp, first, second] = [await world.newLamp(), newWallRef(1), newWallRef(2)]
  for (const { id } of [first, second]) {
    await world.send(lamp, { type: 'build', to: id, name: 'north' })
    await settled()
  }
  await world.clock.advance(300_000)
  assert.equal((await world.system.peek(lamp))?.context.refusal, 'CONFLICT north')
  assert.equal(await world.system.peek(second), undefined)
  assert.deepEqual(await world.storage.views.effects(lamp.id), [])
})

test('a refused tell is answered: the sender receives the refusal with the message that it had sent', async () => {
  const world = openLamps()
  const [lamp, wall] = [await world.newLamp(), await world.newWall()]
  await world.send(wall, { type: 'fall' })
  await world.send(lamp, { type: 'tell', to: wall.id, word: 'anybody?' })
  await settled()
  assert.equal((await world.system.peek(lamp))?.context.refusal, 'FAILED_PRECONDITION anybody?')
  assert.deepEqual(await world.storage.views.effects(lamp.id), [])
})

test('an effect answers its actor with its result', async () => {
  const world = openLamps({ ring: async ({ params }) => ({ type: 'rung', tone: (params as { tone: string }).tone }) })
  const lamp = await world.newLamp()
  await world.send(lamp, { type: 'ring' })
  await settled()
  assert.equal((await world.system.peek(lamp))?.context.tone, 'c')
  assert.deepEqual(await world.storage.views.effects(lamp.id), [])
})

test('an effect that fails is tried again under one idempotency key, and succeeds', async () => {
  const keys: string[] = []
  const world = openLamps({
    ring: async ({ id }) => {
      keys.push(id)
      if (keys.length < 4) throw new Error('busy')
      return undefined
    },
  })
  world.system.start()
  const lamp = await world.newLamp()
  await world.send(lamp, { type: 'ring' })
  await world.clock.advance(60_000)
  assert.deepEqual(keys, Array(4).fill(`${lamp.id}:2:0`))
  assert.deepEqual(await world.storage.views.effects(lamp.id), [])
})

test('an effect that a stopping server interrupts is not a failure: the next process executes it', async () => {
  const reported: unknown[] = []
  const interruption = Promise.withResolvers<undefined>()
  const first = openLamps({ ring: () => interruption.promise, problem: (error) => reported.push(error) })
  const lamp = await first.newLamp()
  await first.send(lamp, { type: 'ring' })
  const stopping = first.system.stop()
  interruption.reject(new Error('The server is stopping.'))
  await first.clock.advance(10_000)
  await stopping
  assert.deepEqual(reported, [])
  let rings = 0
  const next = openLamps({
    beside: first,
    owner: 'next',
    ring: async () => {
      rings++
      return undefined
    },
  })
  next.system.start()
  await next.clock.advance(120_000)
  assert.equal(rings, 1)
  assert.deepEqual(await next.storage.views.effects(lamp.id), [])
})

test('an effect that is UNAVAILABLE for half an hour is executed afterwards, and after about an hour it needs an operator', async () => {
  let attempts = 0
  let isAvailable = false
  const world = openLamps({
    ring: async () => {
      attempts++
      if (!isAvailable) throw new Failure('UNAVAILABLE', 'Too many messages wait.')
      return undefined
    },
  })
  world.system.start()
  const lamp = await world.newLamp()
  await world.send(lamp, { type: 'ring' })
  await world.clock.advance(30 * 60_000)
  assert.ok(attempts > 2 * attemptLimit, `${attempts} attempts`)
  assert.equal((await world.system.peek(lamp))?.columns.incidents, 0)
  isAvailable = true
  await world.clock.advance(2 * 60_000)
  assert.deepEqual(await world.storage.views.effects(lamp.id), [])

  isAvailable = false
  attempts = 0
  await world.send(lamp, { type: 'ring' })
  await world.clock.advance(3 * 3_600_000)
  assert.equal(attempts, unavailableLimit)
  assert.equal((await world.system.peek(lamp))?.columns.incidents, 1)
})

test('an effect that has spent its attempts becomes an INCIDENT and waits for an operator', async () => {
  let attempts = 0
  const world = openLamps({
    ring: async () => {
      attempts++
      throw new Error('the bell is broken')
    },
  })
  world.system.start()
  const lamp = await world.newLamp()
  await world.send(lamp, { type: 'ring' })
  await world.clock.advance(600_000)
  assert.equal(attempts, attemptLimit)
  const row = await world.system.peek(lamp)
  assert.deepEqual([row?.columns.status, row?.columns.incidents], ['INCIDENT', 1])
  const [effect] = await world.storage.views.effects(lamp.id)
  assert.equal(effect?.failure, 'the bell is broken')
  assert.deepEqual(
    (await world.storage.views.stuck({ now: world.clock.now(), limit: 10 })).map(({ id }) => id),
    [lamp.id],
  )
})
