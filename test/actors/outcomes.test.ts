/** An effect has one outcome, whichever processes attempt it, and its attempts come to an end whatever becomes of them. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { attemptLimit, type EffectHandler, interruptionLimit } from '../../actors/outbox/dispatcher.ts'
import type { Outbox } from '../../actors/ports/outbox.ts'
import { toActorEvent } from '../../spec/operators/operatorAction.ts'
import { openStorage } from '../../storage/open.ts'
import { connect } from '../../storage/sql/sql.ts'
import { type LampSystem, openLamps, openStoredLamps } from '../kit/runtime/lampSystem.ts'
import { ManualClock, settled } from '../kit/runtime/manualClock.ts'
import { openMemoryStorage } from '../kit/runtime/memory/memory.ts'
import { stopServers, testDatabase } from '../kit/runtime/postgres/postgres.ts'

after(stopServers)

const never = () => new Promise<undefined>(() => {})

/** The outbox of a process that hangs: it neither sends heartbeats nor claims. */
function hanging(outbox: Outbox): Outbox {
  return {
    beat: async () => {},
    claim: async () => [],
    unreported: async () => [],
    retry: (...given) => outbox.retry(...given),
    fail: (...given) => outbox.fail(...given),
    markReported: (id) => outbox.markReported(id),
    done: (ids) => outbox.done(ids),
  }
}

/**
 * Two processes at the last attempt of an effect. `slow` began it, missed its heartbeats and continues later. `next` took it over. The
 * arguments decide whether each fails or succeeds.
 */
async function lastAttempts(slow: EffectHandler, next: EffectHandler) {
  const base = openLamps({ shared: true, owner: 'zero' })
  const { outbox } = openMemoryStorage({ owner: 'slow', state: base.state })
  const first = openLamps({ shared: true, beside: base, owner: 'slow', outbox: hanging(outbox), ring: slow })
  const second = openLamps({ shared: true, beside: first, owner: 'next', ring: next })
  first.system.start()
  const lamp = await first.newLamp()
  await first.send(lamp, { type: 'ring' })
  const id = `${lamp.id}:2:0`
  const held = first.state.outbox.get(id) ?? assert.fail('no effect')
  first.state.outbox.set(id, {
    ...held,
    effect: { ...held.effect, attempts: attemptLimit, failures: attemptLimit - 1 },
  })
  second.system.start()
  return { clock: base.clock, state: base.state, lamp, id, second }
}

const outcomes = async ({ second, lamp }: { second: LampSystem; lamp: { kind: 'lamp'; id: string } }) =>
  (await second.history(lamp as never)).map(({ event }) => event).slice(2)

async function operate(world: LampSystem, id: string, lamp: never, type: 'RETRY_EFFECT' | 'GIVE_UP_EFFECT') {
  const operatorAction = { type, effectId: id }
  const origin = { cause: 'operator', principal: 'usr', requestId: 'r', receivedAt: world.clock.now() } as const
  await world.system.ask({ to: lamp, event: toActorEvent(operatorAction), operatorAction }, origin)
}

for (const decision of ['RETRY_EFFECT', 'GIVE_UP_EFFECT'] as const) {
  test(`a success after the failure was reported changes nothing, and an operator can ${decision}`, async () => {
    const gate = Promise.withResolvers<void>()
    const slow = () => gate.promise.then(() => ({ type: 'rung', tone: 'late' }))
    const scene = await lastAttempts(slow, async () => {
      throw new Error('no bell')
    })
    for (let second = 0; second < 8; second++) await scene.clock.advance(1_000)
    gate.resolve()
    await scene.clock.advance(2_000)
    assert.deepEqual(await outcomes(scene as never), ['effectFailed'])
    assert.equal(scene.state.outbox.get(scene.id)?.effect.failure, 'no bell')
    await operate(scene.second, scene.id, scene.lamp as never, decision)
  })
}

test('a failure after the success was reported changes nothing', async () => {
  const gate = Promise.withResolvers<void>()
  const slow = () => gate.promise.then(() => ({ type: 'rung', tone: 'late' }))
  const scene = await lastAttempts(slow, async () => {
    gate.resolve()
    for (let turn = 0; turn < 2; turn++) await settled()
    throw new Error('no bell')
  })
  for (let second = 0; second < 8; second++) await scene.clock.advance(1_000)
  assert.deepEqual(await outcomes(scene as never), ['rung'])
  assert.equal(scene.state.outbox.size, 0)
})

