import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { after, test } from 'node:test'
import { Failure } from '../../../spec/core/failure.ts'
import { openStorage } from '../../../storage/open.ts'
import { connect } from '../../../storage/sql/sql.ts'
import { PostgresStreams } from '../../../storage/streams/streams.ts'
import { stopServers, testDatabase } from '../../kit/runtime/postgres/postgres.ts'

after(stopServers)

test('appends beyond the limit of waiting bytes are refused as UNAVAILABLE, and the accepted appends are kept', async () => {
  const database = await testDatabase()
  const storage = await openStorage({ ...database.target, owner: 'one', log: () => {} })
  const sql = connect(database.target, { name: 'test', max: 1 })
  const streams = new PostgresStreams(sql, 10_000)
  const holder = connect(database.target, { name: 'holder', max: 1 })
  const entries = [{ kind: 'k', data: new Uint8Array(1_000) }]
  try {
    await holder`begin`
    await holder`lock table stream_entry in access exclusive mode`
    const first = streams.append({ stream: 'first', sequence: 0, at: 1, entries })
    await new Promise((resolve) => setTimeout(resolve, 50))
    const appends = Array.from({ length: 30 }, (_, n) =>
      streams.append({ stream: `s${n}`, sequence: 0, at: 1, entries }),
    )
    const outcomes = Promise.allSettled(appends)
    const refused = await Promise.race(appends.slice(-1)).catch((error: unknown) => error)
    ok(refused instanceof Failure)
    deepEqual([refused.code, refused.retryAfterMs], ['UNAVAILABLE', 1_000])
    match(refused.message, /than can be written/)
    await holder`rollback`
    await first
    const taken = (await outcomes).map(({ status }) => status === 'fulfilled')
    const expected = taken.map((_, n) => n < taken.indexOf(false))
    deepEqual(taken, expected, 'the first appends are accepted')
    for (const [n, isTaken] of taken.entries()) equal((await streams.head(`s${n}`)).next, isTaken ? 1 : 0)
    equal((await streams.append({ stream: 's29', sequence: 0, at: 1, entries })).next, 1, 'there is room again')
  } finally {
    await holder.end({ timeout: 1 })
    await sql.end({ timeout: 1 })
    await storage.close()
    await database.drop()
  }
})
