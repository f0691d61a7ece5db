/** The state after a commit that failed, was repeated, or whose answer was lost. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Origin } from '../../actors/messages.ts'
import type { Write } from '../../actors/ports/journal.ts'
import type { Failure } from '../../spec/core/failure.ts'
import { type LampSystem, openLamps } from '../kit/runtime/lampSystem.ts'
import { settled } from '../kit/runtime/manualClock.ts'
import type { CommitFate } from '../kit/runtime/memory/failures.ts'
import { openMemoryStorage } from '../kit/runtime/memory/memory.ts'
import { MemoryState } from '../kit/runtime/memory/state.ts'
import { refusal } from '../kit/runtime/testSystem.ts'

const press = { type: 'press' }

/** A system with some actors. `fate` decides the outcome of later commits. */
async function worldOf(lamps: number, fate: (batch: readonly Write[], attempt: number) => CommitFate) {
  let attempts = -1
  const world = openLamps({
    failures: { commit: (batch) => (attempts < 0 ? 'carriedOut' : fate(batch, attempts++)) },
  })
  const refs = await Promise.all(Array.from({ length: lamps }, () => world.newLamp()))
  attempts = 0
  return { world, refs, commits: () => attempts }
}

/** Advances the clock until everything has been answered. */
async function answers<T>(world: LampSystem, asked: readonly Promise<T>[]): Promise<PromiseSettledResult<T>[]> {
  const settled = Promise.allSettled(asked)
  for (let second = 0; second < 12; second++) await world.clock.advance(500)
  return settled
}

test('a row that cannot be written fails alone, with its own error, and the others are written', async () => {
  const { world, refs } = await worldOf(20, (batch) =>
    batch.some(({ ref }) => ref.id === bad) ? 'failed' : 'carriedOut',
  )
  const bad = refs[13]?.id
  const outcomes = await answers(
    world,
    refs.map((lamp) => world.send(lamp, press)),
  )
  assert.deepEqual(
    outcomes.flatMap((outcome, index) =>
      outcome.status === 'rejected' ? [refs[index]?.id, (outcome.reason as Failure).code] : [],
    ),
    [bad, 'INTERNAL'],
  )
  for (const lamp of refs) assert.equal((await world.system.peek(lamp))?.seq, lamp.id === bad ? 1 : 2)
})

test('an actor whose transition failed processes the next message', async () => {
  const { world, refs } = await worldOf(1, (_, attempt) => (attempt === 0 ? 'failed' : 'carriedOut'))
  const [lamp] = refs
  assert.ok(lamp)
  const outcomes = await answers(world, [world.send(lamp, press), world.send(lamp, press)])
  assert.deepEqual(
    outcomes.map(({ status }) => status),
    ['rejected', 'fulfilled'],
  )
  assert.deepEqual(
    (await world.history(lamp)).map(({ seq }) => seq),
    [1, 2],
  )
})

test('a message after a failed transition is decided on the state before that transition', async () => {
  const { world, refs } = await worldOf(1, (_, attempt) => (attempt === 0 ? 'failed' : 'carriedOut'))
  const [lamp] = refs
  assert.ok(lamp)
  // If the state `smashed` had been assumed, `press` would be refused.
  const outcomes = await answers(world, [world.send(lamp, { type: 'smash' }), world.send(lamp, press)])
  assert.deepEqual(
    outcomes.map((outcome) =>
      outcome.status === 'fulfilled' ? outcome.value.columns.status : (outcome.reason as Failure).code,
    ),
    ['INTERNAL', 'ON'],
  )
})

test('a transition is answered, and its effect executed, only after the transition is durable', async () => {
  let away = false
  let rings = 0
  const world = openLamps({
    failures: { away: () => away },
    ring: async () => {
      rings++
      return undefined
    },
  })
  const lamp = await world.newLamp()
  away = true
  let answered = false
  const asked = world.send(lamp, { type: 'ring' }).then(() => {
    answered = true
  })
  await world.clock.advance(5_000)
  assert.deepEqual([answered, rings, (await world.system.peek(lamp))?.seq], [false, 0, 1])
  away = false
  await world.clock.advance(2_000)
  await asked
  assert.equal(rings, 1)
})

test('delivered effects are deleted with a later batch if the commit that would delete them fails', async () => {
  const world = openLamps({
    failures: { commit: (batch) => (batch.some(({ entry }) => entry.event === 'smash') ? 'failed' : 'carriedOut') },
  })
  const lamp = await world.newLamp()
  await world.send(lamp, { type: 'ring' })
  await settled()
  assert.equal((await refusal(world.send(lamp, { type: 'smash' }))).code, 'INTERNAL')
  assert.equal((await world.storage.views.effects(lamp.id)).length, 1)
  await world.send(lamp, press)
  assert.deepEqual(await world.storage.views.effects(lamp.id), [])
})

test('a commit that meets a deadlock, or loses its connection before anything was sent, is repeated until it succeeds', async () => {
  const { world, refs, commits } = await worldOf(3, (_, attempt) => (attempt < 4 ? 'repeatable' : 'carriedOut'))
  const outcomes = await answers(
    world,
    refs.map((lamp) => world.send(lamp, press)),
  )
  assert.deepEqual(
    outcomes.map(({ status }) => status),
    ['fulfilled', 'fulfilled', 'fulfilled'],
  )
  assert.ok(commits() >= 5)
})

