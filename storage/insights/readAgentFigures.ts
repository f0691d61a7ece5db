import { insightsAgentsMax } from '../../spec/runs/insights.ts'
import type { AgentFigures, InsightsQuery } from '../ports/insights.ts'
import type { Sql } from '../sql/sql.ts'
import { Values } from '../sql/values.ts'
import { coverOf, dayMs } from './cover.ts'
import { filterOf, rangesOf } from './parameters.ts'

/** The sums of whole days, and the runs of the hours around them. */
export async function readAgentFigures(
  sql: Sql,
  { edges, now, agentId }: InsightsQuery,
): Promise<readonly AgentFigures[]> {
  const [from = 0, to = 0] = [edges[0], edges.at(-1)]
  const { sums, rest } = coverOf([from, to], [dayMs])
  const values = new Values()
  const number = (value: number) => values.place(value, 'bigint')
  const [first, end, until] = [number(from), number(to), number(now)]
  const filter = filterOf(agentId === undefined ? {} : { agentId }, values)
  const days = rangesOf(sums, values)
  const restRanges = rangesOf(rest, values)
  const figures = (low: string, high: string, ended: string) =>
    `(m.ended_at >= ${low} and m.ended_at < ${high})::integer as ended,
      greatest(0, least(${ended}, ${high}) - greatest(coalesce(m.started_at, ${ended}), ${low})) as busy_ms`
  const overlaps = 'm.ended_at >= r.low and m.ended_at < r.high'
  const rows = await sql.unsafe<{ agent_id: string; ended: number; busy_ms: number }[]>(
    `select agent_id, sum(ended)::bigint as ended, sum(busy_ms)::bigint as busy_ms
    from (
      select m.agent_id, m.ended, m.busy_ms from ${days} cross join lateral (
        select * from agent_sum m where m.at >= r.low and m.at < r.high${filter}
      ) m
      union all
      select m.agent_id, 1, 0 from ${restRanges} cross join lateral (
        select * from run_measurement m where m.summed and ${overlaps}${filter}
      ) m
      union all
      select m.agent_id, 0, least(m.ended_at, r.high) - greatest(m.started_at, r.low)
      from ${restRanges} cross join lateral (
        select * from run_measurement m
        where m.summed and m.started_at is not null and int8range(m.started_at, m.ended_at, '[]') && int8range(r.low, r.high)${filter}
      ) m
      union all
      select m.agent_id, ${figures(first, end, `coalesce(m.ended_at, greatest(m.started_at, ${until}))`)}
      from run_measurement m
      where not m.summed and coalesce(m.started_at, m.ended_at) < ${end} and (m.ended_at >= ${first} or m.ended_at is null)${filter}
    ) each_run
    group by agent_id order by busy_ms desc, ended desc, agent_id limit ${insightsAgentsMax}`,
    values.list,
    { prepare: true },
  )
  return rows.map((row) => ({ agentId: row.agent_id, ended: row.ended ?? 0, busyMs: row.busy_ms ?? 0 }))
}
