/**
 * Injects each kind of fault once or twice, shortly. `npm run chaos` is the long run, and it alone checks the aims of recovery:
 * for them the machine must have no other load, and a fault must last 10 s.
 */
import assert from 'node:assert/strict'
import { availableParallelism } from 'node:os'
import { type TestContext, test } from 'node:test'
import type { Topology } from '../program/world.ts'
import type { RunOptions } from '../slices/run.ts'
import { canMount, spawnSlice } from '../slices/spawn.ts'
import { type FaultKindName, faultKind, faultKindNames } from './kinds.ts'

const lastsMs = 1_000
const restMs = 1_500
/** Other tests run at the same time. */
const patience = 3

/** Each kind, in the topology in which more of the program takes part. */
const kinds = {
  embedded: [
    'terminated-backends',
    'killed-process',
    'clock-forward',
    'clock-back',
    'clock-day',
    'frozen-database',
    'full-disk',
  ],
  external: ['reset-one', 'reset-all', 'lost-notify', 'silent', 'read-only', 'suspended-process'],
} as const satisfies Readonly<Record<Topology, readonly FaultKindName[]>>

/** If file systems cannot be mounted, no disk can be filled. The other faults are injected all the same. */
const mountable = canMount()
/** /proc lists the processes and their children. */
const skip = process.platform === 'linux' ? false : 'the faults need Linux'

async function shortly(topology: Topology, context: TestContext): Promise<void> {
  const seed = Number(process.env.CHAOS_SEED ?? Date.now() % 100_000)
  const faults = kinds[topology]
    .filter((kind) => mountable || faultKind(kind).needs !== 'disk')
    .map((kind) => ({ kind, count: faultKind(kind).lasting || kind === 'killed-process' ? 1 : 2 }))
  const options: RunOptions = { faults, topology, seed, lastsMs, restMs, patience, estimate: 60 }
  const { violations, count, acknowledged } = await spawnSlice(options, false)
  context.diagnostic(`seed ${seed}: ${count} faults, ${acknowledged} acknowledgements`)
  const said = violations.map(({ checker, what }) => `${checker}: ${what}`).join('\n')
  assert.equal(violations.length, 0, `seed ${seed}, ${availableParallelism()} cores\n${said}`)
  assert.ok(acknowledged > 200, 'the load was too small to prove anything')
}

test(
  'one process on the embedded database keeps what it acknowledged through every kind of fault',
  {
    timeout: 240_000,
    skip,
  },
  (context) => shortly('embedded', context),
)

test(
  'two processes on one PostgreSQL keep what they acknowledged through every kind of fault',
  {
    timeout: 240_000,
    skip,
  },
  (context) => shortly('external', context),
)

test('the tests of this file inject each kind of fault', () => {
  assert.deepEqual([...kinds.embedded, ...kinds.external].sort(), [...faultKindNames].sort())
})
