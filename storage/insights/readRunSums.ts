import type { InsightsQuery } from '../ports/insights.ts'
import { numberArray, type Sql } from '../sql/sql.ts'
import { Values } from '../sql/values.ts'
import { endedColumns, placeBytes, sumColumns } from './addToSums.ts'
import { coverOf, dayMs, hourMs } from './cover.ts'
import { filterOf, rangesOf } from './parameters.ts'
import { noRuns, type RunSums } from './runSums.ts'
import { countPlaces, noTimes } from './timeScale.ts'

/** One statement, so that a run that is added to the sums meanwhile is counted once. */
export async function readRunSums(sql: Sql, query: InsightsQuery): Promise<readonly RunSums[]> {
  const { edges, now, agentId = '', repository = '', kind = '' } = query
  const [from = 0, to = 0] = [edges[0], edges.at(-1)]
  // There are no sums of an agent for a repository or a kind. The runs of one machine are few enough to read them.
  const hasSums = agentId === '' || (repository === '' && kind === '')
  const { sums, rest } = coverOf(edges, hasSums ? [dayMs, hourMs] : [])
  const values = new Values()
  const number = (value: number) => values.place(value, 'bigint')
  const numbers = (list: readonly number[]) => values.place(numberArray(list), 'bigint[]')
  const [bounds, first, end, until] = [numbers(edges), number(from), number(to), number(now)]
  const ranges = `unnest(${numbers(sums.map(({ length }) => length))}, ${numbers(sums.map((one) => one.from))},
    ${numbers(sums.map((one) => one.to))}) r(length, low, high)`
  const ofRange = `s.agent_id = ${values.place(agentId, 'text')} and s.repository = ${values.place(repository, 'text')} and s.kind = ${values.place(kind, 'text')}
    and s.length = r.length and s.at >= r.low and s.at < r.high`
  const filter = filterOf(query, values)
  const restRanges = rangesOf(rest, values)
  const bucketOf = (at: string) => `width_bucket(${at}, ${bounds})`
  const overlaps = hasSums
    ? `m.started_at is not null and int8range(m.started_at, m.ended_at, '[]') && int8range(r.low, r.high)`
    : 'm.started_at < r.high and m.ended_at >= r.low'
  const text = `with ended as materialized (
      select ${bucketOf('m.ended_at')} as bucket, ${endedColumns}, wait_place, duration_place, cost, currency
      from ${restRanges} cross join lateral (
        select * from run_measurement m where m.summed and m.ended_at >= r.low and m.ended_at < r.high${filter}
      ) m
      union all
      select ${bucketOf('m.ended_at')}, ${endedColumns}, wait_place, duration_place, cost, currency
      from run_measurement m where not m.summed and m.ended_at >= ${first} and m.ended_at < ${end}${filter}
    ), executed as (
      select m.started_at, m.ended_at, r.low, r.high
      from ${restRanges} cross join lateral (
        select started_at, ended_at from run_measurement m where m.summed and ${overlaps}${filter}
      ) m
      union all
      select m.started_at, coalesce(m.ended_at, greatest(m.started_at, ${until})), ${first}, ${end}
      from run_measurement m
      where not m.summed and m.started_at < ${end} and (m.ended_at >= ${first} or m.ended_at is null)${filter}
    ), busy as (
      select bucket, (started_at >= begun and started_at < over)::integer as started,
        greatest(0, least(ended_at, over) - greatest(started_at, begun)) as busy_ms
      from (
        select b.bucket, started_at, ended_at, greatest(low, (${bounds})[b.bucket]) as begun,
          least(high, (${bounds})[b.bucket + 1]) as over
        from executed cross join lateral
          generate_series(${bucketOf('greatest(started_at, low)')}, ${bucketOf('greatest(started_at, low, least(ended_at, high - 1))')}) b(bucket)
      ) part
    ), costs as (
      select bucket, json_object_agg(currency, amount) as costs
      from (
        select bucket, currency, sum(amount) as amount
        from (
          select ${bucketOf('s.at')} as bucket, s.currency, s.amount
          from ${ranges} cross join lateral (select * from run_sum_cost s where ${ofRange}) s
          union all select bucket, currency, cost from ended where currency is not null
        ) each_cost group by bucket, currency
      ) each_currency group by bucket
    )
    select t.*, c.costs::text as costs
    from (
      select bucket, ${sumColumns.map((name) => `sum(${name})::double precision as ${name}`).join(', ')},
        string_agg(waits, '') as waits, string_agg(durations, '') as durations
      from (
        select ${bucketOf('s.at')} as bucket, ${sumColumns.join(', ')}, waits, durations
        from ${ranges} cross join lateral (select * from run_sum s where ${ofRange}) s
        union all
        select bucket, ${sumColumns.map((name) => (ofExecution.has(name) ? '0' : name)).join(', ')}, ${placeBytes('wait_place')},
          ${placeBytes('duration_place')}
        from ended
        union all
        select bucket, ${sumColumns.map((name) => (ofExecution.has(name) ? name : '0')).join(', ')}, null, null from busy
      ) each_run group by bucket
    ) t left join costs c using (bucket)`
  const rows = await sql.unsafe<SumsRow[]>(text, values.list, { prepare: true })
  const byBucket = new Map(rows.map((row) => [row.bucket, toSums(row)]))
  // PostgreSQL counts from 1.
  return edges.slice(1).map((_, index) => byBucket.get(index + 1) ?? noRuns)
}

/** The columns of `sumColumns` to which the execution of a run adds. All others are of its end. */
const ofExecution: ReadonlySet<string> = new Set(['started', 'busy_ms'])

type SumsRow = Readonly<Record<(typeof sumColumns)[number] | 'bucket', number>> & {
  readonly waits: Uint8Array | null
  readonly durations: Uint8Array | null
  /** JSON: the amounts by their currency. */
  readonly costs: string | null
}

function toSums(row: SumsRow): RunSums {
  return {
    started: row.started,
    ended: {
      SUCCEEDED: row.succeeded,
      FAILED: row.failed,
      CANCELED: row.canceled,
      TIMED_OUT: row.timed_out,
      LOST: row.lost,
      SKIPPED: row.skipped,
    },
    busyMs: row.busy_ms,
    usage: {
      runCount: row.usage_runs,
      inputTokens: row.input_tokens,
      outputTokens: row.output_tokens,
      cachedInputTokens: row.cached_input_tokens,
      costs: row.costs === null ? {} : JSON.parse(row.costs),
    },
    waits: row.waits === null ? noTimes : countPlaces(row.waits),
    durations: row.durations === null ? noTimes : countPlaces(row.durations),
  }
}
