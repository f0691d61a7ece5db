/** Requests that arrive while a statement is in flight share the next statement. */
import { deepEqual, equal, rejects } from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { Failure } from '../../../spec/core/failure.ts'
import { type Group, groupCommit } from '../../../storage/sql/groupCommit.ts'

/** Statements that the test ends. */
function world(own: Partial<Group<string, string>> = {}) {
  const statements: { batch: readonly string[]; end: PromiseWithResolvers<void> }[] = []
  const append = groupCommit<string, string>({
    async write(batch) {
      const end = Promise.withResolvers<void>()
      statements.push({ batch, end })
      await end.promise
      return batch.map((item) => item.toUpperCase())
    },
    sizeOf: (item) => item.length,
    batchCharacters: 10,
    waitingCharacters: 100,
    full: () => new Failure('UNAVAILABLE', 'full'),
    ...own,
  })
  const ended = async (index: number, error?: unknown): Promise<readonly string[]> => {
    while (statements[index] === undefined) await turn()
    if (error === undefined) statements[index].end.resolve()
    else statements[index].end.reject(error)
    return statements[index].batch
  }
  return { append, ended, statements }
}

const refused = (code: string): Error => Object.assign(new Error(code), { name: 'PostgresError', code })

test('requests that arrive together, or while a statement is in flight, share one statement, and each gets its own answer', async () => {
  const { append, ended, statements } = world()
  const first = ['a', 'b'].map(append)
  await turn()
  const second = ['c', 'd', 'e'].map(append)
  await turn()
  equal(statements.length, 1, 'one at a time')
  deepEqual(await ended(0), ['a', 'b'])
  deepEqual(await Promise.all(first), ['A', 'B'])
  deepEqual(await ended(1), ['c', 'd', 'e'])
  deepEqual(await Promise.all(second), ['C', 'D', 'E'])
  const later = append('f')
  await ended(2)
  equal(await later, 'F', 'and after a pause it begins again')
})

test('a statement has items up to its limit of characters, and always at least one', async () => {
  const { append, ended } = world()
  const all = ['a'.repeat(50), 'bbbbbb', 'cccc', 'd'].map(append)
  deepEqual([await ended(0), await ended(1), await ended(2)], [['a'.repeat(50)], ['bbbbbb', 'cccc'], ['d']])
  equal((await Promise.all(all)).length, 4)
})

test('no request is answered before its statement has ended', async () => {
  const { append, ended } = world()
  let answered = false
  const one = append('a').then(() => (answered = true))
  for (let turns = 0; turns < 20; turns++) await turn()
  equal(answered, false)
  await ended(0)
  await one
})

test('a request beyond the limit of waiting characters is refused immediately, and the others are kept', async () => {
  const { append, ended, statements } = world({ waitingCharacters: 3 })
  const waiting = ['aa', 'bb'].map(append)
  await rejects(append('c'), { code: 'UNAVAILABLE' })
  await ended(0)
  deepEqual(await Promise.all(waiting), ['AA', 'BB'])
  const after = append('d')
  await ended(1)
  equal(await after, 'D')
  equal(statements.length, 2)
})

test('if the server refuses a batch because of one item, only that item fails', async () => {
  const tried: string[] = []
  const { append } = world({
    write: async (batch) => {
      tried.push(batch.join(''))
      if (batch.includes('b')) throw refused('22P05')
      return batch
    },
  })
  const answers = await Promise.allSettled(['a', 'b', 'c'].map(append))
  deepEqual(
    answers.map(({ status }) => status),
    ['fulfilled', 'rejected', 'fulfilled'],
  )
  deepEqual(tried, ['abc', 'a', 'b', 'c'])
})

test('if the database is unavailable, the whole batch fails immediately, and the next one is tried', async () => {
  const { append, ended } = world()
  const answers = Promise.allSettled(['a', 'b'].map(append))
  await ended(0, refused('57P01'))
  deepEqual(
    (await answers).map(({ status }) => status),
    ['rejected', 'rejected'],
  )
  const next = append('c')
  await ended(1)
  equal(await next, 'C')
})
