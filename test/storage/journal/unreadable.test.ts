/** A damaged row affects only its own actor, and no other actor in the same read. */
import { deepEqual, equal, match } from 'node:assert/strict'
import { after, test } from 'node:test'
import { openStorage } from '../../../storage/open.ts'
import { connect } from '../../../storage/sql/sql.ts'
import { stopServers, testDatabase } from '../../kit/runtime/postgres/postgres.ts'
import { creation } from '../../kit/runtime/writes.ts'

after(stopServers)

test('actors are loaded and listed even if the members or the snapshot of one of them are not JSON', async () => {
  const database = await testDatabase()
  const storage = await openStorage({ ...database.target, owner: 'one', log: () => {} })
  const sql = connect(database.target, { name: 'test', max: 1 })
  try {
    const writes = [creation('run'), creation('run'), creation('run')]
    const [bad, empty, good] = writes.map(({ ref }) => ref.id).sort() as [string, string, string]
    await storage.journal.commit(writes, [])
    await sql`insert into member (actor, key, value) values (${bad}, 'k', '{')`
    await sql`update actor set snapshot = '{' where id = ${empty}`

    const loaded = await storage.journal.load(writes.map(({ ref }) => ref))
    match(loaded.get(bad)?.unreadable ?? '', /members .* are not JSON/)
    equal(loaded.get(good)?.unreadable, undefined)
    const listed = await storage.views.list({ kind: 'run', limit: 10 })
    deepEqual(
      listed.map(({ id }) => id),
      [bad, empty, good],
    )
    deepEqual(listed[1]?.context, {})
  } finally {
    await sql.end()
    await storage.close()
    await database.drop()
  }
})
