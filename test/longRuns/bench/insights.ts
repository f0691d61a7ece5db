/**
 * The duration of the queries of the page Insights over a year of runs, and beside it that of the same figures computed from the rows of all
 * runs. Fails if the first answer to a question takes longer than 300 ms.
 * node test/longRuns/bench/insights.ts [--runs 1000000] [--agents 50] [--repositories 20] [--rounds 10]
 */
import { parseArgs } from 'node:util'
import { bucketsOf } from '../../../gateway/operations/core/timeBuckets.ts'
import { openStorage } from '../../../storage/open.ts'
import type { InsightsQuery } from '../../../storage/ports/insights.ts'
import { connect, type Sql } from '../../../storage/sql/sql.ts'
import { stopServers, testDatabase } from '../../kit/runtime/postgres/postgres.ts'
import { printMachine, printTable } from './support/report.ts'

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '1000000' },
    agents: { type: 'string', default: '50' },
    repositories: { type: 'string', default: '20' },
    rounds: { type: 'string', default: '10' },
  },
})
const count = Number(values.runs)
const agents = Number(values.agents)
const repositories = Number(values.repositories)
const rounds = Number(values.rounds)
const dayMs = 86_400_000
const bound = 300
const end = Date.UTC(2026, 10, 25, 10, 40)
const begin = end - 365 * dayMs
const retention = { journalDays: 3_650, streamDays: 3_650, telemetryDays: 3_650, toolCallDays: 3_650 }

printMachine()
const database = await testDatabase('embedded')
const storage = await openStorage({ ...database.target, owner: 'bench', log: () => {} })
const sql = connect(database.target, { name: 'bench', max: 1, answerWithinMs: 1_200_000 })
try {
  await timed(`${count} runs of a year written`, () => fill(sql))
  await timed('added to the sums', () => storage.housekeeping(end, retention))
  await fillLastHour(sql)
  // Autovacuum would do it within minutes.
  for (const table of ['run_measurement', 'run_sum', 'run_sum_cost', 'agent_sum'])
    await sql.unsafe(`vacuum analyze ${table}`)
  const sizes = await sql<{ what: string; rows: number; table: string; indexes: string }[]>`
    select relname as what, reltuples::bigint as rows, pg_size_pretty(pg_table_size(oid)) as "table",
      pg_size_pretty(pg_indexes_size(oid)) as indexes
    from pg_class where relname in ('run_measurement', 'run_sum', 'run_sum_cost', 'agent_sum') order by 1`
  printTable(sizes)

  const back = (days: number, timeZone = 'UTC', filter: Partial<InsightsQuery> = {}): InsightsQuery => {
    const { edges } = bucketsOf(end - days * dayMs, end, timeZone)
    return { edges, now: end, ...filter }
  }
  const questions: Readonly<Record<string, InsightsQuery>> = {
    'an hour': back(1 / 24),
    'a day': back(1),
    'a week': back(7),
    'a week in Kolkata': back(7, 'Asia/Kolkata'),
    '30 days': back(30),
    '30 days in Berlin': back(30, 'Europe/Berlin'),
    '198 days': back(198),
    '198 days in Berlin': back(198, 'Europe/Berlin'),
    'a year': back(365),
    'a year in Berlin': back(365, 'Europe/Berlin'),
    'a year in Kolkata': back(365, 'Asia/Kolkata'),
    'a year, a repository': back(365, 'Europe/Berlin', { repository: 'example.org/team/repository-1' }),
    'a year, a kind': back(365, 'Europe/Berlin', { kind: 'SESSION' }),
    'a year, a repository and a kind': back(365, 'UTC', {
      repository: 'example.org/team/repository-1',
      kind: 'SESSION',
    }),
    'a year, an agent': back(365, 'Europe/Berlin', { agentId: 'agt_1' }),
    'an hour, half a year ago': {
      edges: bucketsOf(end - 180 * dayMs, end - 180 * dayMs + dayMs / 24, 'UTC').edges,
      now: end,
    },
  }
  const table = []
  for (const [question, query] of Object.entries(questions)) {
    const first = await ask(query)
    const times: number[] = []
    for (let round = 0; round < rounds; round++) times.push(await ask(query))
    const rows = await askRows(sql, query)
    table.push({ question, 'first ms': first, ...percentiles(times), 'from all rows ms': rows })
    if (first > bound) process.exitCode = 1
  }
  printTable(table)
  if (process.exitCode === 1) console.log(`A first answer took longer than ${bound} ms.`)
} finally {
  await sql.end()
  await storage.close()
  await database.drop()
  await stopServers()
}

