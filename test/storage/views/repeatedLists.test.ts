/** Lists that are asked for again: who shares a query with whom, and what is not read a second time. */
import { deepEqual, equal, notEqual, rejects } from 'node:assert/strict'
import { after, test } from 'node:test'
import { openStorage } from '../../../storage/open.ts'
import type { ActorRecord } from '../../../storage/sql/rows.ts'
import { connect, type Sql } from '../../../storage/sql/sql.ts'
import { digestOf, listActors, listChangedActors } from '../../../storage/views/list.ts'
import { RepeatedLists } from '../../../storage/views/repeatedLists.ts'
import { stopServers, testDatabase } from '../../kit/runtime/postgres/postgres.ts'
import { creation, nextWrite } from '../../kit/runtime/writes.ts'

after(stopServers)

const query = { kind: 'run', limit: 10 } as const
const tick = () => new Promise((resolve) => setImmediate(resolve))

/** A database whose answers the test releases. */
function slowDatabase() {
  const asked: PromiseWithResolvers<Partial<ActorRecord>[]>[] = []
  const sql = {
    unsafe() {
      const answer = Promise.withResolvers<Partial<ActorRecord>[]>()
      asked.push(answer)
      return answer.promise
    },
  }
  return { asked, lists: new RepeatedLists(sql as unknown as Sql) }
}

const record = (id: string, seq: number) => ({ id, seq, snapshot: '{}', init: '{}' })

test('simultaneous requests share a query, and a request during that query waits for the next one', async () => {
  const { asked, lists } = slowDatabase()
  const first = [lists.list(query), lists.list({ ...query })]
  equal(asked.length, 0, 'no query before the current iteration of the event loop ends')
  await tick()
  equal(asked.length, 1)
  const later = [lists.list(query), lists.list(query)]
  await tick()
  equal(asked.length, 1)
  asked[0]?.resolve([record('a', 1)])
  for (const rows of await Promise.all(first))
    deepEqual(
      rows.map(({ id, seq }) => [id, seq]),
      [['a', 1]],
    )
  await tick()
  equal(asked.length, 2)
  asked[1]?.resolve([record('a', 2)])
  for (const rows of await Promise.all(later))
    deepEqual(
      rows.map(({ id, seq }) => [id, seq]),
      [['a', 2]],
    )
})

test('other lists do not wait, and a failure rejects only the requests that shared its query', async () => {
  const { asked, lists } = slowDatabase()
  const failing = [lists.list(query), lists.list(query)]
  const other = lists.list({ ...query, descending: true })
  await tick()
  equal(asked.length, 2)
  const later = lists.list(query)
  asked[0]?.reject(new Error('away'))
  for (const one of failing) await rejects(one, /away/)
  asked[1]?.resolve([])
  deepEqual(await other, [])
  await tick()
  asked[2]?.resolve([])
  deepEqual(await later, [])
})

test('PostgreSQL reports whether a list is unchanged, so that its rows are neither sent nor created again', async () => {
  const database = await testDatabase()
  const storage = await openStorage({ ...database.target, owner: 'one', log: () => {} })
  const sql = connect(database.target, { name: 'test', max: 1 })
  try {
    const writes = [creation('run'), creation('run')] as const
    await storage.journal.commit(writes, [])
    const rows = await listActors(sql, query)
    equal(await listChangedActors(sql, query, digestOf(rows)), 'unchanged')
    equal(await listChangedActors(sql, { ...query, statuses: ['GONE'] }, digestOf([])), 'unchanged')
    const lists = new RepeatedLists(sql)
    const before = await lists.list(query)
    equal(await lists.list(query), before)
    await storage.journal.commit([nextWrite(writes[1], 'one')], [])
    notEqual(await listChangedActors(sql, query, digestOf(rows)), 'unchanged')
    const now = await lists.list(query)
    equal(now[0], before[0], 'an unchanged row is not created again')
    equal(now[1]?.seq, 2)
  } finally {
    await sql.end()
    await storage.close()
    await database.drop()
  }
})
