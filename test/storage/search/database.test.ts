/** Search in the database: its extension, its connections, and its cost for transitions that change no text. */
import { deepEqual, doesNotMatch, equal, match, ok, rejects } from 'node:assert/strict'
import { after, test } from 'node:test'
import { frameBatch } from '../../../storage/journal/batch.ts'
import { commitSql } from '../../../storage/journal/commitSql.ts'
import { openStorage } from '../../../storage/open.ts'
import { connect, type Sql } from '../../../storage/sql/sql.ts'
import { serverKinds, stopServers, type TestDatabase, testDatabase } from '../../kit/runtime/postgres/postgres.ts'
import { creation, nextWrite } from '../../kit/runtime/writes.ts'

after(stopServers)

async function withDatabase(
  empty: boolean,
  kind: ReturnType<typeof serverKinds>[number],
  run: (sql: Sql, database: TestDatabase) => Promise<void>,
) {
  const database = await testDatabase(kind, { empty })
  const sql = connect(database.target, { name: 'test', max: 2 })
  try {
    await run(sql, database)
  } finally {
    await sql.end({ timeout: 1 })
    await database.drop()
  }
}

for (const kind of serverKinds()) {
  test(`${kind}: a role that cannot create the extension gets instructions for an administrator, and then starts`, async () => {
    await withDatabase(true, kind, async (sql, { target }) => {
      const role = `plain_${process.pid}`
      await sql.unsafe(`create role ${role} login; grant all on schema public to ${role}`)
      const own = { connection: { ...target.connection, username: role } }
      try {
        await rejects(openStorage({ ...own, owner: 'one', log: () => {} }), (error: Error) => {
          equal(error.name, 'StartError')
          match(error.message, /let an administrator run "create extension pg_trgm" in the database of DATABASE_URL/)
          doesNotMatch(error.message, /\n/)
          return true
        })
        const [row] = await sql<{ count: number }[]>`select count(*) as count from pg_class where relname = 'actor'`
        equal(row?.count, 0, 'nothing was changed')
        await sql`create extension pg_trgm`
        const storage = await openStorage({ ...own, owner: 'one', log: () => {} })
        await storage.journal.commit(
          [creation('run', { document: { version: 1, found: { title: 'one', text: '' } } })],
          [],
        )
        equal((await storage.views.search({ text: 'one', limit: 1 })).length, 1)
        await storage.close()
      } finally {
        await sql.unsafe(`drop owned by ${role} cascade; drop role ${role}`)
      }
    })
  })

  test(`${kind}: similar titles and frequent words are found by their indexes in a large table`, async () => {
    await withDatabase(false, kind, async (sql, { target }) => {
      // The last fifth has another name, so a scan from the beginning of the table would take long to find it.
      await sql.unsafe(`
        insert into search_document (actor, kind, version, title, body, title_key, words)
        select 'run_' || lpad(n::text, 26, '0'), 'run', 1, t, 'b', t, ('''=run'' ''' || w || ''':1A ''' || n || ''':2A')::tsvector
        from generate_series(1, 20000) n, lateral (select case when n > 16000 then 'feature' else 'checkout' end as w) w,
          lateral (select w || ' ' || n as t) t`)
      await sql.unsafe('analyze search_document')
      const storage = await openStorage({ ...target, owner: 'one', log: () => {} })
      const read = async (): Promise<number> => {
        const [row] = await sql<{ rows: number }[]>`
          select idx_tup_fetch + seq_tup_read as rows from pg_stat_user_tables where relname = 'search_document'`
        return row?.rows ?? 0
      }
      const before = await read()
      for (const text of [
        'checkout',
        'chekout',
        'heckou',
        'checkout 17',
        'nowhere',
        'checkout nowhere',
        'feature fix',
      ]) {
        const hits = await storage.views.search({ text, limit: 11 })
        ok(text.includes('nowhere') || hits.length === 11, `${text}: ${hits.length}`)
      }
      const [newest] = await storage.views.search({ text: 'feature', limit: 1 })
      equal(newest?.title, 'feature 20000')
      // A connection reports its counters when it is idle or ends.
      await storage.close()
      ok((await read()) - before < 15_000, `${(await read()) - before} rows were read by 8 searches`)
    })
  })
}

test('a search that hangs delays only other searches, and fails after 3 s', { timeout: 20_000 }, async () => {
  await withDatabase(false, serverKinds()[0] ?? 'embedded', async (sql, { target }) => {
    const storage = await openStorage({ ...target, owner: 'one', log: () => {} })
    const locked = Promise.withResolvers<void>()
    const release = Promise.withResolvers<void>()
    const held = sql.begin(async (tx) => {
      await tx.unsafe('lock table search_document in access exclusive mode')
      locked.resolve()
      await release.promise
    })
    await locked.promise
    const searches = Array.from({ length: 8 }, () =>
      storage.views.search({ text: 'x', limit: 1 }).catch((error: { code: string }) => error.code),
    )
    const run = creation('run')
    await storage.journal.commit([run], [])
    equal((await storage.views.find(run.ref.id))?.id, run.ref.id)
    deepEqual(await Promise.race(searches), 'UNAVAILABLE')
    release.resolve()
    await held
    await Promise.all(searches)
    await storage.close()
  })
})

test('the statement of a batch without a changed search document does not use the search table', () => {
  const sqlOf = (...writes: Parameters<typeof frameBatch>[0]): string =>
    commitSql(frameBatch(writes, [], 'one').shape).text
  const first = creation('run')
  doesNotMatch(sqlOf(nextWrite(first, 'one'), creation('plan')), /search_document/)
  match(sqlOf(nextWrite(first, 'one', { document: { version: 1, found: undefined } })), /search_document/)
})
