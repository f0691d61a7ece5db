/** A page of a list in any order that can be asked for reads little more than its own rows, however long the list is. */
import { equal, ok } from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { idPrefixes } from '../../../spec/core/ids.ts'
import { openStorage } from '../../../storage/open.ts'
import type { RowQuery } from '../../../storage/ports/views.ts'
import { connect, type Sql } from '../../../storage/sql/sql.ts'
import type { Storage } from '../../../storage/storage.ts'
import { PostgresViews } from '../../../storage/views/views.ts'
import { stopServers, type TestDatabase, testDatabase } from '../../kit/runtime/postgres/postgres.ts'

const rows = 20_000
const pageSize = 51

let database: TestDatabase
let storage: Storage
let sql: Sql
let views: PostgresViews
let asked: (readonly [text: string, values: unknown])[] = []

before(async () => {
  database = await testDatabase()
  storage = await openStorage({ ...database.target, owner: 'one', log: () => {} })
  sql = connect(database.target, { name: 'test', max: 4 })
  views = new PostgresViews(
    new Proxy(sql, {
      get: (target, name) =>
        name === 'unsafe'
          ? (text: string, values: never, rest: never) => {
              asked.push([text, values])
              return target.unsafe(text, values, rest)
            }
          : Reflect.get(target, name),
    }),
  )
  for (const kind of ['crashReport', 'crashGroup', 'app', 'repository', 'run'] as const) {
    await sql`
      insert into actor (id, kind, seq, owner, machine_version, machine_hash, status, terminal, unwatched, incidents, scope_id,
        unique_key, sort_at, number, created_at, changed_at, snapshot, init)
      select ${idPrefixes[kind]}::text || '_' || lpad(n::text, 8, '0'), ${kind}::text, 1, 'one', 1, 'a', 'ACTIVE', false, false, 0, 'scope-' || n % 3,
        'key ' || md5(n::text), (n * 7919) % 5000, (n * 104729) % 700, 0, 0, '{}', '{}'
      from generate_series(1, ${rows}::integer) n`
  }
  for (const [group, each] of Object.entries(groups)) {
    await sql`
      insert into member (actor, key, value)
      select ${group}::text, 'report/' || id, '1' from actor where kind = 'crashReport' and right(id, 8)::integer % ${each}::integer = 0`
  }
  await sql`
    insert into member (actor, key, value)
    select id, 'build/["2.1","210"]', '1' from actor where kind = 'crashGroup' and right(id, 8)::integer % 5 = 0`
  await sql`update actor set status = 'SPIKING' where kind = 'crashGroup' and right(id, 8)::integer % 2000 = 0`
  // Many crash reports have a deadline, and the first ones are stuck: two without anything that ends them, three with incidents, four past
  // their time.
  await sql`
    update actor set stuck_at = case when r.n <= 5 then null else ${now}::bigint + (r.n > 9)::integer end, unwatched = r.n <= 2,
      incidents = (r.n between 3 and 5)::integer
    from (select id, right(id, 8)::integer as n from actor where kind = 'crashReport') r
    where actor.kind = 'crashReport' and actor.id = r.id and r.n <= 2000`
  await sql`analyze actor`
  await sql`analyze member`
})
after(async () => {
  await sql?.end()
  await storage?.close()
  await database?.drop()
  await stopServers()
})

const now = 1_000_000

/** The groups, each with the number of reports of which it has one. */
const groups = { few: 4_000, many: 2 } as const

type Plan = { readonly [field: string]: unknown; readonly Plans?: readonly Plan[] }

/** The rows that a plan reads from tables, with those that its filters remove. */
function rowsRead(plan: Plan): number {
  const loops = Number(plan['Actual Loops'])
  const own = String(plan['Node Type']).includes('Scan')
    ? (Number(plan['Actual Rows']) + Number(plan['Rows Removed by Filter'] ?? 0)) * loops
    : 0
  return own + (plan.Plans ?? []).reduce((sum, part) => sum + rowsRead(part), 0)
}

/** The rows that the latest statement reads. */
async function rowsOfLast(): Promise<number> {
  const [text, values] = asked[0] ?? ['', []]
  const [found] = await sql.unsafe<{ 'QUERY PLAN': [{ readonly Plan: Plan }] }[]>(
    `explain (analyze, format json) ${text}`,
    values as never,
    { prepare: false },
  )
  return rowsRead((found as { 'QUERY PLAN': [{ readonly Plan: Plan }] })['QUERY PLAN'][0].Plan)
}

