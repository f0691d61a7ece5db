/** Look-ups by key that are gathered into few reads. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  afterSettledPromises,
  afterThisTurn,
  ReadBatcher,
  type ReadBatcherOptions,
} from '../../../actors/flow/readBatcher.ts'

type Options = Omit<ReadBatcherOptions<string, string>, 'read'>

/** A batcher that reads upper-case letters, and the keys of each of its reads. */
function upperCase(options: Options) {
  const reads: (readonly string[])[] = []
  const batcher = new ReadBatcher<string, string>({
    ...options,
    read: async (keys) => {
      reads.push(keys)
      await new Promise(setImmediate)
      if (keys.includes('bad')) throw new Error('no such key')
      return keys.map((key) => key.toUpperCase())
    },
  })
  return { reads, load: (...keys: readonly string[]) => Promise.all(keys.map((key) => batcher.load(key))) }
}

interface Case {
  readonly title: string
  readonly options: Options
  readonly reads: readonly (readonly string[])[]
}

const keys = ['a', 'b', 'a', 'c', 'd']
const cases: readonly Case[] = [
  {
    title: 'all keys that are requested in one iteration of the event loop are one read',
    options: { schedule: afterThisTurn },
    reads: [['a', 'b', 'c', 'd']],
  },
  {
    title: 'a read has at most as many keys as the limit',
    options: { schedule: afterThisTurn, keyLimit: 3 },
    reads: [['a', 'b', 'c'], ['d']],
  },
  {
    title: 'further keys wait while as many reads as the limit are in flight',
    options: { schedule: afterThisTurn, keyLimit: 1, readLimit: 2 },
    reads: [['a'], ['b'], ['c'], ['d']],
  },
]
for (const { title, options, reads: expected } of cases)
  test(title, async () => {
    const { load, reads } = upperCase(options)
    assert.deepEqual(await load(...keys), ['A', 'B', 'A', 'C', 'D'])
    assert.deepEqual(reads, expected)
  })

test('keys that are requested after settled promises belong to the same read', async () => {
  const { load, reads } = upperCase({ schedule: afterSettledPromises })
  const later = Promise.resolve().then(() => Promise.resolve().then(() => load('b')))
  assert.deepEqual(await Promise.all([load('a'), later]), [['A'], ['B']])
  assert.deepEqual(reads, [['a', 'b']])
})

test('a key is read again after its read has begun, unless values are kept', async () => {
  for (const keepsValues of [false, true]) {
    const { load, reads } = upperCase({ schedule: afterThisTurn, keepsValues })
    const first = load('a')
    await new Promise(setImmediate)
    assert.deepEqual([await load('a'), await first], [['A'], ['A']])
    assert.equal(reads.length, keepsValues ? 1 : 2)
  }
})

test('an error rejects only the look-ups of its own read, and the next keys are read', async () => {
  const { load } = upperCase({ schedule: afterThisTurn, keyLimit: 2, readLimit: 1 })
  const results = await Promise.allSettled(['a', 'bad', 'c'].map((key) => load(key)))
  assert.deepEqual(
    results.map(({ status }) => status),
    ['rejected', 'rejected', 'fulfilled'],
  )
  assert.deepEqual(await load('a'), ['A'])
})

test('a look-up that does not start in time is refused and never read, and a new look-up of its key is read', async (t) => {
  // Deadlines do not keep the process running.
  const alive = setTimeout(() => {}, 10_000)
  t.after(() => clearTimeout(alive))
  const first = Promise.withResolvers<readonly string[]>()
  const reads: (readonly string[])[] = []
  const batcher = new ReadBatcher<string, string>({
    read: (wanted) => (reads.push(wanted) === 1 ? first.promise : Promise.resolve(wanted)),
    schedule: afterThisTurn,
    readLimit: 1,
    waiting: { startWithinMs: 50, endWithinMs: 1_000, late: (limit) => new Error(limit) },
  })
  const stuck = batcher.load('a')
  await new Promise(setImmediate)
  await assert.rejects(batcher.load('b'), /startWithinMs/)
  const again = batcher.load('b')
  first.resolve(['A'])
  assert.deepEqual([await stuck, await again], ['A', 'b'])
  assert.deepEqual(reads, [['a'], ['b']])
})