for (const [fate, words] of [
  ['untoldWritten', 'was carried out'],
  ['untoldNotWritten', 'was not carried out'],
] as const) {
  test(`if the answer to a commit is lost, its outcome is read from storage: the commit ${words}`, async () => {
    const { world, refs } = await worldOf(8, (_, attempt) => (attempt === 0 ? fate : 'carriedOut'))
    const outcomes = await answers(
      world,
      refs.map((lamp) => world.send(lamp, press)),
    )
    assert.deepEqual(new Set(outcomes.map(({ status }) => status)), new Set(['fulfilled']))
    for (const lamp of refs) {
      assert.deepEqual(
        (await world.history(lamp)).map(({ seq, event }) => [seq, event]),
        [
          [1, 'created'],
          [2, 'press'],
        ],
      )
    }
  })
}

test('while storage is unavailable messages wait, and a message that has waited too long is refused and not processed', async () => {
  let away = false
  const world = openLamps({ failures: { away: () => away } })
  const lamp = await world.newLamp()
  away = true
  const late = world.send(lamp, press)
  const outcome = refusal(late)
  await world.clock.advance(11_000)
  assert.equal((await outcome).code, 'UNAVAILABLE')
  away = false
  await world.clock.advance(5_000)
  assert.equal((await world.send(lamp, press)).columns.status, 'ON')
})

test('the time that a request spent before its ask is subtracted from its deadline, and at least one second remains', async () => {
  for (const [spentMs, leftMs] of [
    [4_000, 6_000],
    [30_000, 1_000],
  ] as const) {
    const world = openLamps({ failures: { away: () => true } })
    const asked = world.system.ask({ to: { kind: 'lamp', id: 'x' }, event: press }, origin(world), { spentMs })
    const outcome = refusal(asked)
    let isAnswered = false
    void outcome.then(() => {
      isAnswered = true
    })
    await world.clock.advance(leftMs - 50)
    assert.equal(isAnswered, false)
    await world.clock.advance(100)
    assert.equal(isAnswered, true)
    assert.match((await outcome).message, /No answer within 10000 ms/)
  }
})

for (const shared of [false, true]) {
  const where = shared ? 'several processes' : 'one process'
  test(`a creation that waited too long does not mark its actor as absent, in ${where}`, async () => {
    const first = openLamps({ shared })
    const wall = await first.newWall()
    const world = openLamps({ shared, beside: first, owner: 'two' })
    const creation = world.system.ask({ to: wall, event: { type: 'created' }, create: {} }, origin(world))
    const refused = refusal(creation)
    await world.clock.leap(11_000)
    assert.equal((await refused).code, 'UNAVAILABLE')
    assert.equal((await world.send(wall, { type: 'say', word: 'hi' })).seq, 2)
  })

  test(`a creation that cannot be written does not mark its actor as absent, in ${where}`, async () => {
    const first = openLamps({ shared })
    const wall = await first.newWall()
    let fails = true
    const commit = (batch: readonly Write[]): CommitFate =>
      fails && batch.some(({ expected }) => expected === 'absent') ? 'failed' : 'carriedOut'
    const world = openLamps({ shared, beside: first, owner: 'two', failures: { commit } })
    world.system.start()
    const lamp = await first.newLamp()
    const creation = world.system.ask({ to: wall, event: { type: 'created' }, create: {} }, origin(world))
    const said = world.send(wall, { type: 'say', word: 'hi' })
    assert.equal((await refusal(creation)).code, 'INTERNAL')
    assert.equal((await said).seq, 2)
    fails = false
    await world.send(lamp, { type: 'tell', to: wall.id, word: 'told' })
    await world.clock.advance(1_000)
    assert.equal((await world.system.peek(wall))?.context.words, 2)
    assert.equal(world.state.outbox.size, 0)
  })
}

function origin({ clock }: LampSystem): Origin {
  return { cause: 'request', principal: 'usr_test', requestId: 'r1', receivedAt: clock.now() }
}

test('a listener that throws after a commit blocks no message, no effect and no other listener', async () => {
  const state = new MemoryState()
  const failed: unknown[] = []
  const { feed } = openMemoryStorage({ owner: 'one', state, listenerFailed: (error) => failed.push(error) })
  const heard: number[] = []
  feed.onKind('lamp' as never, () => {
    throw new Error('a defect of a listener')
  })
  feed.onKind('lamp' as never, ({ seq }) => heard.push(seq))
  let rung = 0
  const ring = async (): Promise<undefined> => {
    rung++
  }
  const world = openLamps({ feed, ring })
  const lamp = await world.newLamp()
  await Promise.all([world.send(lamp, { type: 'ring' }), world.send(lamp, press)])
  await settled()
  assert.deepEqual([heard, rung, failed.length], [[1, 2, 3], 1, 3])
})

test('a feed that throws fails no transition, no effect and no message that lost a conflict in the same batch', async () => {
  const throwing = openMemoryStorage({ owner: 'x' }).feed
  throwing.publish = () => {
    throw new Error('a defect of the feed')
  }
  let rung = 0
  const ring = async (): Promise<undefined> => {
    rung++
  }
  const world = openLamps({ feed: throwing, shared: true, ring })
  const other = openLamps({ beside: world, owner: 'two', shared: true })
  const [one, two] = [await world.newLamp(), await world.newLamp()]
  await other.send(two, press)
  const sent = await Promise.all([world.send(one, { type: 'ring' }), world.send(two, { type: 'hold' })])
  assert.deepEqual(
    sent.map(({ seq }) => seq),
    [2, 3],
  )
  await settled()
  assert.equal(rung, 1)
  assert.match(String(world.problems[0]), /a defect of the feed/)
})
