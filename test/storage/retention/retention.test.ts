import { deepEqual, equal, ok, rejects } from 'node:assert/strict'
import { after, test } from 'node:test'
import { incidentMembers } from '../../../machines/framework/incidentKeys.ts'
import type { ActorKind } from '../../../spec/core/ids.ts'
import type { TelemetryRecord } from '../../../spec/telemetry/record.ts'
import { openStorage } from '../../../storage/open.ts'
import { purgeEnded } from '../../../storage/retention/purge.ts'
import { monthOf } from '../../../storage/retention/retention.ts'
import { connect, type Queries, type Sql } from '../../../storage/sql/sql.ts'
import type { Storage } from '../../../storage/storage.ts'
import { stopServers, testDatabase } from '../../kit/runtime/postgres/postgres.ts'
import { toolCall } from '../../kit/runtime/toolCall.ts'
import { type Change, creation, nextWrite } from '../../kit/runtime/writes.ts'

after(stopServers)

const day = 86_400_000
const november = Date.UTC(2026, 10, 15)
const keep = { journalDays: 60, streamDays: 60, telemetryDays: 60, toolCallDays: 90 }

function withStorage(title: string, run: (storage: Storage, sql: Sql, lines: string[]) => Promise<void>): void {
  test(title, async () => {
    const database = await testDatabase()
    const lines: string[] = []
    const storage = await openStorage({ ...database.target, owner: 'one', log: (line) => lines.push(line) })
    const sql = connect(database.target, { name: 'test', max: 1 })
    try {
      await run(storage, sql, lines)
    } finally {
      await sql.end()
      await storage.close()
      await database.drop()
    }
  })
}

test('a month has its bounds in UTC', () => {
  deepEqual(monthOf(november), { name: '2026_11', from: Date.UTC(2026, 10), to: Date.UTC(2026, 11) })
  deepEqual(monthOf(november, 2), { name: '2027_01', from: Date.UTC(2027, 0), to: Date.UTC(2027, 1) })
})

withStorage(
  'partitions of months are created in advance, and are dropped when their youngest row is too old',
  async (storage, sql) => {
    await storage.housekeeping(november, keep)
    const [old, young] = [creation('run', { at: november }), creation('run', { at: Date.UTC(2026, 11, 1) })]
    await storage.journal.commit([old, young], [])
    deepEqual(await rowsOf(sql, ['journal_2026_11', 'journal_2026_12', 'journal_default']), [1, 1, 0])

    // 60 days after the month's last moment: not yet; a moment later it goes.
    await storage.housekeeping(Date.UTC(2026, 11) + 60 * day - 1, keep)
    equal((await storage.views.history({ id: old.ref.id, limit: 1 })).length, 1)
    await storage.housekeeping(Date.UTC(2026, 11) + 60 * day, keep)
    equal((await storage.views.history({ id: old.ref.id, limit: 1 })).length, 0)
    equal((await storage.views.history({ id: young.ref.id, limit: 1 })).length, 1)
    // History is not state.
    equal((await storage.views.find(old.ref.id))?.seq, 1)
  },
)

const tables = ['journal', 'stream_entry', 'telemetry_record', 'tool_call']

withStorage(
  'rows that a process with a wrong clock wrote for a distant month are kept, and the partition of that month is created',
  async (storage, sql, lines) => {
    const at = Date.UTC(2031, 0, 5)
    const write = creation('run', { at })
    const later = creation('run', { at: Date.UTC(2033, 0, 5) })
    await storage.journal.commit([write, later], [])
    await storage.streams.append({ stream: 's', sequence: 0, at, entries: [{ kind: 'k', data: new Uint8Array(1) }] })
    await storage.telemetry.append([telemetryRecord(at)])
    await storage.toolCalls.append(toolCall({ at }))
    deepEqual(
      await rowsOf(
        sql,
        tables.map((table) => `${table}_default`),
      ),
      [2, 1, 1, 1],
    )
    await storage.housekeeping(Date.UTC(2031, 0, 6), keep)
    deepEqual(
      await rowsOf(
        sql,
        tables.map((table) => `${table}_2031_01`),
      ),
      [1, 1, 1, 1],
    )
    deepEqual(
      await rowsOf(
        sql,
        tables.map((table) => `${table}_default`),
      ),
      [1, 0, 0, 0],
    )
    equal((await storage.views.history({ id: write.ref.id, limit: 1 })).length, 1)
    equal((await storage.streams.read('s', -1, 9)).length, 1)
    deepEqual(
      lines.filter((line) => line.includes('could not be made')),
      [],
    )
  },
)

