/** Actors that an earlier version of the program wrote are migrated or refused. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createMachine } from 'xstate'
import type { KindDefinition } from '../../actors/anyKind.ts'
import { compile } from '../../actors/decide/logic.ts'
import { UpgradeRefused, upgrade } from '../../actors/upgrade.ts'
import type { Json } from '../../spec/core/actor.ts'
import type { LampKind } from '../kit/runtime/lampAndWall.ts'
import { lamp, wall } from '../kit/runtime/lampAndWall.ts'
import { type LampSystem, openLamps } from '../kit/runtime/lampSystem.ts'

/** The next version of the machine: the state `on` is named `lit`, and the count of presses has another key. */
const nextLamp: KindDefinition<LampKind> = {
  ...lamp,
  version: 2,
  machine: createMachine({
    id: 'lamp',
    context: {},
    initial: 'off',
    states: { off: {}, lit: { on: { press: 'off' } }, smashed: { tags: ['terminal'] } },
  }),
  migrations: {
    1: ({ value, context: { presses, ...rest } }) => ({
      value: value === 'on' ? 'lit' : value,
      context: { ...rest, count: presses ?? 0 },
    }),
  },
}

function upgradeTo(world: LampSystem, definitions: readonly KindDefinition<LampKind>[]): Promise<number> {
  return upgrade({
    ...world.storage,
    logics: definitions.map((definition) => compile(definition)),
    clock: world.clock,
    owner: 'next',
  })
}

test('actors of an earlier version that are not terminal are migrated, and their journal has the transition', async () => {
  const world = openLamps()
  const ref = await world.newLamp()
  await world.send(ref, { type: 'press' })
  assert.equal(await upgradeTo(world, [nextLamp, wall]), 1)
  const row = await world.storage.views.find(ref.id)
  assert.deepEqual([row?.columns.status, row?.context.count, row?.machine.version], ['LIT', 1, 2])
  const last = (await world.history(ref)).at(-1)
  assert.deepEqual([last?.event, last?.cause.type, last?.from, last?.to], ['migrated', 'migration', 'on', 'lit'])
})

test('a version that changes only the context, and not the chart, migrates actors too', async () => {
  const world = openLamps()
  const ref = await world.newLamp()
  const counting = ({ value, context }: { value: Json; context: Record<string, Json> }) => ({
    value,
    context: { ...context, counted: true },
  })
  assert.equal(await upgradeTo(world, [{ ...lamp, version: 2, migrations: { 1: counting } }, wall]), 1)
  const row = await world.storage.views.find(ref.id)
  assert.deepEqual([row?.context.counted, row?.machine.version], [true, 2])
})

test('a version can start deadlines when its actors are migrated', async () => {
  const world = openLamps()
  const ref = await world.newLamp()
  const dimming: KindDefinition<LampKind> = {
    ...lamp,
    version: 2,
    machine: createMachine({
      id: 'lamp',
      context: {},
      initial: 'off',
      states: {
        off: { on: { migrated: 'dim' } },
        dim: { after: { 60000: 'smashed' } },
        on: {},
        smashed: { tags: ['terminal'] },
      },
    }),
    migrations: { 1: (old) => old },
  }
  assert.equal(await upgradeTo(world, [dimming, wall]), 1)
  const row = await world.storage.views.find(ref.id)
  assert.deepEqual([row?.columns.status, row?.columns.stuckAt !== undefined], ['DIM', true])
  const last = (await world.history(ref)).at(-1)
  assert.deepEqual([last?.event, last?.from, last?.to], ['migrated', 'off', 'dim'])
  assert.deepEqual(
    last?.timers.set.map(({ due }) => due),
    [world.clock.now() + 60_000],
  )
})

test('an actor that does not fit the new version stops the start with a report, and nothing is changed', async () => {
  const world = openLamps()
  const fits = await world.newLamp()
  const broken = await world.newLamp()
  await world.send(broken, { type: 'press' })
  const unfit: KindDefinition<LampKind> = {
    ...nextLamp,
    migrations: { 1: ({ value, context }) => ({ value, context }) },
  }
  await assert.rejects(upgradeTo(world, [unfit, wall]), (error: unknown) => {
    assert.ok(error instanceof UpgradeRefused)
    assert.match(error.message, new RegExp(`1 actors do not fit .*\\n  lamp ${broken.id}: .*on`))
    return true
  })
  for (const ref of [fits, broken]) assert.equal((await world.storage.views.find(ref.id))?.machine.version, 1)
})

test('an actor whose migration throws stops the start with a report, and nothing is changed', async () => {
  const world = openLamps()
  const [good, bad] = [await world.newLamp(), await world.newLamp()]
  for (let n = 0; n < 2; n++) await world.send(bad, { type: 'press' })
  const unwritable: KindDefinition<LampKind> = {
    ...nextLamp,
    migrations: {
      1: ({ value, context }) => ({
        value,
        context: { ...context, ...(context.presses === 1 && { count: 1n }) } as never,
      }),
    },
  }
  await assert.rejects(upgradeTo(world, [unwritable, wall]), (error: unknown) => {
    assert.ok(error instanceof UpgradeRefused)
    assert.deepEqual(error.misfits, [{ ref: error.misfits[0]?.ref, problem: 'Do not know how to serialize a BigInt' }])
    assert.equal(error.misfits[0]?.ref.id, bad.id)
    return true
  })
  assert.equal((await world.storage.views.find(good.id))?.machine.version, 1)
})

test('a version without a migration, and a database of a newer version, are refused', async () => {
  const world = openLamps()
  await world.newLamp()
  const { migrations: _none, ...withoutWay } = nextLamp
  await assert.rejects(upgradeTo(world, [withoutWay, wall]), /there is no migration from version 1/)
  await upgradeTo(world, [nextLamp, wall])
  await assert.rejects(upgradeTo(world, [lamp, wall]), /written by version 2 of the machine, and this is version 1/)
})

test('terminal actors stay as they are', async () => {
  const world = openLamps()
  const ref = await world.newLamp()
  await world.send(ref, { type: 'smash' })
  assert.equal(await upgradeTo(world, [nextLamp, wall]), 0)
  assert.equal((await world.storage.views.find(ref.id))?.machine.version, 1)
})

test('every definition that runs is kept under its hash', async () => {
  const world = openLamps()
  await upgradeTo(world, [lamp, wall])
  await upgradeTo(world, [nextLamp, wall])
  const kept = await world.storage.views.definitions('lamp' as never)
  assert.deepEqual(kept.map(({ version }) => version).sort(), [1, 2])
  assert.match(kept.find(({ version }) => version === 1)?.definition ?? '', /"smashed"/)
})
