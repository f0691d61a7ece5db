/** When many agents connect, their data is read with few queries, which read no unnecessary rows. */
import { deepEqual, doesNotMatch, equal, match, rejects } from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openStorage } from '../../../storage/open.ts'
import { connect, type Sql, textArray } from '../../../storage/sql/sql.ts'
import type { Storage } from '../../../storage/storage.ts'
import { PostgresViews } from '../../../storage/views/views.ts'
import { stopServers, type TestDatabase, testDatabase } from '../../kit/runtime/postgres/postgres.ts'
import { creation } from '../../kit/runtime/writes.ts'

let database: TestDatabase
let storage: Storage
let sql: Sql
let views: PostgresViews
let asked: string[] = []

before(async () => {
  database = await testDatabase()
  storage = await openStorage({ ...database.target, owner: 'one', log: () => {} })
  sql = connect(database.target, { name: 'test', max: 4 })
  views = new PostgresViews(
    new Proxy(sql, {
      get: (target, name) =>
        name === 'unsafe'
          ? (text: string, ...rest: [never, never]) => {
              asked.push(text)
              return target.unsafe(text, ...rest)
            }
          : Reflect.get(target, name),
    }),
  )
})
after(async () => {
  await sql?.end()
  await storage?.close()
  await database?.drop()
  await stopServers()
})

test('the jobs of two hundred agents that have not ended are read by one query, which reads no ended job', async () => {
  const agents = Array.from({ length: 200 }, (_, n) => `agent-${n}`)
  const living = agents.map((agentId) => creation('job', { columns: { agentId } }))
  await storage.journal.commit(living, [])
  await sql`
    insert into actor (id, kind, seq, owner, machine_version, machine_hash, status, terminal, unwatched, incidents, agent_id, created_at,
      changed_at, snapshot, init)
    select 'job_ended' || n, 'job', 1, 'one', 1, 'a', 'SUCCEEDED', true, false, 0, 'agent-' || n % 200, 0, 0, '{}', '{}'
    from generate_series(1, 20000) n`
  await sql`analyze actor`
  asked = []
  const found = await Promise.all(agents.map((agent) => views.living('job', [agent])))
  deepEqual(
    found.map((rows) => rows.map(({ id }) => id)),
    living.map(({ ref }) => [ref.id]),
  )
  equal(asked.length, 1)
  await sql`set plan_cache_mode = force_generic_plan`
  const plan = await sql.unsafe<{ 'QUERY PLAN': string }[]>(`explain (analyze, costs off) ${asked[0]}`, [
    'job',
    textArray(agents),
  ])
  const text = plan.map((row) => row['QUERY PLAN']).join('\n')
  match(text, /Index Scan (on|using) actor_job_living_by_agent/)
  doesNotMatch(text, /Removed by Filter/)
})

test('codebases in a folder are found on any agent without reading codebases in other folders', async () => {
  const create = (path: string) => creation('codebase', { init: JSON.stringify({ path, branches: ['main'] }) })
  const there = [create('/src/ä|"b"'), create('/src/ä|"b"')]
  await storage.journal.commit([...there, create('/src'), create('/src/ä|"b"/c')], [])
  await sql`
    insert into actor (id, kind, seq, owner, machine_version, machine_hash, status, terminal, unwatched, incidents, created_at, changed_at,
      snapshot, init)
    select 'cbs_' || n, 'codebase', 1, 'one', 1, 'a', 'PRESENT', false, false, 0, 0, 0, '{}', '{"path":"/src/' || n || '"}'
    from generate_series(1, 20000) n`
  await sql`analyze actor`
  asked = []
  const query = { kind: 'codebase', terminal: false, init: { path: '/src/ä|"b"' }, limit: 1_000 } as const
  const found = await views.list(query)
  deepEqual(
    found.map(({ id }) => id),
    there.map(({ ref }) => ref.id),
  )
  const plan = await sql.unsafe<{ 'QUERY PLAN': string }[]>(
    `explain (analyze, costs off) ${asked[0]}`,
    ['codebase', query.init.path, query.limit],
    { prepare: false },
  )
  const text = plan.map((row) => row['QUERY PLAN']).join('\n')
  match(text, /Index Scan (on|using) actor_codebase_path/)
  doesNotMatch(text, /Removed by Filter/)
})

test('collections that are requested at once are read by one query, and an unreadable collection fails only for its reader', async () => {
  const value = (n: number) => ({ of: n })
  const owners = Array.from({ length: 50 }, (_, n) =>
    creation('agent', {
      members: ['loose/a', 'loose/b', 'clis'].map((key) => ({ key, value: value(n) })),
    }),
  )
  await storage.journal.commit(owners, [])
  const [broken, ...whole] = owners.map(({ ref }) => ref.id)
  await sql`update member set value = 'no JSON' where actor = ${broken ?? ''} and key = 'clis'`
  asked = []
  const reads = [
    ...whole.map((id) => views.members(id, 'loose/', 10)),
    ...whole.map((id) => views.members(id, '', 1)),
    views.members(`${whole[0]}\0`, '', 1),
  ]
  await rejects(views.members(broken ?? '', 'clis', 1), SyntaxError)
  const found = await Promise.all(reads)
  deepEqual(found, [
    ...whole.map((_, index) => ['loose/a', 'loose/b'].map((key) => ({ key, value: value(index + 1) }))),
    ...whole.map((_, index) => [{ key: 'clis', value: value(index + 1) }]),
    [],
  ])
  equal(asked.length, 1)
})
