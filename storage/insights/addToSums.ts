/**
 * Adds the runs that have ended to the sums of their hours and days. One statement marks a run and adds it, so each run is added exactly once:
 * a crash undoes both, and a marked run is not added again. It does not matter how late the end of a run is committed.
 */
import type { Sql } from '../sql/sql.ts'

/** Runs in one statement. 5,000 take 0.7 s on two cores. */
const runsAtOnce = 5_000

/** Call it every hour. Until then the insights read the runs themselves. */
export async function addEndedRuns(sql: Sql): Promise<void> {
  for (;;) {
    const count = await sql.begin(async (tx) => {
      // Two processes would update the same sums in another order.
      await tx`select pg_advisory_xact_lock(7162534103)`
      const [row] = await tx.unsafe<{ count: number }[]>(addSql, [runsAtOnce])
      return row?.count ?? 0
    })
    if (count < runsAtOnce) return
  }
}

/** The columns of `run_sum` that are added. */
export const sumColumns = [
  'started',
  'succeeded',
  'failed',
  'canceled',
  'timed_out',
  'lost',
  'skipped',
  'busy_ms',
  'usage_runs',
  'input_tokens',
  'output_tokens',
  'cached_input_tokens',
] as const

/** The columns of `sumColumns` that the end of a run `m` adds to. */
export const endedColumns = `(m.status = 'SUCCEEDED')::integer as succeeded, (m.status = 'FAILED')::integer as failed,
  (m.status = 'CANCELED')::integer as canceled, (m.status = 'TIMED_OUT')::integer as timed_out,
  (m.status = 'LOST')::integer as lost, (m.status = 'SKIPPED')::integer as skipped,
  (m.input_tokens is not null)::integer as usage_runs, coalesce(m.input_tokens, 0) as input_tokens,
  coalesce(m.output_tokens, 0) as output_tokens, coalesce(m.cached_input_tokens, 0) as cached_input_tokens`

const sumOf = (columns: readonly string[]): string => columns.map((name) => `sum(${name}) as ${name}`).join(', ')
const zeros = (columns: readonly string[]): string => columns.map((name) => `0 as ${name}`).join(', ')
const key = 'agent_id, repository, kind, length, at'

/** The places of the runs as bytes. @param place a number from 0 to 255 */
export const placeBytes = (place: string): string => `decode(lpad(to_hex(${place}::integer), 2, '0'), 'hex')`

const addSql = `with added as materialized (
  update run_measurement m set summed = true
  from (
    select run_id from run_measurement where not summed and ended_at is not null order by ended_at limit $1::integer
  ) next
  where m.run_id = next.run_id
  returning m.*
), scoped as materialized (
  select s.agent_id as of_agent, s.repository as of_repository, s.kind as of_kind, l.length, m.*
  from added m
    cross join lateral (
      select * from (values
        ('', '', ''), ('', '', m.kind), ('', m.repository, ''), ('', m.repository, m.kind), (m.agent_id, '', '')
      ) v(agent_id, repository, kind) where v.repository is not null
    ) s
    cross join (values (3600000), (86400000)) l(length)
), finished as (
  select of_agent as agent_id, of_repository as repository, of_kind as kind, length, ended_at - ended_at % length as at,
    ${endedColumns}, ${placeBytes('wait_place')} as wait, ${placeBytes('duration_place')} as duration, cost, currency
  from scoped m
), executed as (
  select of_agent as agent_id, of_repository as repository, of_kind as kind, length, t.at,
    (t.at = started_at - started_at % length)::integer as started,
    least(ended_at, t.at + length) - greatest(started_at, t.at) as busy_ms
  from scoped
    cross join lateral generate_series(started_at - started_at % length, greatest(started_at, ended_at - 1), length::bigint) t(at)
  where started_at is not null
), totals as (
  select ${key}, ${sumOf(sumColumns)}, coalesce(string_agg(wait, ''), '') as waits, coalesce(string_agg(duration, ''), '') as durations
  from (
    select ${key}, ${sumColumns.join(', ')}, wait, duration from (select *, ${zeros(['started', 'busy_ms'])} from finished) f
    union all
    select ${key}, ${sumColumns.join(', ')}, null, null
    from (select *, ${zeros(sumColumns.filter((name) => name !== 'started' && name !== 'busy_ms'))} from executed) e
  ) all_runs
  group by ${key}
), sums as (
  insert into run_sum (${key}, ${sumColumns.join(', ')}, waits, durations)
  select ${key}, ${sumColumns.join(', ')}, waits, durations from totals order by ${key}
  on conflict (${key}) do update set
    ${[...sumColumns.map((name) => `${name} = run_sum.${name} + excluded.${name}`), ...['waits', 'durations'].map((name) => `${name} = run_sum.${name} || excluded.${name}`)].join(', ')}
), costs as (
  insert into run_sum_cost (${key}, currency, amount)
  select ${key}, currency, sum(cost) from finished where currency is not null group by ${key}, currency order by ${key}
  on conflict (${key}, currency) do update set amount = run_sum_cost.amount + excluded.amount
), agents as (
  insert into agent_sum (at, agent_id, ended, busy_ms)
  select at, agent_id, sum(ended), sum(busy_ms)
  from (
    select ended_at - ended_at % 86400000 as at, agent_id, 1 as ended, 0 as busy_ms from added
    union all
    select t.at, agent_id, 0, least(ended_at, t.at + 86400000) - greatest(started_at, t.at)
    from added cross join lateral
      generate_series(started_at - started_at % 86400000, greatest(started_at, ended_at - 1), 86400000::bigint) t(at)
    where started_at is not null
  ) a
  group by at, agent_id
  on conflict (at, agent_id) do update set ended = agent_sum.ended + excluded.ended, busy_ms = agent_sum.busy_ms + excluded.busy_ms
)
select count(*)::integer as count from added`