test('a success without an event after the failure was reported leaves the failed effect to the operator', async () => {
  const gate = Promise.withResolvers<void>()
  const slow = () => gate.promise.then(() => undefined)
  const scene = await lastAttempts(slow, async () => {
    throw new Error('no bell')
  })
  for (let second = 0; second < 8; second++) await scene.clock.advance(1_000)
  gate.resolve()
  await scene.clock.advance(2_000)
  assert.deepEqual(await outcomes(scene as never), ['effectFailed'])
  await operate(scene.second, scene.id, scene.lamp as never, 'RETRY_EFFECT')
})

test('an effect whose attempts each end their process fails after its last attempt', async () => {
  let attempts = 0
  const kill = () => {
    attempts++
    return never()
  }
  let world = openLamps({ owner: 'p0', ring: kill })
  world.system.start()
  const lamp = await world.newLamp()
  await world.send(lamp, { type: 'ring' })
  for (let n = 1; n <= interruptionLimit + 3; n++) {
    await world.system.stop(0)
    world = openLamps({ beside: world, owner: `p${n}`, ring: kill })
    world.system.start()
    await world.clock.advance(6_000)
  }
  assert.equal(attempts, interruptionLimit)
  const row = await world.system.peek(lamp)
  assert.deepEqual([row?.columns.status, row?.columns.incidents], ['INCIDENT', 1])
  const [effect] = await world.storage.views.effects(lamp.id)
  assert.match(effect?.failure ?? '', /^24 of its attempts did not end/)
})

test('restarts during an effect do not reduce the number of its attempts that may fail', async () => {
  let attempts = 0
  const interrupted = () => {
    attempts++
    return never()
  }
  const restarts = attemptLimit + 2
  let world = openLamps({ owner: 'p0', ring: interrupted })
  world.system.start()
  const lamp = await world.newLamp()
  await world.send(lamp, { type: 'ring' })
  for (let n = 1; n <= restarts; n++) {
    await world.system.stop(0)
    const isLast = n === restarts
    world = openLamps({
      beside: world,
      owner: `p${n}`,
      ring: isLast
        ? async () => {
            attempts++
            if (attempts < restarts + attemptLimit) throw new Error('the bell is broken')
            return { type: 'rung', tone: 'clear' }
          }
        : interrupted,
    })
    world.system.start()
    await world.clock.advance(6_000)
  }
  await world.clock.advance(600_000)
  assert.equal(attempts, restarts + attemptLimit)
  assert.deepEqual(await world.storage.views.effects(lamp.id), [])
  assert.equal((await world.system.peek(lamp))?.columns.incidents, 0)
})

test('500 effects that this program cannot read delay no other effect, are logged once a minute, and stay stored', async () => {
  const database = await testDatabase()
  const storage = await openStorage({ ...database.target, owner: 'one', log: () => {} })
  const sql = connect(database.target, { name: 'test', max: 1 })
  const clock = new ManualClock()
  const { journal, outbox, timers, quarantine, feed } = storage
  const world = openStoredLamps({ journal, outbox, timers, quarantine, feed, clock, ring: async () => undefined })
  try {
    const lamp = await world.newLamp()
    const due = clock.now() - 1_000
    await sql`
      insert into outbox (actor, seq, n, type, params, due, claimed_until)
      select 'new_' || n, 1, n, 'send', '{}', ${due}, ${due} from generate_series(1, 499) n`
    await sql`
      insert into outbox (actor, seq, n, type, params, due, claimed_until)
      values (${lamp.id}, 1, 1, 'ring', '{', ${due}, ${due}), (${lamp.id}, 1, 2, 'ring', '{}', ${due + 1}, ${due + 1})`
    world.system.start()
    const left = async () => (await storage.views.effects(lamp.id)).map(({ id, params }) => [id, params])
    for (let second = 0; second < 10 && (world.problems.length < 500 || (await left()).length > 1); second++) {
      await clock.advance(1_000)
      await sleep(300)
    }
    assert.deepEqual(await left(), [[`${lamp.id}:1:1`, '{']])
    assert.equal(world.problems.length, 500)
    assert.match(String(world.problems[0]), /does not know|not JSON/)
    assert.equal(world.system.load.quarantinedEffects, 500)
    const [{ count } = { count: 0 }] = await sql<{ count: number }[]>`select count(*)::integer as count from outbox`
    assert.equal(count, 500)
  } finally {
    await world.system.stop()
    await sql.end()
    await storage.close()
    await database.drop()
  }
})
