import { deepEqual, equal, ok, rejects } from 'node:assert/strict'
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { actorKinds } from '../../../spec/core/ids.ts'
import { migrate } from '../../../storage/database/migrate.ts'
import { type Migration, readMigrations } from '../../../storage/database/migrations.ts'
import { actorTable } from '../../../storage/database/partitions.ts'
import { dumpSchema } from '../../../storage/database/schema.ts'
import { openStorage } from '../../../storage/open.ts'
import type { RowQuery } from '../../../storage/ports/views.ts'
import { connect, type Sql } from '../../../storage/sql/sql.ts'
import { type ServerKind, stopServers, type TestDatabase, testDatabase } from '../../kit/runtime/postgres/postgres.ts'
import { creation } from '../../kit/runtime/writes.ts'

const baseline = '0001_baseline'
const project = join(import.meta.dirname, '../../..')
const migrationsFolder = join(project, 'storage/migrations')

/** A change of the schema and of data, which names a partition that the baseline does not create. */
const change = `alter table actor add column label text;
update actor set label = 'was ' || status;
create index actor_plan_label on actor_plan (label);
`

let folder: string
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'signalbox-migrations-'))
})
after(async () => {
  await stopServers()
  await rm(folder, { recursive: true, force: true })
})

/** The migrations of a later version: those of this program and more files. */
async function laterMigrations(files: Readonly<Record<string, string>>): Promise<readonly Migration[]> {
  const later = await mkdtemp(join(folder, 'later-'))
  await cp(migrationsFolder, later, { recursive: true })
  for (const [name, text] of Object.entries(files)) await writeFile(join(later, name), text)
  return readMigrations(later)
}

const unreleased = join(import.meta.dirname, 'unreleased.sql')
const beforeBaseline =
  'The database of DATABASE_URL begins with migration 0001_actors instead of 0001_baseline, so it was made by a version from before the first release and cannot be used by this one: set DATABASE_URL to an empty database to begin with a new database, and the old one stays unchanged.'

/** Databases that are refused: how they were made, and the sentence. */
const refused: Readonly<Record<string, { make(sql: Sql): Promise<unknown>; sentence: string }>> = {
  'was made before there was a baseline': {
    make: async (sql) => sql.unsafe(await readFile(unreleased, 'utf8')),
    sentence: beforeBaseline,
  },
  'was made before there was a baseline, and on which processes run': {
    async make(sql) {
      await sql.unsafe(await readFile(unreleased, 'utf8'))
      await sql`create table process (owner text primary key, seen_at bigint not null)`
      await sql`insert into process select 'old', extract(epoch from clock_timestamp()) * 1000`
    },
    sentence: beforeBaseline,
  },
  'was made when there was one migration, and no baseline': {
    async make(sql) {
      await sql.unsafe(await readFile(unreleased, 'utf8'))
      await sql`delete from migration where name > '0001_actors'`
    },
    sentence: beforeBaseline,
  },
  'is newer': {
    async make(sql) {
      await migrate(sql)
      await sql`insert into migration (name, hash) values ('9999_later', 'x')`
    },
    sentence:
      'The database of DATABASE_URL has migration 9999_later, which this version of Signalbox does not have: start the newer version that made it, or restore a backup from before.',
  },
  'was made by another text of a migration': {
    async make(sql) {
      await migrate(sql)
      await sql`update migration set hash = 'other'`
    },
    sentence:
      'The database of DATABASE_URL has a migration 0001_baseline that differs from the 0001_baseline of this version of Signalbox: start the version that made it.',
  },
}

