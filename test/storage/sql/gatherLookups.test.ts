/** Look-ups of many requests share queries. */
import { deepEqual, equal, rejects } from 'node:assert/strict'
import { test } from 'node:test'
import { gatherLookups } from '../../../storage/sql/gatherLookups.ts'

const limits = { keys: 3, queries: 1, startWithinMs: 50 }
const upper = async (keys: readonly string[]) => new Map(keys.map((key) => [key, key.toUpperCase()]))

test('look-ups of the same moment share few queries, and each key is read once', async () => {
  const asked: (readonly string[])[] = []
  const look = gatherLookups((keys) => {
    asked.push(keys)
    return upper(keys)
  }, limits)
  deepEqual(await Promise.all(['a', 'b', 'a', 'c', 'd'].map(look)), ['A', 'B', 'A', 'C', 'D'])
  deepEqual(asked, [['a', 'b', 'c'], ['d']])
})

test('a key that is not found has no value, and an error rejects only the look-ups of its query', async () => {
  const look = gatherLookups(async (keys) => {
    if (keys.includes('bad')) throw new Error('no such key')
    return new Map<string, string>()
  }, limits)
  await rejects(look('bad'), /no such key/)
  equal(await look('unknown'), undefined)
})

test('a look-up that waits for an unanswered query is refused in time, and the next ones are answered', async (t) => {
  // Deadlines do not keep the process running.
  const alive = setTimeout(() => {}, 10_000)
  t.after(() => clearTimeout(alive))
  const first = Promise.withResolvers<ReadonlyMap<string, string>>()
  let queries = 0
  const look = gatherLookups((keys) => (queries++ === 0 ? first.promise : upper(keys)), limits)
  const stuck = look('a')
  await new Promise(setImmediate)
  await rejects(look('b'), { name: 'NoConnection', message: /have no answer after 50 ms/ })
  first.resolve(new Map([['a', 'A']]))
  equal(await stuck, 'A')
  equal(await look('b'), 'B')
  equal(queries, 2)
})

test('a look-up whose query began late is refused when the time for both is over', async (t) => {
  const alive = setTimeout(() => {}, 10_000)
  t.after(() => clearTimeout(alive))
  const first = Promise.withResolvers<ReadonlyMap<string, string>>()
  let queries = 0
  const look = gatherLookups<string>(() => (queries++ === 0 ? first.promise : new Promise(() => {})), {
    ...limits,
    startWithinMs: 400,
    endWithinMs: 500,
  })
  void look('a')
  await new Promise(setImmediate)
  const began = performance.now()
  const late = look('b')
  setTimeout(() => first.resolve(new Map()), 300)
  await rejects(late, { name: 'ConnectionLost', message: /no answer after 500 ms/ })
  const ms = performance.now() - began
  equal(queries, 2)
  equal(ms < 750, true, `it took ${Math.round(ms)} ms`)
})
