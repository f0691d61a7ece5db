/** The work that a process leaves when it dies, and the time until another process takes it over. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { openStorage } from '../../storage/open.ts'
import { openLamps, openStoredLamps } from '../kit/runtime/lampSystem.ts'
import { ManualClock, settled } from '../kit/runtime/manualClock.ts'
import { stopServers, testDatabase } from '../kit/runtime/postgres/postgres.ts'

after(stopServers)

test('an effect that a dead process had claimed is delivered within 5 s', async () => {
  const first = openLamps()
  const [lamp, wall] = [await first.newLamp(), await first.newWall()]
  let dead = false
  const dying = openLamps({ beside: first, owner: 'dying', failures: { away: () => dead } })
  await dying.storage.outbox.beat('dying', dying.clock.now())
  await dying.send(lamp, { type: 'tell', to: wall.id, word: 'last words' }).then(() => {
    dead = true
  })
  await settled()
  assert.equal((await first.storage.views.effects(lamp.id)).length, 1)
  const next = openLamps({ beside: first, owner: 'next' })
  next.system.start()
  await next.clock.advance(5_000)
  assert.deepEqual((await next.system.peek(wall))?.context, { words: 1, last: 'last words' })
})

test('an actor is notified of its failed effect exactly once, even if the process died before the notification', async () => {
  const never = () => new Promise<undefined>(() => {})
  const dying = openLamps({ ring: never })
  const lamp = await dying.newLamp()
  await dying.send(lamp, { type: 'ring' })
  const [effect] = await dying.storage.views.effects(lamp.id)
  await dying.storage.outbox.fail(effect?.id ?? '', 'one', 'no such bell')
  const next = openLamps({ beside: dying, owner: 'next' })
  next.system.start()
  await next.clock.advance(10_000)
  assert.equal((await next.system.peek(lamp))?.context.incidents, 1)
  const { payload } = (await next.history(lamp)).find(({ event }) => event === 'effectFailed') ?? {}
  assert.deepEqual(payload, { effectId: effect?.id, effect: 'ring', problem: 'no such bell' })
  const third = openLamps({ beside: dying, owner: 'third' })
  third.system.start()
  await third.clock.advance(10_000)
  assert.equal((await third.system.peek(lamp))?.context.incidents, 1)
})

/**
 * Two processes on one PostgreSQL. The first was declared dead by the second while it was only slow, and commits an effect
 * afterwards that it does not end. Answers who carried it out, and after how many seconds the other one did.
 */
async function afterDeclaredDead(living: boolean): Promise<{ rung: string[]; seconds: number }> {
  const database = await testDatabase()
  // The effects that are committed below are claimed by the database's clock. So this one starts 10 s before it, and is moved to it.
  const clock = new ManualClock(Date.now() - 10_000)
  const rung: string[] = []
  const process = async (owner: string) => {
    const storage = await openStorage({ ...database.target, owner, log: () => {} })
    const ring = async (): Promise<undefined> => {
      rung.push(owner)
      return owner === 'slow' ? new Promise<undefined>(() => {}) : undefined
    }
    const { journal, outbox, timers, quarantine, feed } = storage
    return {
      storage,
      world: openStoredLamps({ journal, outbox, timers, quarantine, feed, shared: true, clock, owner, ring }),
    }
  }
  const [slow, other] = [await process('slow'), await process('other')]
  try {
    const lamp = await slow.world.newLamp()
    await slow.storage.outbox.beat('slow', clock.now())
    // To the database's time, which is more than 10 s later: on a busy machine the steps above take seconds.
    await clock.advance(Date.now() - clock.now())
    await other.storage.outbox.beat('other', clock.now())
    await slow.world.send(lamp, { type: 'ring' })
    other.world.system.start()
    for (let seconds = 1; ; seconds++) {
      if (living) await slow.storage.outbox.beat('slow', clock.now())
      await clock.advance(1_000)
      await sleep(30)
      if (rung.length > 1 || seconds === 30) return { rung, seconds }
    }
  } finally {
    await other.world.system.stop()
    for (const { storage } of [slow, other]) await storage.close()
    await database.drop()
  }
}

test('an effect that a process commits after it was declared dead is executed by another process within 5 s', async () => {
  const { rung, seconds } = await afterDeclaredDead(false)
  assert.deepEqual(rung, ['slow', 'other'])
  assert.ok(seconds <= 5, `it took ${seconds} s`)
})

test('a process that was declared dead but sends heartbeats again keeps the effects that it executes', async () => {
  assert.deepEqual((await afterDeclaredDead(true)).rung, ['slow'])
})
