/** What a process that died leaves to the next one, and how soon that one finds it. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { settled } from '../support/manualClock.ts'
import { openWorld } from './support/world.ts'

test('what a dead process had claimed is delivered within 5 s', async () => {
  const first = openWorld()
  const [lamp, wall] = [await first.newLamp(), await first.newWall()]
  let dead = false
  const dying = openWorld({ beside: first, owner: 'dying', failures: { away: () => dead } })
  await dying.storage.outbox.beat('dying', dying.clock.now())
  await dying.send(lamp, { type: 'tell', to: wall.id, word: 'last words' }).then(() => {
    dead = true
  })
  await settled()
  assert.equal((await first.storage.views.effects(lamp.id)).length, 1)
  const next = openWorld({ beside: first, owner: 'next' })
  next.system.start()
  await next.clock.advance(5_000)
  assert.deepEqual((await next.system.peek(wall))?.context, { words: 1, last: 'last words' })
})

test('an actor hears of its failed effect though the process died before it could say so, and hears it once', async () => {
  const never = () => new Promise<undefined>(() => {})
  const dying = openWorld({ ring: never })
  const lamp = await dying.newLamp()
  await dying.send(lamp, { type: 'ring' })
  const [effect] = await dying.storage.views.effects(lamp.id)
  await dying.storage.outbox.fail(effect?.id ?? '', 'no such bell')
  const next = openWorld({ beside: dying, owner: 'next' })
  next.system.start()
  await next.clock.advance(10_000)
  assert.equal((await next.system.peek(lamp))?.context.incidents, 1)
  const { payload } = (await next.history(lamp)).find(({ event }) => event === 'effectFailed') ?? {}
  assert.deepEqual(payload, { effectId: effect?.id, effect: 'ring', problem: 'no such bell' })
  const third = openWorld({ beside: dying, owner: 'third' })
  third.system.start()
  await third.clock.advance(10_000)
  assert.equal((await third.system.peek(lamp))?.context.incidents, 1)
})