const orders: readonly (readonly [title: string, query: Omit<RowQuery, 'limit'>])[] = [
  ['runs by their creation', { kind: 'run' }],
  ['crash reports by their creation', { kind: 'crashReport' }],
  ['crash reports by the time of the crash', { kind: 'crashReport', order: 'sorted' }],
  ['crash reports of some statuses by that time', { kind: 'crashReport', order: 'sorted', statuses: ['ACTIVE'] }],
  [
    'crash reports of an app with many by that time',
    { kind: 'crashReport', order: 'sorted', where: { scopeId: 'scope-1' } },
  ],
  ['crash groups by their creation', { kind: 'crashGroup', order: 'sorted', statuses: ['NEW', 'ACTIVE'] }],
  ['crash groups by their reports', { kind: 'crashGroup', order: 'numbered', statuses: ['NEW', 'ACTIVE'] }],
  ['apps by their bundle identifiers', { kind: 'app', order: 'keyed' }],
  ['apps of some statuses by their bundle identifiers', { kind: 'app', order: 'keyed', statuses: ['ACTIVE'] }],
  ['repositories by their names', { kind: 'repository', order: 'keyed' }],
]

for (const [title, query] of orders) {
  test(`${title}: a page at the beginning and in the middle, both ways, reads little more than a page`, async () => {
    for (const descending of [false, true]) {
      for (const after of [undefined, `${idPrefixes[query.kind]}_00010001`]) {
        asked = []
        const page = await views.list({ ...query, descending, limit: pageSize, ...(after && { after: { id: after } }) })
        equal(page.length, pageSize)
        const read = await rowsOfLast()
        ok(read >= pageSize && read < 10 * pageSize, `${read} rows were read`)
      }
    }
  })
}

for (const [group, each] of Object.entries(groups)) {
  test(`the crash reports of a group that has one in ${each}: a page reads little more than a page`, async () => {
    asked = []
    const memberOf = { actorId: group, prefix: 'report/' }
    const page = await views.list({ kind: 'crashReport', memberOf, descending: true, limit: pageSize })
    equal(page.length, Math.min(pageSize, Math.floor(rows / each)))
    const read = await rowsOfLast()
    ok(read < 10 * pageSize, `${read} rows were read`)
  })
}

test('the crash groups of a build, which one in five has: a page and a count read only groups of the app', async () => {
  const query = { kind: 'crashGroup', where: { scopeId: 'scope-1' }, hasMember: { prefix: 'build/["2.1",' } } as const
  asked = []
  const page = await views.list({ ...query, order: 'sorted', descending: true, limit: pageSize })
  equal(page.length, pageSize)
  const read = await rowsOfLast()
  ok(read < 40 * pageSize, `${read} rows were read`)
  asked = []
  const ofApp = rows / 3
  equal(await views.count(query), Math.floor(ofApp / 5))
  const counted = await rowsOfLast()
  ok(counted < 2 * ofApp + pageSize, `${counted} rows were counted`)
})

test('the few crash groups that wait for a person are read without the others', async () => {
  asked = []
  const waiting = { kind: 'crashGroup', statuses: ['SPIKING'], order: 'sorted', descending: true } as const
  equal((await views.list({ ...waiting, limit: 1_000 })).length, rows / 2_000)
  const read = await rowsOfLast()
  ok(read <= rows / 500, `${read} rows were read`)
})

test('stuck crash reports are found without reading the others, whether the others have a deadline or not', async () => {
  for (const kind of [undefined, 'crashReport'] as const) {
    // Of runs, apps and repositories the live ones are read.
    const others = kind === undefined ? 3 * rows : 0
    asked = []
    const page = await views.stuck({ now, limit: pageSize, ...(kind && { kind }) })
    equal(page.length, 9)
    const read = await rowsOfLast()
    ok(read < others + 100, `${read} rows were read for the page`)
    asked = []
    equal(await views.stuckCount({ now, ...(kind && { kind }) }), 9)
    const counted = await rowsOfLast()
    ok(counted < others + 100, `${counted} rows were read for the number`)
  }
})
