/** Two processes on one PostgreSQL that write one actor under load. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { alternate, hotActor, openContended } from '../bench/support/contended.ts'
import { stopServers, testDatabase } from '../support/postgres.ts'

after(stopServers)

test('messages to one actor through two processes are each applied once, and none waits long', async () => {
  const database = await testDatabase()
  const processes = [await openContended(database.target, 'one'), await openContended(database.target, 'two')]
  try {
    const { messages, transitions, p99 } = await hotActor(processes, { senders: 16, forMs: 2_000 })
    assert.equal(transitions, messages)
    // A quiet machine needs less than 200 ms.
    assert.ok(p99 < 1_500, `p99 ${p99} ms of ${messages} messages`)
    const ms = await alternate(processes, { rows: 300, steps: 40 })
    assert.ok(ms < 1_000, `${ms} ms a transition`)
  } finally {
    for (const process of processes) await process.close()
    await database.drop()
  }
})