withStorage('a partition that a long read locks does not prevent other deletions', async (storage, sql) => {
  await storage.housekeeping(november, keep)
  await sql`insert into idempotency (key, input_hash, actor, at) values ('k', 'h', 'run_1', ${november})`
  const later = Date.UTC(2027, 2, 20)
  await sql.begin(async (reader) => {
    await reader`select from journal_2026_11`
    await rejects(storage.housekeeping(later, keep), /journal_2026_11|lock timeout/)
    deepEqual(await tablesLike(reader, '2026_11'), ['journal_2026_11'])
    deepEqual([...(await reader`select key from idempotency`)], [])
  })
  await storage.housekeeping(later, keep)
  deepEqual(await tablesLike(sql, '2026_11'), [])
})

withStorage('entries of quarantine whose actors have moved on are removed', async (storage, sql) => {
  const [one, two] = [creation('run', { at: november }), creation('run', { at: november })]
  await storage.journal.commit([one, two], [])
  const entries = [one, two].map(({ ref }) => {
    return { ref, seq: 1, problem: 'p', since: november, retryAt: november, attempts: 1 }
  })
  await storage.quarantine.put(entries)
  await storage.journal.commit([nextWrite(two, 'one')], [])
  await storage.housekeeping(november, keep)
  deepEqual(
    (await sql<{ actor: string }[]>`select actor from quarantine`).map(({ actor }) => actor),
    [one.ref.id],
  )
})

withStorage('a stream begins after its deleted entries', async ({ streams, housekeeping }) => {
  await housekeeping(november, keep)
  const entries = [{ kind: 'k', data: new Uint8Array(3) }]
  await streams.append({ stream: 'a', sequence: 0, at: november, entries: [...entries, ...entries] })
  await streams.append({ stream: 'a', sequence: 2, at: Date.UTC(2026, 11, 3), entries })
  await streams.append({ stream: 'gone', sequence: 0, at: november, entries })
  await housekeeping(Date.UTC(2026, 11) + 61 * day, keep)
  const { first, next } = await streams.head('a')
  deepEqual([first, next], [2, 3])
  deepEqual(
    (await streams.read('a', -1, 10)).map(({ sequence }) => sequence),
    [2],
  )
  const gone = await streams.head('gone')
  deepEqual([gone.first, gone.next], [1, 1])
  deepEqual(await streams.append({ stream: 'gone', sequence: 1, at: november, entries }), { next: 2 })
})

withStorage(
  'idempotency keys expire after a day of the clock of the database, even if the clock of the process differs',
  async (storage) => {
    const { journal, housekeeping, databaseTime } = storage
    const now = databaseTime.now()
    ok(Math.abs(now - Date.now()) < 60_000)
    for (const [key, at] of [
      ['behind', now - 2 * day],
      ['ahead', now + 2 * day],
    ] as const) {
      await journal.commit([creation('run', { at, idempotency: { key, inputHash: 'h', at } })], [])
    }
    const known = async () => [await journal.idempotent('behind'), await journal.idempotent('ahead')].map(Boolean)
    await housekeeping(now + day - 1_000, keep)
    deepEqual(await known(), [true, true])
    await housekeeping(databaseTime.now() + day + 1, keep)
    deepEqual(await known(), [false, false])
  },
)

withStorage('news is kept for 30 days, and only the newest 100,000', async (storage, sql) => {
  await storage.housekeeping(november, keep)
  const published = (at: number) => creation('news', { at, columns: { status: 'PUBLISHED', terminal: true } })
  const [old, young, newest] = [published(november), published(november + 20 * day), published(november + 20 * day)]
  await storage.journal.commit([old, young, newest], [])
  const left = async () => [...(await storage.views.findMany([old, young, newest].map(({ ref }) => ref.id))).keys()]
  await storage.housekeeping(november + 30 * day, keep)
  equal((await left()).length, 3)
  await storage.housekeeping(november + 30 * day + 1, keep)
  deepEqual((await left()).sort(), [young.ref.id, newest.ref.id])
  // Copies after the first of the two, so that exactly 100,000 are newer than it.
  const next = `${newest.ref.id.slice(0, -1)}z`
  await sql.unsafe(
    `insert into actor_news (id, kind, seq, owner, machine_version, machine_hash, status, terminal, unwatched, incidents,
      created_at, changed_at, snapshot, init)
    select '${next}' || lpad(n::text, 6, '0'), kind, seq, owner, machine_version, machine_hash, status, terminal, unwatched, incidents,
      created_at, changed_at, snapshot, init
    from actor_news, generate_series(1, 99999) n where id = '${newest.ref.id}'`,
  )
  await storage.housekeeping(november + 30 * day + 1, keep)
  deepEqual(await left(), [newest.ref.id])
  deepEqual(await rowsOf(sql, ['actor_news']), [100_000])
})

