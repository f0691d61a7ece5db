/** The order of the transitions of a kind: with concurrent transactions, after old months were dropped, and after a restore on another server. */
import { deepEqual, equal, ok } from 'node:assert/strict'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { HistoryPosition } from '../../../spec/core/historyPosition.ts'
import { openStorage } from '../../../storage/open.ts'
import { connect, type Sql } from '../../../storage/sql/sql.ts'
import type { Storage } from '../../../storage/storage.ts'
import { kindTransitions, namesOf } from '../../kit/runtime/kindHistory.ts'
import { serverKinds, stopServers, testDatabase } from '../../kit/runtime/postgres/postgres.ts'
import { creation, detailOf, newId, nextWrite } from '../../kit/runtime/writes.ts'

after(stopServers)

interface World {
  open(owner: string): Promise<Storage>
  readonly sql: Sql
}

/** It runs on each available server, because servers differ in the visibility of transactions. */
function it(title: string, run: (storage: Storage, world: World) => Promise<void>): void {
  for (const kind of serverKinds()) {
    test(`${title} (${kind})`, async () => {
      const database = await testDatabase(kind)
      const opened: Storage[] = []
      const open = async (owner: string): Promise<Storage> => {
        const storage = await openStorage({ ...database.target, owner, log: () => {} })
        opened.push(storage)
        return storage
      }
      const sql = connect(database.target, { name: 'test', max: 2 })
      try {
        await run(await open('one'), { open, sql })
      } finally {
        // If the test failed, a commit may still wait for its end.
        await sql.end({ timeout: 1 })
        for (const storage of opened) await storage.close()
        await database.drop()
      }
    })
  }
}

/** A commit that has begun and not ended. It resolves when its transition is written, and `end` commits it. */
async function lateCommit(sql: Sql, id: string): Promise<{ end(): Promise<unknown> }> {
  const written = Promise.withResolvers<void>()
  const go = Promise.withResolvers<void>()
  const ended = sql.begin(async (tx) => {
    await tx`
      insert into journal (at, actor, seq, kind, owner, event, status, detail, tx)
      select ${Date.now()}, ${id}, 1, 'run', 'late', 'create', 'OPEN', ${detailOf('create')},
        pg_current_xact_id()::text::bigint + shift
      from journal_position`
    written.resolve()
    await go.promise
  })
  await Promise.race([written.promise, ended])
  return {
    end() {
      go.resolve()
      return ended
    },
  }
}

it('a transaction in flight holds back the transitions that overtook it', async ({ journal, views }, { sql }) => {
  const [before, overtaking, job, last] = [creation('run'), creation('run'), creation('job'), creation('run')]
  const start = await views.historyEnd()
  await journal.commit([before], [])
  const lateId = newId('run')
  const late = await lateCommit(sql, lateId)
  await journal.commit([overtaking, job], [])

  const read = async (position: HistoryPosition) => views.kindHistory({ kind: 'run', after: position, limit: 10 })
  const first = await read(start)
  deepEqual(namesOf(first.transitions), [`${before.ref.id}:1`])
  deepEqual([first.heldBack, first.more], [true, false])
  const nothing = await read(first.position)
  deepEqual([nothing.transitions, nothing.heldBack, nothing.position], [[], true, first.position])
  // Of another kind nothing waits.
  equal((await views.kindHistory({ kind: 'plan', after: start, limit: 10 })).heldBack, false)
  const present = await views.historyEnd()
  deepEqual(present, first.position)

  await late.end()
  await journal.commit([last], [])
  const rest = [`${lateId}:1`, `${overtaking.ref.id}:1`, `${last.ref.id}:1`]
  for (const position of [first.position, present])
    deepEqual(namesOf(await kindTransitions(views, 'run', position)), rest)
})

it('a transaction that is rolled back no longer holds transitions back', async ({ journal, views }, { sql }) => {
  const start = await views.historyEnd()
  const go = Promise.withResolvers<void>()
  const written = Promise.withResolvers<void>()
  const failing = sql.begin(async (tx) => {
    await tx`select pg_current_xact_id()`
    written.resolve()
    await go.promise
    throw new Error('rolled back')
  })
  await written.promise
  const write = creation('run')
  await journal.commit([write], [])
  equal((await views.kindHistory({ kind: 'run', after: start, limit: 10 })).heldBack, true)
  go.resolve()
  await failing.catch(() => {})
  deepEqual(namesOf(await kindTransitions(views, 'run', start)), [`${write.ref.id}:1`])
})

const shiftOf = async (sql: Sql): Promise<number> =>
  (await sql<{ shift: number }[]>`select shift from journal_position`)[0]?.shift ?? -1

