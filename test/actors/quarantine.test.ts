/** Actors that cannot be processed: what becomes of them, of those that are due with them, and who sees it. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assign, createMachine } from 'xstate'
import { actorHandlers } from '../../gateway/operations/operators/actors.ts'
import { define } from '../../machines/framework/define.ts'
import type { ActorRef } from '../../spec/core/actor.ts'
import type { ActorKind } from '../../spec/core/ids.ts'
import { toActorEvent } from '../../spec/operators/operatorAction.ts'
import { offAfterMs } from '../kit/runtime/lampAndWall.ts'
import { type LampSystem, type LampSystemOptions, openStoredLamps } from '../kit/runtime/lampSystem.ts'
import { settled } from '../kit/runtime/manualClock.ts'
import { refusal } from '../kit/runtime/testSystem.ts'

const press = { type: 'press' }

/** A fuse whose timer's transition throws for those that are made `bad`, until they are repaired. */
const fuse = define({
  kind: 'plan',
  version: 1,
  effects: [],
  operable: true,
  operatorStates: ['out'],
  machine: createMachine({
    id: 'fuse',
    context: ({ input }) => ({ ...(input as object), pokes: 0 }),
    initial: 'lit',
    on: { poke: { actions: assign({ pokes: ({ context }) => Number(context.pokes) + 1 }) } },
    states: {
      lit: {
        meta: { label: 'Lit' },
        after: {
          5000: {
            target: 'out',
            actions: assign(({ context }) => {
              if ((context.init as { bad?: boolean }).bad === true) throw new Error('the fuse is wet')
              return {}
            }),
          },
        },
      },
      out: { meta: { label: 'Out', unbounded: 'nobody' } },
    },
  }) as never,
})

const openFuses = (options: LampSystemOptions<ActorKind> = {}): LampSystem<ActorKind> =>
  openStoredLamps({ definitions: [fuse], ...options })

async function stuck({ storage, clock }: LampSystem<ActorKind>) {
  const operation = actorHandlers.find(({ name }) => name === 'stuckActors')
  const read = operation?.kind === 'query' ? operation.read : assert.fail('no stuckActors')
  const context = { views: storage.views, now: clock.now() } as unknown as Parameters<typeof read>[1]
  const page = await read({ kind: 'plan', first: 100 } as never, context)
  return (page as { nodes: { actor: { id: string }; cause: string; problem: string | null; since: string }[] }).nodes
}

const statusOf = async ({ storage }: LampSystem<ActorKind>, { id }: ActorRef) =>
  (await storage.views.find(id))?.columns.status

test('a timer whose transition throws is reported, and the actors that are due with it are processed', async () => {
  const world = openFuses()
  world.system.start()
  const bad = await world.newLamp({ bad: true })
  const good = await world.newLamp()
  await world.clock.advance(6_000)
  assert.equal(await statusOf(world, good), 'OUT')
  assert.equal((await world.send(good, { type: 'poke' })).context.pokes, 1)
  assert.equal(await statusOf(world, bad), 'LIT')
  assert.match(String(world.problems[0]), /the fuse is wet/)
  assert.equal(world.system.load.quarantined, 1)
})

test('a message behind a timer that throws is refused, and the refusal names the list that shows the error', async () => {
  const world = openFuses()
  const bad = await world.newLamp({ bad: true })
  await world.clock.advance(6_000)
  for (let n = 0; n < 2; n++) {
    const { code, message } = await refusal(world.send(bad, { type: 'poke' }))
    assert.equal(code, 'INTERNAL')
    assert.match(message, /stuckActors/)
  }
})

test('a message that was received before the timer was due is processed though the timer throws', async () => {
  const world = openFuses()
  const bad = await world.newLamp({ bad: true })
  const before = world.clock.now()
  await world.clock.advance(6_000)
  assert.equal((await world.send(bad, { type: 'poke' }, before)).context.pokes, 1)
})

test('an operator can force an actor out of the state whose timer throws', async () => {
  const world = openFuses()
  world.system.start()
  const bad = await world.newLamp({ bad: true })
  await world.clock.advance(6_000)
  const origin = { cause: 'operator', principal: 'usr_1', requestId: 'r', receivedAt: world.clock.now() } as const
  const operatorAction = { type: 'FORCE_TRANSITION', state: 'out' } as const
  await world.system.ask({ to: bad, event: toActorEvent(operatorAction), operatorAction }, origin)
  await settled()
  assert.equal(await statusOf(world, bad), 'OUT')
  assert.equal((await world.send(bad, { type: 'poke' })).context.pokes, 1)
  assert.deepEqual([world.system.load.quarantined, await stuck(world)], [0, []])
})

