/** The audit on PostgreSQL, where it differs from memory. */
import { deepEqual, equal, match, ok, rejects } from 'node:assert/strict'
import { after, test } from 'node:test'
import { openStorage } from '../../../storage/open.ts'
import { monthOf } from '../../../storage/retention/retention.ts'
import { connect } from '../../../storage/sql/sql.ts'
import { CuttingProxy } from '../../kit/runtime/postgres/cuttingProxy.ts'
import { stopServers, testDatabase } from '../../kit/runtime/postgres/postgres.ts'
import { toolCall } from '../../kit/runtime/toolCall.ts'

after(stopServers)

test('a record that could not be written is refused with UNAVAILABLE, and the next one is kept once the database is back', async (t) => {
  const database = await testDatabase()
  const proxy = await CuttingProxy.start(database.target)
  const storage = await openStorage({ ...proxy.target, owner: 'one', log: () => {} })
  t.after(async () => {
    proxy.away = false
    await storage.close()
    await proxy.close()
    await database.drop()
  })
  await storage.toolCalls.append(toolCall({ requestId: 'before' }))
  proxy.away = true
  await rejects(storage.toolCalls.append(toolCall({ requestId: 'meanwhile' })), {
    name: 'Failure',
    code: 'UNAVAILABLE',
  })
  proxy.away = false
  for (const giveUpAt = Date.now() + 10_000; ; ) {
    const kept = await storage.toolCalls.append(toolCall({ requestId: 'after' })).then(
      () => true,
      () => false,
    )
    if (kept) break
    ok(Date.now() < giveUpAt, 'it never came back')
  }
  const found = await storage.toolCalls.list({ limit: 10 })
  deepEqual(
    found.map(({ requestId }) => requestId).filter((id) => id !== 'meanwhile'),
    ['after', 'before'],
  )
})

test('a thousand calls of the same moment are written by a few statements, into the partition of their month', async (t) => {
  const database = await testDatabase()
  const storage = await openStorage({ ...database.target, owner: 'one', log: () => {} })
  const sql = connect(database.target, { name: 'test', max: 1 })
  t.after(async () => {
    await sql.end()
    await storage.close()
    await database.drop()
  })
  await Promise.all(Array.from({ length: 1_000 }, () => storage.toolCalls.append(toolCall())))
  const month = monthOf(Date.now()).name
  // A transaction ID for each statement that wrote.
  const [seen] = await sql.unsafe<{ rows: number; statements: number }[]>(
    `select count(*)::int as rows, count(distinct xmin::text)::int as statements from tool_call_${month}`,
  )
  equal(seen?.rows, 1_000)
  ok((seen?.statements ?? 1_000) <= 5, `it took ${seen?.statements} statements`)
})

/** Filters, with the columns of the index that serves each. Two indexes begin with the same columns, and the second has only failed calls. */
const searches: Readonly<Record<string, string>> = {
  "caller = 'c7'": 'caller_at_number_idx',
  "tool = 't7'": 'tool_at_number_idx',
  "scope_id = 's7'": 'scope_id_at_number_idx',
  "server_id = 'v7'": 'server_id_at_number_idx',
  "request_id = 'r7'": 'request_id_idx',
  "outcome in ('TOOL_ERROR') and outcome <> 'SUCCESS'": 'at_number_idx1',
  true: 'at_number_idx',
}

test('each filter of tool calls has an index', async (t) => {
  const database = await testDatabase()
  const storage = await openStorage({ ...database.target, owner: 'one', log: () => {} })
  const sql = connect(database.target, { name: 'test', max: 1 })
  t.after(async () => {
    await sql.end()
    await storage.close()
    await database.drop()
  })
  await sql`
    insert into tool_call (at, duration_ms, caller, source, scope_id, tool, server_id, arguments_sha256, request_id, outcome)
    select ${Date.now()}::bigint + n, 1, 'c' || n % 500, 'MCP', 's' || n % 500, 't' || n % 500, 'v' || n % 500, repeat('0', 64), 'r' || n,
      case n % 1000 when 7 then 'TOOL_ERROR' else 'SUCCESS' end
    from generate_series(1, 20000) n`
  await sql`analyze tool_call`
  for (const [condition, index] of Object.entries(searches)) {
    const plan = await sql.unsafe<{ 'QUERY PLAN': string }[]>(
      `explain select * from tool_call where ${condition} order by at desc, number desc limit 50`,
    )
    match(
      plan.map((row) => row['QUERY PLAN']).join('\n'),
      new RegExp(`Index Scan.* on|Bitmap Index Scan on \\w*${index}`),
      condition,
    )
  }
})