/** The contract of the migrations on one kind of server. */
export function migrateContract(kind: ServerKind): void {
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
    it('create the schema of schema.sql, once', async (sql) => {
      deepEqual(
        await migrate(sql),
        (await readMigrations()).map(({ name }) => name),
      )
      deepEqual(await migrate(sql), [])
      const written = await readFile(join(project, 'storage/schema.sql'), 'utf8')
      equal(await dumpSchema(sql), written, 'run: node storage/database/dumpSchema.ts')
    })

    it('are run by one of two processes that start at once', async (sql, { target }) => {
      const other = connect(target, { name: 'other', max: 1 })
      const applied = await Promise.all([migrate(sql), migrate(other)]).finally(() => other.end())
      deepEqual(applied.map((names) => names.length).sort(), [0, (await readMigrations()).length])
    })

    it('leave nothing behind if one of them fails', async (sql) => {
      await sql`create table stream (name text)`
      await rejects(migrate(sql), { code: '42P07' })
      const [row] = await sql<{ count: number }[]>`
        select count(*) as count from pg_class where relname in ('actor', 'migration')`
      equal(row?.count, 0)
    })

    it('of a later version are applied to a database with data, once', async (sql, { target }) => {
      const storage = await openStorage({ ...target, owner: 'one', log: () => {} })
      const [plan, run] = [creation('plan'), creation('run')]
      await storage.journal.commit([plan, run], [])
      await storage.close()
      const migrations = await laterMigrations({ '0902_labels.sql': change })
      deepEqual(await migrate(sql, { migrations }), ['0902_labels'])
      deepEqual(await migrate(sql, { migrations }), [])
      const rows = await sql`select id, snapshot, label from actor order by id`
      deepEqual(
        rows.map((row) => ({ ...row })),
        [plan, run]
          .map(({ ref, snapshot, columns }) => ({ id: ref.id, snapshot, label: `was ${columns.status}` }))
          .sort((a, b) => (a.id < b.id ? -1 : 1)),
      )
      await rejects(migrate(sql), { name: 'StartError', message: /has migration 0902_labels, which this version/ })
    })

    it('of a later version create a new database together with the earlier ones', async (sql) => {
      const migrations = await laterMigrations({ '0902_labels.sql': change })
      deepEqual(await migrate(sql, { migrations }), [
        ...(await readMigrations()).map(({ name }) => name),
        '0902_labels',
      ])
    })

    it('of a later version change nothing if one of them fails', async (sql) => {
      await migrate(sql)
      const before = await dumpSchema(sql)
      const migrations = await laterMigrations({ '0902_labels.sql': change, '0903_wrong.sql': 'select 1 / 0' })
      await rejects(migrate(sql, { migrations }), { code: '22012' })
      equal(await dumpSchema(sql), before)
      const applied = await sql<{ name: string }[]>`select name from migration`
      deepEqual(
        applied.map(({ name }) => name),
        (await readMigrations()).map(({ name }) => name),
      )
    })

    it('order the runs of the first release by their end, and keep their documents', async (sql, { target }) => {
      const [first] = await readMigrations()
      ok(first)
      equal(first.name, baseline)
      await migrate(sql, { migrations: [first] })
      for (const [id, terminal] of [
        ['run_1', true],
        ['run_2', false],
        ['run_3', true],
      ] as const)
        await sql`
          insert into actor (id, kind, seq, owner, machine_version, machine_hash, status, terminal, unwatched, incidents,
            created_at, changed_at, snapshot, init)
          values (${id}, 'run', 1, 'old', 3, 'h', 'FAILED', ${terminal}, false, 0, 1, 5,
            '{"value":"FAILED","context":{},"timers":[]}', '{}')`
      await sql`insert into search_document (actor, kind, version, title) values ('run_1', 'run', 1, 'kept')`
      await migrate(sql)
      const { views, close } = await openStorage({ ...target, owner: 'one', log: () => {} })
      const ids = async (query: Partial<RowQuery>) =>
        (await views.list({ kind: 'run', limit: 9, ...query })).map(({ id }) => id)
      try {
        deepEqual(await ids({ order: 'ended', descending: true }), ['run_3', 'run_1'])
      } finally {
        await close()
      }
      equal((await sql`select title from search_document where actor = 'run_1'`)[0]?.title, 'kept')
    })

    it('measure the existing runs, also those with an invalid report of usage', async (sql, { target }) => {
      const migrations = await readMigrations()
      await migrate(sql, { migrations: migrations.filter(({ name }) => name < '0003') })
      const times = (started: number | null, ended: number | null) => ({
        queue: { queuedAt: 1_000 },
        times: { admitted: started === null ? null : 3_000, started, ended },
      })
      const good = { inputTokens: 10, outputTokens: 2, cachedInputTokens: null, cost: { amount: 0.5, currency: 'USD' } }
      const runs: Readonly<Record<string, { lifecycle: string; context: unknown; usage?: unknown }>> = {
        run_1: { lifecycle: 'SUCCEEDED', context: times(4_000, 14_000), usage: good },
        run_2: { lifecycle: 'FAILED', context: times(4_000, 14_000), usage: { inputTokens: '\0', outputTokens: 2 } },
        run_3: {
          lifecycle: 'CANCELED',
          context: times(null, 9_000),
          usage: { ...good, cost: { amount: 1, currency: 'money' } },
        },
        run_4: { lifecycle: 'RUNNING', context: times(4_000, null) },
        run_5: { lifecycle: 'QUEUED', context: times(null, null) },
      }
      for (const [id, { lifecycle, context, usage }] of Object.entries(runs)) {
        const ended = lifecycle !== 'RUNNING' && lifecycle !== 'QUEUED'
        await sql`
          insert into actor (id, kind, seq, owner, machine_version, machine_hash, status, terminal, unwatched, incidents,
            agent_id, created_at, changed_at, snapshot, init)
          values (${id}, 'run', 1, 'old', 3, 'h', ${lifecycle}, ${ended}, false, 0, 'agt_1', 1, 5,
            ${JSON.stringify({ value: { lifecycle, incident: 'NONE' }, context, timers: [] })},
            ${JSON.stringify({ kind: 'SESSION', place: { repository: 'example.org/a/b' } })})`
        if (usage !== undefined)
          await sql`insert into member (actor, key, value) values (${id}, 'result', ${JSON.stringify({ text: '\0', usage })})`
      }
      await migrate(sql)
      const { views, housekeeping, close } = await openStorage({ ...target, owner: 'one', log: () => {} })
      try {
        for (const time of ['before housekeeping', 'after it']) {
          const query = { edges: [0, 20_000], now: 15_000, repository: 'example.org/a/b', kind: 'SESSION' } as const
          const { total } = await views.insights(query)
          const { SUCCEEDED, FAILED, CANCELED } = total.ended
          deepEqual([total.started, SUCCEEDED, FAILED, CANCELED, total.busyMs], [3, 1, 1, 1, 31_000], time)
          deepEqual(
            total.usage,
            { runCount: 2, inputTokens: 20, outputTokens: 4, cachedInputTokens: 0, costs: { USD: 0.5 } },
            time,
          )
          ok(Math.abs(Number(total.durationMs.p50) - 10_000) < 500, time)
          ok(Math.abs(Number(total.queueWaitMs.p95) - 8_000) < 400, time)
          await housekeeping(15_000, {
            journalDays: 99_999,
            streamDays: 99_999,
            telemetryDays: 99_999,
            toolCallDays: 99_999,
          })
        }
      } finally {
        await close()
      }
    })

    for (const [title, { make, sentence }] of Object.entries(refused)) {
      it(`refuse a database that ${title}, in one sentence, and change nothing`, async (sql, { target }) => {
        await make(sql)
        const read = async () => ({
          schema: await dumpSchema(sql),
          applied: (await sql`select * from migration order by name`).map((row) => ({ ...row })),
        })
        const before = await read()
        await rejects(migrate(sql), { name: 'StartError', message: sentence })
        await rejects(openStorage({ ...target, owner: 'one', log: () => {} }), {
          name: 'StartError',
          message: sentence,
        })
        deepEqual(await read(), before)
      })
    }

    it('create a partition for each kind, also for a kind whose partition is missing', async (sql) => {
      await migrate(sql)
      const made = await dumpSchema(sql)
      await sql.unsafe('drop table actor_plan')
      deepEqual(await migrate(sql), [])
      equal(await dumpSchema(sql), made)
      const rows = await sql<{ name: string }[]>`
        select inhrelid::regclass::text as name from pg_inherits where inhparent = 'actor'::regclass`
      const tables = new Set(rows.map(({ name }) => name))
      deepEqual(tables, new Set([...actorKinds.map(actorTable), 'actor_default']))
    })
  })
}

test('an unreachable server is reported as a StartError without the password', async () => {
  const url = 'postgres://user:secret@127.0.0.1:9/none'
  await rejects(openStorage({ url, owner: 'one', log: () => {} }), (error: Error) => {
    equal(error.name, 'StartError')
    ok(!error.message.includes('secret'))
    return true
  })
})
