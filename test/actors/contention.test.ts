/** Two processes on one PostgreSQL that write one actor under load. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { connect } from '../../storage/sql/sql.ts'
import { stopServers, testDatabase } from '../kit/runtime/postgres/postgres.ts'
import { alternate, type ContendedProcess, hotActor, openContended } from '../longRuns/bench/support/contended.ts'

after(stopServers)

test('messages to one actor through two processes are each applied once, and none waits long', async () => {
  const database = await testDatabase()
  const processes = [await openContended(database.target, 'one'), await openContended(database.target, 'two')]
  try {
    const { messages, transitions, p99 } = await hotActor(processes, { senders: 16, forMs: 2_000 })
    assert.equal(transitions, messages)
    // A quiet machine needs less than 200 ms.
    assert.ok(p99 < 1_500, `p99 ${p99} ms of ${messages} messages`)
    const ms = await alternate(processes, { rows: 600, steps: 40 })
    assert.ok(ms < 1_000, `${ms} ms a transition`)
  } finally {
    for (const process of processes) await process.close()
    await database.drop()
  }
})

test('a member that one process adds to a large collection can be removed by another process', async () => {
  const database = await testDatabase()
  const processes = [await openContended(database.target, 'one'), await openContended(database.target, 'two')]
  const sql = connect(database.target, { name: 'test', max: 1 })
  try {
    const [one, two] = processes as [ContendedProcess, ContendedProcess]
    const to = await one.create()
    const kept = Array.from({ length: 600 }, (_, n) => `kept/${n}`)
    await Promise.all(kept.map((key) => one.send(to, { type: 'note', key, value: 'kept' })))
    await two.send(to, { type: 'note', key: 'first', value: 'seen' })
    for (let round = 0; round < 30; round++) {
      const [puts, takes] = round % 2 === 0 ? [one, two] : [two, one]
      const key = `put/${round}`
      await puts.send(to, { type: 'note', key, value: 'put' })
      // A process with an outdated activation would find no member to remove.
      await takes.send(to, { type: 'note', key, value: null })
    }
    const stored = await sql<{ key: string }[]>`select key from member where actor = ${to.id}`
    assert.deepEqual(new Set(stored.map(({ key }) => key)), new Set([...kept, 'first']))
  } finally {
    await sql.end()
    for (const process of processes) await process.close()
    await database.drop()
  }
})