it('a restored dump continues after its own history, even if transaction IDs are lower', async (storage, {
  open,
  sql,
}) => {
  const start = await storage.views.historyEnd()
  const old = [creation('run'), creation('run')] as const
  await storage.journal.commit([old[0]], [])
  await storage.journal.commit([old[1]], [])
  // The dump: its transactions were of another server, which was 10,000,000,000 ahead.
  const ahead = 10_000_000_000
  await sql`update journal set tx = tx + ${ahead}`
  const oldTransitions = (await sql<{ tx: number }[]>`select tx from journal order by tx`).map(({ tx }) => tx)
  await storage.close()

  const [two, three] = await Promise.all([open('two'), open('three')])
  const shift = await shiftOf(sql)
  ok(shift > ahead, String(shift))
  // The one that came later, and one that comes now, find it done.
  await open('four')
  equal(await shiftOf(sql), shift)

  const fresh = nextWrite(old[0], 'one')
  await two.journal.commit([fresh], [])
  const more = nextWrite(fresh, 'two')
  await three.journal.commit([more], [])
  const news = [`${fresh.ref.id}:2`, `${fresh.ref.id}:3`]
  const all = await kindTransitions(two.views, 'run', start)
  deepEqual(namesOf(all), [`${old[0].ref.id}:1`, `${old[1].ref.id}:1`, ...news])
  const cursors = [all[1]?.position, { tx: (oldTransitions[1] ?? 0) + 1_000_000, actor: old[1].ref.id }]
  // The positions of the last transition in the dump and of a later one, which was lost.
  for (const cursor of cursors) deepEqual(namesOf(await kindTransitions(three.views, 'run', cursor ?? start)), news)
})

it('while the same server continues, no position is shifted', async ({ journal }, { open, sql }) => {
  await journal.commit([creation('run')], [])
  const late = await lateCommit(sql, newId('run'))
  await journal.commit([creation('run')], [])
  await open('two')
  equal(await shiftOf(sql), 0)
  await late.end()
  await open('three')
  equal(await shiftOf(sql), 0)
})

it('after a dropped month all transitions are read, and a position before its end is reported as gone', async (storage, {
  sql,
}) => {
  const keep = { journalDays: 60, streamDays: 60, telemetryDays: 60, toolCallDays: 90 }
  const november = Date.UTC(2026, 10, 15)
  const { journal, views } = storage
  await storage.housekeeping(november, keep)
  const start = await views.historyEnd()
  const old = [creation('run', { at: november }), creation('run', { at: november })] as const
  await journal.commit([old[0]], [])
  await journal.commit([old[1]], [])
  const between = await views.historyEnd()
  const young = creation('run', { at: Date.UTC(2026, 11, 1) })
  await journal.commit([young], [])
  const [first, second] = await kindTransitions(views, 'run', start)
  await storage.housekeeping(Date.UTC(2026, 11) + 61 * 86_400_000, keep)

  for (const position of [start, first?.position, second?.position]) {
    const page = await views.kindHistory({ kind: 'run', after: position ?? between, limit: 10 })
    deepEqual([page.gone, page.transitions], [true, []])
  }
  const page = await views.kindHistory({ kind: 'run', after: between, limit: 10 })
  deepEqual([page.gone, namesOf(page.transitions)], [false, [`${young.ref.id}:1`]])
  // Dropping a month without transitions removes nothing: the partition of January was created in advance.
  const gone = async () => (await sql<{ gone: number }[]>`select gone from journal_position`)[0]?.gone
  await storage.housekeeping(Date.UTC(2027, 5), keep)
  equal(await gone(), page.transitions[0]?.position.tx)
})

it('a server that continues from an earlier state accepts no old cursor, and gives no cursor twice', async (storage, world) => {
  const [before, after] = [creation('run'), creation('run')]
  await storage.journal.commit([before], [])
  const cursor = await storage.views.historyEnd()
  // The state of a promoted replica.
  await world.sql`update journal_position set timeline = timeline + 1`
  for (let tries = 0; !(await storage.views.kindHistory({ kind: 'run', after: cursor, limit: 10 })).gone; tries++) {
    ok(tries < 60, 'the cursor is taken as if nothing had happened')
    await sleep(50)
  }
  const position = await storage.views.historyEnd()
  ok(position.tx > cursor.tx + 2 ** 31, 'beyond all that was given')
  await storage.journal.commit([after], [])
  const page = await storage.views.kindHistory({ kind: 'run', after: position, limit: 10 })
  deepEqual([page.gone, page.transitions.map((one) => one.position.actor)], [false, [after.ref.id]])
})