test('an actor whose timer throws is listed as stuck with the error, also by the next process', async () => {
  const world = openFuses()
  world.system.start()
  const bad = await world.newLamp({ bad: true })
  await world.clock.advance(6_000)
  const [one, ...others] = await stuck(world)
  const since = world.clock.now() - 1_000
  assert.deepEqual(others, [])
  assert.deepEqual(
    [one?.actor.id, one?.cause, one?.problem, new Date(one?.since ?? 0).getTime()],
    [bad.id, 'QUARANTINED', 'the fuse is wet', since],
  )
  await world.system.stop()
  const next = openFuses({ beside: world, owner: 'two' })
  next.system.start()
  await next.clock.advance(1)
  assert.deepEqual([next.system.load.quarantined, (await stuck(next)).length], [1, 1])
  assert.equal(next.problems.length, 1, 'it is tried at the start')
})

test('a program that can process a quarantined actor does so at its start, and the actor is no longer stuck', async () => {
  const world = openFuses()
  world.system.start()
  const bad = await world.newLamp({ bad: true })
  await world.clock.advance(300_000)
  await world.system.stop()
  const stored = world.state.actors.get(bad.id) ?? assert.fail('it is gone')
  world.state.actors.set(bad.id, { ...stored, init: '{}' })
  const next = openFuses({ beside: world, owner: 'two' })
  next.system.start()
  await next.clock.advance(1)
  assert.equal(await statusOf(next, bad), 'OUT')
  assert.deepEqual([next.system.load.quarantined, await stuck(next), world.state.quarantine.size], [0, [], 0])
})

test('a timer that throws is tried with growing pauses and logged once a minute', async () => {
  const world = openFuses()
  world.system.start()
  await world.newLamp({ bad: true })
  await world.clock.advance(5_000)
  const tries: number[] = []
  for (let minute = 0; minute < 30; minute++) {
    await world.clock.advance(60_000)
    tries.push([...world.state.quarantine.values()][0]?.attempts ?? 0)
  }
  assert.equal(world.problems.length <= 30, true, `${world.problems.length} log lines in 30 minutes`)
  assert.deepEqual([tries[0], tries[9], tries[29]], [6, 10, 12])
})

for (const poison of ['can not be read', 'has a timer whose transition can not be written'] as const) {
  test(`500 actors of which each ${poison} delay no other actor`, async () => {
    const bad = new Set<string>()
    const isBad = ({ ref, entry }: { ref: ActorRef<string>; entry: { event: string } }): boolean =>
      bad.has(ref.id) && entry.event.startsWith('xstate.after')
    const failures = poison === 'can not be read' ? {} : failing(isBad)
    const world = openStoredLamps({ failures })
    for (let n = 0; n < 500; n++) {
      const lamp = await world.newLamp()
      await world.send(lamp, press)
      bad.add(lamp.id)
    }
    await world.clock.advance(1_000)
    const good = await world.newLamp()
    await world.send(good, press)
    await world.system.stop()
    if (poison === 'can not be read') {
      for (const id of bad) {
        const stored = world.state.actors.get(id) ?? assert.fail('it is gone')
        world.state.actors.set(id, { ...stored, snapshot: stored.snapshot.replace('"on"', '"flickering"') })
      }
    }
    const next = openStoredLamps({ beside: world, owner: 'two', failures })
    next.system.start()
    await next.clock.advance(offAfterMs + 5_000)
    assert.equal(await statusOf(next, good), 'OFF')
    assert.equal(next.problems.length, 500, 'one log line of each')
    assert.equal((await stuck(next)).filter(({ cause }) => cause === 'QUARANTINED').length, 100, 'a page of them')
    await next.system.stop()
  })
}

function failing(isBad: (write: { ref: ActorRef<string>; entry: { event: string } }) => boolean) {
  return { commit: (batch: readonly { ref: ActorRef<string>; entry: { event: string } }[]) => fate(batch.some(isBad)) }
}

const fate = (fails: boolean) => (fails ? ('failed' as const) : ('carriedOut' as const))

test('a message behind a timer that can not be written is refused, and not held until its deadline', async () => {
  const world = openStoredLamps({ failures: failing(({ entry }) => entry.event.startsWith('xstate.after')) })
  const lamp = await world.newLamp()
  await world.send(lamp, press)
  await world.clock.advance(offAfterMs)
  assert.equal((await refusal(world.send(lamp, press))).code, 'INTERNAL')
})

test('due timers of kinds that this program does not have do not block the due timers of its own kinds', async () => {
  const world = openFuses()
  const [own, ...foreign] = await Promise.all(Array.from({ length: 501 }, () => world.newLamp()))
  for (const { id } of foreign) {
    const stored = world.state.actors.get(id) ?? assert.fail('it is gone')
    world.state.actors.set(id, { ...stored, kind: 'job', nextDue: (stored.nextDue ?? 0) - 1 })
  }
  world.system.start()
  await world.clock.advance(6_000)
  assert.equal(await statusOf(world, own as ActorRef), 'OUT')
  assert.deepEqual(world.problems, [])
})
