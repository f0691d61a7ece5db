/** Problems of the database that cause no error, and the database's clock. */
import { equal, match, ok } from 'node:assert/strict'
import { after, mock, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { DatabaseWatch } from '../../../storage/database/databaseWatch.ts'
import { registerRelease } from '../../../storage/database/release.ts'
import { openStorage } from '../../../storage/open.ts'
import { makePartitions } from '../../../storage/retention/retention.ts'
import { connect, type Sql } from '../../../storage/sql/sql.ts'
import { type ServerKind, stopServers, testDatabase } from '../../kit/runtime/postgres/postgres.ts'
import { creation } from '../../kit/runtime/writes.ts'

after(stopServers)

interface World {
  readonly watch: DatabaseWatch
  readonly sql: Sql
  readonly lines: readonly string[]
  readonly target: Awaited<ReturnType<typeof testDatabase>>['target']
}

async function inWorld(run: (world: World) => Promise<void>, kind?: ServerKind): Promise<void> {
  const database = await testDatabase(kind)
  const sql = connect(database.target, { name: 'test', max: 3 })
  const lines: string[] = []
  await registerRelease(sql, 'this one')
  const watch = new DatabaseWatch({
    sql,
    release: 'this one',
    log: (line) => lines.push(line),
    superseded: () => {},
    stalledMs: 500,
  })
  try {
    await watch.begin()
    await run({ watch, sql, lines, target: database.target })
  } finally {
    await watch.end()
    await sql.end()
    await database.drop()
  }
}

test("the database's time does not move with this machine's wall clock, and a difference is reported", () =>
  inWorld(async ({ watch, lines }) => {
    ok(Math.abs(watch.health.clockSkewMs) < 500)
    const real = Date.now.bind(Date)
    const before = watch.now()
    mock.method(Date, 'now', () => real() + 3_600_000)
    try {
      ok(Math.abs(watch.now() - before) < 1_000)
      ok(Math.abs(watch.health.clockSkewMs - 3_600_000) < 1_000)
      await sleep(2_300)
    } finally {
      mock.restoreAll()
    }
    equal(lines.length, 1, 'once a minute')
    match(lines[0] ?? '', /3(599|600)\d{3} ms ahead of the database's; 2000 ms are allowed.*NTP/)
  }))

test('a late answer does not move the time', () =>
  inWorld(async ({ watch, sql }) => {
    let late = false
    const slow = (async (...given: Parameters<Sql>) => {
      const rows = await sql(...given)
      if (late) await sleep(700)
      return rows
    }) as unknown as Sql
    const other = new DatabaseWatch({ sql: slow, release: 'this one', log: () => {}, superseded: () => {} })
    await other.begin()
    try {
      late = true
      const offset = other.now() - performance.now()
      await sleep(2_500)
      // The middle of a late answer's interval is 350 ms off. A first answer that was a little late may be corrected by less.
      const moved = Math.abs(other.now() - performance.now() - offset)
      ok(moved < 100, `moved by ${moved} ms`)
      ok(Math.abs(other.now() - watch.now()) < 50)
    } finally {
      await other.end()
    }
  }))

test('a late first answer does not make the time wrong', () =>
  inWorld(async ({ watch, sql }) => {
    let isFirst = true
    const slow = (async (...given: Parameters<Sql>) => {
      const rows = await sql(...given)
      if (isFirst) await sleep(700)
      isFirst = false
      return rows
    }) as unknown as Sql
    const other = new DatabaseWatch({ sql: slow, release: 'this one', log: () => {}, superseded: () => {} })
    await other.begin()
    await other.end()
    const difference = Math.abs(other.now() - watch.now())
    ok(difference < 100, `it is wrong by ${difference} ms`)
  }))

test('a transaction that holds back the transitions of kinds is named while it lasts', () =>
  inWorld(async ({ watch, sql, lines }) => {
    // The month's partition is made at the start of a process.
    await makePartitions(sql, Date.now(), () => {})
    await sql.begin(async (held) => {
      await held`select pg_current_xact_id()`
      await sql`
        insert into journal (at, actor, seq, kind, owner, event, status, detail, tx)
        select ${Date.now()}, ${creation('run').ref.id}, 1, 'run', 'x', 'create', 'OPEN', '{}',
          pg_current_xact_id()::text::bigint + shift
        from journal_position`
      await sleep(2_600)
      const { historyStalledMs, historyStalledBy } = watch.health
      ok(historyStalledMs > 500)
      match(historyStalledBy ?? '', /the transaction of process \d+ \(signalbox test, idle in transaction\)/)
      match(lines[0] ?? '', /Subscriptions to the transitions of a kind have received nothing .* pg_terminate_backend/)
    })
    await sleep(1_200)
    equal(watch.health.historyStalledMs, 0)
  }))

// PostgreSQL 18, which is the embedded one, plans such statements differently from 15.
test('a check of the database does not read the whole journal', () =>
  inWorld(async ({ sql }) => {
    await makePartitions(sql, Date.now(), () => {})
    const rows = 20_000
    await sql`
      insert into journal (at, actor, seq, kind, owner, event, status, detail, tx)
      select ${Date.now()}, ${creation('run').ref.id}, n, 'run', 'x', 'create', 'OPEN', repeat('x', 100), 1
      from generate_series(1, ${rows}::integer) n`
    await sql`analyze journal`
    const readRows = async (): Promise<number> => {
      const [row] = await sql<{ rows: number }[]>`
        select sum(seq_tup_read)::float8 as rows from pg_stat_user_tables
        where starts_with(relname, 'journal_') and relname <> 'journal_position'`
      return row?.rows ?? 0
    }
    // A look each second. A connection publishes what it has read at most once a second.
    await sleep(1_500)
    const before = await readRows()
    await sleep(3_500)
    const read = (await readRows()) - before
    ok(read < rows, `the checks have read ${read} rows`)
  }, 'embedded'))

test('the claims of a process expire soon after its death, even if its wall clock was set back', () =>
  inWorld(async ({ target, sql }) => {
    const real = Date.now.bind(Date)
    const open = (owner: string) => openStorage({ ...target, owner, log: () => {} })
    const [one, two] = [await open('one'), await open('two')]
    const write = creation('run', { at: real() + 3_600_000 })
    mock.method(Date, 'now', () => real() + 3_600_000)
    try {
      await one.journal.commit([{ ...write, effects: [{ id: `${write.ref.id}:1:0`, type: 'send', params: null }] }], [])
      await one.outbox.beat('one', one.databaseTime.now())
    } finally {
      mock.restoreAll()
    }
    await sql`update process set seen_at = seen_at - 5000`
    await sql`update outbox set claimed_until = claimed_until - 5000`
    const now = two.databaseTime.now()
    await two.outbox.beat('two', now)
    equal((await two.outbox.claim('two', now, 30_000, 10)).length, 1)
    await Promise.all([one.close(), two.close()])
  }))
