/** Search documents. A transition that changes one writes it, and existing actors receive theirs once. */
import { deepEqual, equal, match } from 'node:assert/strict'
import { test } from 'node:test'
import { compile } from '../../actors/decide/logic.ts'
import { fillSearch } from '../../actors/fillSearch.ts'
import type { Write } from '../../actors/ports/journal.ts'
import type { Definition } from '../../machines/framework/define.ts'
import { define } from '../../machines/framework/define.ts'
import type { ActorKind } from '../../spec/core/ids.ts'
import { storedLamp as lamp, storedWall as wall } from '../kit/runtime/lampAndWall.ts'
import { type LampSystem, openStoredLamps } from '../kit/runtime/lampSystem.ts'

/** An actor that is found by its name until it has the state `smashed`. */
const named = (version: number, text: string): Definition =>
  define({
    ...lamp,
    searchVersion: version,
    search: ({ value, context: { init, name } }) =>
      value === 'smashed' ? undefined : { title: String(name ?? init.name), text },
  })
const findable = named(1, 'lamp')

const titles = async ({ storage }: LampSystem<ActorKind>, text: string): Promise<string[]> =>
  (await storage.views.search({ text, limit: 100 })).map(({ title }) => title)

test('a transition writes the search document if it changed, and nothing otherwise', async () => {
  const writes: Write['document'][] = []
  const world = openStoredLamps({
    definitions: [findable, wall],
    failures: {
      commit(batch) {
        writes.push(...batch.map(({ document }) => document))
        return 'carriedOut'
      },
    },
  })
  const ref = await world.newLamp({ name: 'hall' })
  await world.newWall()
  await world.send(ref, { type: 'press' })
  await world.send(ref, { type: 'rename', name: 'hall' })
  await world.send(ref, { type: 'rename', name: 'kitchen' })
  deepEqual(await titles(world, 'kitchen'), ['kitchen'])
  await world.send(ref, { type: 'smash' })
  deepEqual(writes, [
    { version: 1, found: { title: 'hall', text: 'lamp' } },
    undefined,
    undefined,
    undefined,
    { version: 1, found: { title: 'kitchen', text: 'lamp' } },
    { version: 1, found: undefined },
  ])
  deepEqual([await titles(world, 'hall'), await titles(world, 'kitchen')], [[], []])
})

async function fill(world: LampSystem<ActorKind>, definitions: readonly Definition[]) {
  const pages: number[] = []
  const problems: string[] = []
  const made = await fillSearch({
    ...world.storage,
    logics: definitions.map((definition) => compile(definition)),
    progress: (count) => pages.push(count),
    problem: (error, { actor }) => problems.push(`${actor}: ${error instanceof Error ? error.message : error}`),
  })
  return { made, pages, problems }
}

test('one backfill processes all existing actors, terminal ones too, and a second one finds nothing to do', async () => {
  const world = openStoredLamps()
  const refs = await Promise.all(Array.from({ length: 1_203 }, (_, index) => world.newLamp({ name: `lamp${index}` })))
  const [smashed, pressed] = refs
  if (smashed === undefined || pressed === undefined) throw new Error('no actors')
  await world.send(smashed, { type: 'smash' })
  await world.send(pressed, { type: 'press' })
  deepEqual(await titles(world, 'lamp'), [])
  deepEqual(await fill(world, [findable, wall]), { made: 1_203, pages: [500, 1_000, 1_203], problems: [] })
  equal((await titles(world, 'lamp')).length, 100)
  deepEqual(await Promise.all([smashed, pressed].map(({ id }) => titles(world, id))), [[], ['lamp1']])
  deepEqual(await fill(world, [findable, wall]), { made: 0, pages: [], problems: [] })
})

test('actors are backfilled again after the search version of their machine has changed', async () => {
  const world = openStoredLamps({ definitions: [findable, wall] })
  await world.newLamp({ name: 'hall' })
  await fill(world, [findable])
  const next = named(2, 'lantern')
  deepEqual((await fill(world, [next])).made, 1)
  deepEqual([await titles(world, 'lantern'), await titles(world, 'lamp')], [['hall'], []])
  deepEqual((await fill(world, [next])).made, 0)
})

test('a terminal actor of an earlier version is read as one of this version, and an actor that cannot be read is reported', async () => {
  const world = openStoredLamps()
  const ref = await world.newLamp({ name: 'hall' })
  await world.send(ref, { type: 'press' })
  await world.send(ref, { type: 'smash' })
  const search: Definition['search'] = ({ context: { count } }) => ({ title: 'old', text: `pressed ${count}` })
  const next = (migrations: NonNullable<Definition['migrations']>): Definition => ({
    ...lamp,
    version: 2,
    search,
    migrations,
  })
  const { made, problems } = await fill(world, [next({})])
  deepEqual([made, problems.length], [0, 1])
  match(problems[0] ?? '', new RegExp(`${ref.id}: there is no migration from version 1`))
  const other = openStoredLamps({ beside: world })
  other.state.filled.clear()
  const counted = next({
    1: ({ value, context: { presses, ...rest } }) => ({ value, context: { ...rest, count: presses ?? 0 } }),
  })
  equal((await fill(other, [counted])).made, 1)
  deepEqual(
    (await other.storage.views.search({ text: 'pressed', limit: 5 })).map(({ excerpt }) => excerpt),
    ['pressed 1'],
  )
})
