/** The order in which telemetry becomes readable: while an earlier transaction is open, and after a restore on another server. */
import { deepEqual, equal, ok } from 'node:assert/strict'
import { after, test } from 'node:test'
import type { TelemetryRecord } from '../../../spec/telemetry/record.ts'
import { openStorage } from '../../../storage/open.ts'
import { connect, type Sql } from '../../../storage/sql/sql.ts'
import type { Storage } from '../../../storage/storage.ts'
import { serverKinds, stopServers, testDatabase } from '../../kit/runtime/postgres/postgres.ts'

after(stopServers)

interface World {
  open(owner: string): Promise<Storage>
  readonly sql: Sql
}

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
        await sql.end({ timeout: 1 })
        for (const storage of opened) await storage.close()
        await database.drop()
      }
    })
  }
}

const record = (body: string): TelemetryRecord => ({
  kind: 'CONSOLE_LOG',
  recordId: null,
  timestamp: Date.now(),
  observedTimestamp: Date.now(),
  severityText: null,
  severityNumber: null,
  eventName: null,
  body,
  attributes: {},
  resource: {},
  traceId: null,
  spanId: null,
  sessionId: null,
})

it('a record that becomes visible late is read, and the records that overtook it wait for it', async (storage, {
  sql,
}) => {
  const { telemetry } = storage
  const start = await telemetry.streamEnd()
  await telemetry.append([record('before')])
  const written = Promise.withResolvers<void>()
  const go = Promise.withResolvers<void>()
  const late = sql.begin(async (tx) => {
    await tx`
      insert into telemetry_record (at, kind, happened, body, body_json, attributes, resource, tx)
      select ${Date.now()}, 'CONSOLE_LOG', 0, 'late', false, '{}', '{}', pg_current_xact_id()::text::bigint + shift
      from journal_position`
    written.resolve()
    await go.promise
  })
  await Promise.race([written.promise, late])
  await telemetry.append([record('overtaking')])

  const first = await telemetry.readAfter('CONSOLE_LOG', start, 10)
  deepEqual([first.records.map((one) => one.record.body), first.heldBack, first.more], [['before'], true, false])
  const nothing = await telemetry.readAfter('CONSOLE_LOG', first.position, 10)
  deepEqual([nothing.records, nothing.heldBack, nothing.position], [[], true, first.position])
  equal((await telemetry.readAfter('ANALYTICS_EVENT', start, 10)).heldBack, false)
  deepEqual(await telemetry.streamEnd(), first.position, 'a stream that begins now has the late record too')

  go.resolve()
  await late
  const rest = await telemetry.readAfter('CONSOLE_LOG', first.position, 10)
  deepEqual(
    rest.records.map((one) => one.record.body),
    ['late', 'overtaking'],
  )
})

it('a restored dump continues after its own records, even if only telemetry was written', async (storage, {
  open,
  sql,
}) => {
  await storage.telemetry.append([record('old')])
  // The dump: its transactions were of another server, which was 10,000,000,000 ahead.
  await sql`update telemetry_record set tx = tx + 10000000000`
  const [old] = await sql<{ tx: number }[]>`select max(tx) as tx from telemetry_record`
  const { telemetry } = await open('two')
  const position = { tx: Number(old?.tx), number: 1_000_000 }
  await telemetry.append([record('new')])
  const page = await telemetry.readAfter('CONSOLE_LOG', position, 10)
  deepEqual(
    page.records.map((one) => one.record.body),
    ['new'],
  )
  ok(page.position.tx > position.tx)
})

it('a read of a page uses the index of the stream, however much is stored', async ({ telemetry }, { sql }) => {
  for (let round = 0; round < 20; round++) {
    await telemetry.append(Array.from({ length: 500 }, (_, n) => record(`${round} ${n}`)))
  }
  await sql`analyze telemetry_record`
  const plan = await sql<{ 'QUERY PLAN': string }[]>`
    explain select tx, number from telemetry_record
    where kind = 'CONSOLE_LOG' and tx > 0 and (tx, number) > (5, 5) and tx < 1000000000 order by tx, number limit 500`
  const text = plan.map((row) => row['QUERY PLAN']).join('\n')
  ok(!/(^|-> +)(Sort|Seq Scan) /m.test(text), text)
})