async function timed(what: string, work: () => Promise<unknown>): Promise<void> {
  const began = performance.now()
  await work()
  console.log(`${what} in ${((performance.now() - began) / 1_000).toFixed(1)} s`)
}

/** Runs at times that are spread over the year. Most take some minutes, and few take hours. */
function runsFrom(low: number, high: number, number: number): string {
  return `select 'run_' || ${low} || '_' || n as run_id, 'agt_' || floor(power(random(), 2) * ${agents})::integer as agent_id,
      'example.org/team/repository-' || floor(power(random(), 2) * ${repositories})::integer as repository,
      (array['SESSION', 'SESSION', 'PLAN', 'WORKFLOW'])[1 + floor(random() * 4)::integer] as kind,
      (${low} + (${high - low}::double precision * n / ${number}))::bigint as at,
      floor(exp(random() * 12))::bigint as wait, floor(exp(6 + random() * 10))::bigint as duration,
      (array['SUCCEEDED', 'SUCCEEDED', 'SUCCEEDED', 'SUCCEEDED', 'FAILED', 'CANCELED', 'TIMED_OUT', 'LOST', 'SKIPPED'])
        [1 + floor(random() * 9)::integer] as status,
      floor(random() * 100000) as tokens
    from generate_series(1, ${number}) n offset 0`
}

function insert(runs: string): string {
  return `insert into run_measurement (run_id, agent_id, repository, kind, queued_at, admitted_at, started_at, ended_at, status,
      input_tokens, output_tokens, cached_input_tokens, cost, currency, wait_place, duration_place)
    select run_id, agent_id, repository, kind, at - duration - wait, at - duration, at - duration, at, status, tokens, tokens / 10, 0,
      tokens / 100000, 'USD', least(255, 1 + floor(ln(greatest(wait, 1)) / ln(1.1))), least(255, 1 + floor(ln(greatest(duration, 1)) / ln(1.1)))
    from (${runs}) r`
}

async function fill(db: Sql): Promise<void> {
  for (let part = 0; part < 20; part++) {
    const [low, high] = [begin + (part * (end - begin)) / 20, begin + ((part + 1) * (end - begin)) / 20]
    await db.unsafe(insert(runsFrom(Math.round(low), Math.round(high), Math.round(count / 20))))
  }
}

/** The runs since the last housekeeping are not part of the sums. */
async function fillLastHour(db: Sql): Promise<void> {
  await db.unsafe(insert(runsFrom(end - 3_600_000, end - 1, Math.ceil(count / 8_760))))
}

async function ask(query: InsightsQuery): Promise<number> {
  const began = performance.now()
  await storage.views.insights(query)
  return performance.now() - began
}

/** The alternative without sums: exact percentiles and counts by bucket, without usage, machine use and the time before. */
async function askRows(db: Sql, { edges, agentId, repository, kind }: InsightsQuery): Promise<number> {
  const began = performance.now()
  await db.unsafe(
    `select width_bucket(ended_at, $1::bigint[]) as bucket, count(*) filter (where status = 'SUCCEEDED') as succeeded, count(*) as ended,
      percentile_disc(array[0.5, 0.95]) within group (order by admitted_at - queued_at) as waits,
      percentile_disc(array[0.5, 0.95]) within group (order by ended_at - started_at) as durations
    from run_measurement
    where ended_at >= $2::bigint and ended_at < $3::bigint and agent_id = coalesce($4::text, agent_id)
      and repository = coalesce($5::text, repository) and kind = coalesce($6::text, kind)
    group by 1`,
    [`{${edges.join(',')}}`, edges[0] ?? 0, edges.at(-1) ?? 0, agentId ?? null, repository ?? null, kind ?? null],
  )
  return performance.now() - began
}

function percentiles(times: readonly number[]) {
  const sorted = [...times].sort((a, b) => a - b)
  return { 'p50 ms': sorted[Math.floor(sorted.length / 2)] ?? 0, 'most ms': sorted.at(-1) ?? 0 }
}
