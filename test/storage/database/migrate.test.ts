import { deepEqual, equal, ok, rejects } from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { after, describe, test } from 'node:test'
import { actorKinds } from '../../../spec/core/ids.ts'
import { migrate, migrations } from '../../../storage/database/migrate.ts'
import { actorTable } from '../../../storage/database/partitions.ts'
import { dumpSchema } from '../../../storage/database/schema.ts'
import { openStorage } from '../../../storage/open.ts'
import { connect, type Sql } from '../../../storage/sql/sql.ts'
import { serverKinds, stopServers, type TestDatabase, testDatabase } from '../../support/postgres/postgres.ts'

after(stopServers)

for (const kind of serverKinds()) {
  const it = (title: string, run: (sql: Sql, database: TestDatabase) => Promise<void>): void => {
    test(title, async () => {
      const database = await testDatabase(kind, { empty: true })
      const sql = connect(database.target, { name: 'test', max: 4 })
      try {
        await run(sql, database)
      } finally {
        await sql.end({ timeout: 1 })
        await database.drop()
      }
    })
  }

  describe(`migrations on ${kind} PostgreSQL`, () => {
    it('make the schema that schema.sql shows, once', async (sql) => {
      deepEqual(
        await migrate(sql),
        (await migrations()).map(({ name }) => name),
      )
      deepEqual(await migrate(sql), [])
      const written = await readFile(new URL('../../../storage/schema.sql', import.meta.url), 'utf8')
      equal(await dumpSchema(sql), written, 'run: node storage/database/dumpSchema.ts')
    })

    it('are run by one of two processes that start at once', async (sql, { target }) => {
      const other = connect(target, { name: 'other', max: 1 })
      const applied = await Promise.all([migrate(sql), migrate(other)]).finally(() => other.end())
      deepEqual(applied.map((names) => names.length).sort(), [0, (await migrations()).length])
    })

    it('leave nothing behind where one of them fails', async (sql) => {
      await sql`create table stream (name text)`
      await rejects(migrate(sql), { code: '42P07' })
      const [row] = await sql<{ count: number }[]>`
        select count(*) as count from pg_class where relname in ('actor', 'migration')`
      equal(row?.count, 0)
    })

    it('refuse a database that is newer, in one sentence', async (sql, { target }) => {
      await migrate(sql)
      await sql`insert into migration (name, hash) values ('9999_later', 'x')`
      const open = openStorage({ ...target, owner: 'one', log: () => {} })
      await rejects(open, { name: 'StartError', message: /migration 9999_later, which this program does not know/ })
    })

    it('refuse a database that others made', async (sql) => {
      await migrate(sql)
      await sql`update migration set hash = 'other' where name = (select min(name) from migration)`
      await rejects(migrate(sql), { name: 'StartError', message: /another migration/ })
    })

    it('let codebases of before be found by their path', async (sql) => {
      await migrate(sql)
      await sql.unsafe(`
        insert into actor (id, kind, seq, owner, machine_version, machine_hash, status, terminal, unwatched, incidents,
          created_at, changed_at, snapshot, init)
        select 'cbs_' || n, 'codebase', 1, 'one', 1, 'h', 'PRESENT', n = 2, false, 0, 0, 0, '{}', '{"path":"/src/\\u00e4|b"}'
        from generate_series(1, 2) n`)
      // By itself: what came after it is there already.
      await sql.unsafe(
        await readFile(new URL('../../../storage/migrations/0007_codebase_paths.sql', import.meta.url), 'utf8'),
      )
      const rows = await sql<{ scope_id: string | null }[]>`select scope_id from actor order by id`
      deepEqual(
        rows.map((row) => row.scope_id),
        ['/src/ä|b', null],
      )
    })

    it('give each kind a partition, and move there what was written before it had one', async (sql) => {
      await migrate(sql)
      const written = (table: string) => sql.unsafe<{ id: string; kind: string }[]>(`select id, kind from ${table}`)
      await sql.unsafe('drop table actor_plan')
      await sql`insert into actor (id, kind, seq, owner, machine_version, machine_hash, status, terminal, unwatched, incidents, unique_key,
          created_at, changed_at, snapshot, init)
        values ('pln_1', 'plan', 1, 'one', 1, '', 'DRAFT', false, false, 0, 'its name', 0, 0, '{}', '{}')`
      deepEqual([...(await written('actor_default'))], [{ id: 'pln_1', kind: 'plan' }])
      await migrate(sql)
      deepEqual([...(await written('actor_plan'))], [{ id: 'pln_1', kind: 'plan' }])
      deepEqual([...(await written('actor_default'))], [])
      const rows = await sql<{ name: string }[]>`
        select inhrelid::regclass::text as name from pg_inherits where inhparent = 'actor'::regclass`
      const tables = new Set(rows.map(({ name }) => name))
      deepEqual(tables, new Set([...actorKinds.map(actorTable), 'actor_default']))
    })
  })
}

test('a server that is not there is refused in one sentence without the password', async () => {
  const url = 'postgres://user:secret@127.0.0.1:9/none'
  await rejects(openStorage({ url, owner: 'one', log: () => {} }), (error: Error) => {
    equal(error.name, 'StartError')
    ok(!error.message.includes('secret'))
    return true
  })
})
