/** How actors are read: what is read of a large collection, and what happens while the database is unavailable. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Loader } from '../../actors/activation/loader.ts'
import type { Snapshot } from '../../actors/activation/snapshot.ts'
import type { Journal, LoadRequest, Write } from '../../actors/ports/journal.ts'
import { Members } from '../../machines/framework/members.ts'
import type { Json } from '../../spec/core/actor.ts'
import { Failure } from '../../spec/core/failure.ts'
import { ManualClock } from '../kit/runtime/manualClock.ts'
import { openMemoryStorage } from '../kit/runtime/memory/memory.ts'
import { systemClock } from '../kit/runtime/systemClock.ts'
import { creation, nextWrite } from '../kit/runtime/writes.ts'
import { seeded } from '../longRuns/bench/support/load.ts'

test('after any changes, a load from any outdated snapshot gives the current members and reads only what changed', async () => {
  const { journal } = openMemoryStorage({ owner: 'one' })
  const reads: string[] = []
  const counted = {
    async load(requests: readonly LoadRequest[]) {
      const found = await journal.load(requests)
      for (const { members, delta } of found.values()) reads.push(delta === undefined ? 'whole' : `${members.length}`)
      return found
    },
  } as Journal
  const loader = new Loader(counted, systemClock, (error) => assert.fail(String(error)))
  const random = seeded(1)
  const below = (limit: number) => Math.floor(random() * limit)

  let members = Members.from(Array.from({ length: 600 }, (_, n) => [`entry/${n}`, 'kept'] as const))
  let write: Write = creation('worktreeQueue', {
    members: [...members.entries()].map(([key, value]) => ({ key, value })),
  })
  const states: Snapshot[] = []
  for (let seq = 1; seq <= 40; seq++) {
    await journal.commit([write], [])
    const created = { createdAt: states[0]?.createdAt ?? write.at, changedAt: write.at }
    states.push({
      ref: write.ref,
      seq,
      owner: 'one',
      ...created,
      state: { context: { members } },
    } as unknown as Snapshot)
    const before = members
    for (let change = 0; change < 3; change++) {
      const key = `entry/${590 + below(20)}`
      members = below(2) === 0 ? members.without(key) : members.with(key, below(1_000) as Json)
    }
    write = nextWrite(write, 'one', { members: members.changesSince(before) })
  }
  const last = states.at(-1)?.state.context.members
  for (const known of states) {
    const loaded = await loader.load(known.ref, known)
    assert.deepEqual([...(loaded?.members.entries() ?? [])], [...(last?.entries() ?? [])], `from ${known.seq}`)
  }
  assert.deepEqual(
    reads.filter((read) => read === 'whole' || Number(read) > 20),
    [],
    'only what changed is read',
  )
})

test('while the database is unavailable, a request that reads an actor is refused, and a load is repeated until it succeeds', async () => {
  const { journal } = openMemoryStorage({ owner: 'one' })
  const write = creation('worktreeQueue', {})
  await journal.commit([write], [])
  let answers = false
  const unavailable = new Failure('UNAVAILABLE', 'The database does not answer at the moment. Ask again.')
  const failing = {
    async load(requests: readonly LoadRequest[]) {
      if (!answers) throw unavailable
      return await journal.load(requests)
    },
  } as Journal
  const problems: unknown[] = []
  const clock = new ManualClock()
  const loader = new Loader(failing, clock, (error) => problems.push(error))

  // Read by one query.
  const load = loader.load(write.ref)
  await assert.rejects(loader.loadOnce(write.ref), unavailable)
  await assert.rejects(loader.loadOnce(write.ref), unavailable)
  assert.deepEqual(problems, [unavailable], 'a request reports its refusal itself')

  answers = true
  await clock.advance(1_000)
  assert.equal((await load)?.stored.seq, 1)
  assert.equal((await loader.loadOnce(write.ref))?.stored.seq, 1)
})