function telemetryRecord(at: number): TelemetryRecord {
  const none = {
    severityText: null,
    severityNumber: null,
    eventName: null,
    traceId: null,
    spanId: null,
    sessionId: null,
  }
  const said = { body: 'b', attributes: {}, resource: {} }
  return { kind: 'CONSOLE_LOG', recordId: null, timestamp: at, observedTimestamp: at, ...none, ...said }
}

async function rowsOf(sql: Sql, tables: readonly string[]): Promise<readonly number[]> {
  const counts: number[] = []
  for (const table of tables) {
    const [row] = await sql.unsafe<{ count: number }[]>(`select count(*) as count from ${table}`)
    counts.push(row?.count ?? 0)
  }
  return counts
}

withStorage(
  'devices, notifications and webhooks that have ended are purged after a week, and other actors are kept',
  async (storage, sql) => {
    await storage.housekeeping(november, keep)
    const ended = (kind: ActorKind, change: Change = {}) =>
      creation(kind, { at: november, columns: { status: 'OVER', terminal: true }, ...change })
    const plain = ended('notification', { members: [{ key: incidentMembers.toKey('x'), value: true }] })
    const waiting = { ...plain, effects: [{ id: `${plain.ref.id}:1:0`, type: 'tell', params: {} }] }
    const gone = [
      ended('notification', { members: [{ key: incidentMembers.toKey('y'), value: true }] }),
      ended('apnsDevice'),
      ended('notificationDevice'),
      ended('webhookDelivery'),
    ]
    const kept = [waiting, ended('run'), creation('notification', { at: november })]
    await storage.journal.commit(
      [...gone, ...kept].sort((a, b) => (a.ref.id < b.ref.id ? -1 : 1)),
      [],
    )
    const standing = async () => (await storage.views.findMany([...gone, ...kept].map(({ ref }) => ref.id))).size

    await storage.housekeeping(november + 7 * day, keep)
    equal(await standing(), 7, 'a week is not over')
    await storage.housekeeping(november + 7 * day + 1, keep)
    equal(await standing(), 3)
    for (const { ref } of kept) ok(await storage.views.find(ref.id), `${ref.kind} is gone`)
    deepEqual(await rowsOf(sql, ['member']), [1], 'the member of an actor with an undelivered effect is kept')
    equal((await storage.views.history({ id: gone[0]?.ref.id ?? '', limit: 9 })).length, 1)
  },
)

withStorage('a process that ends while it purges leaves no members of purged actors', async (storage, sql) => {
  await storage.housekeeping(november, keep)
  const columns = { status: 'OVER', terminal: true }
  const members = [{ key: incidentMembers.toKey('x'), value: true }]
  await storage.journal.commit([creation('notification', { at: november, columns, members })], [])
  // Its connection is gone after it has deleted the actor.
  let isGone = false
  const dying = new Proxy(sql, {
    apply: (target, self, given) => (isGone ? rejected() : Reflect.apply(target, self, given)),
    get: (target, name) => {
      if (name !== 'unsafe') return Reflect.get(target, name)
      return async (text: string, values: never[]) => {
        if (isGone) return await rejected()
        isGone = text.includes('delete from actor_notification ')
        return await target.unsafe(text, values)
      }
    },
  })
  await purgeEnded(dying, november + 8 * day).catch(() => {})
  deepEqual(await rowsOf(sql, ['member', 'actor_notification']), [0, 0])
})

const rejected = () => Promise.reject(new Error('the connection is gone'))

async function tablesLike(sql: Queries, month: string): Promise<readonly string[]> {
  const rows = await sql<{ name: string }[]>`
    select relname as name from pg_class where relkind = 'r' and relname like ${`%${month}`} order by 1`
  return rows.map(({ name }) => name)
}
