/**
 * The load of the agents' machines over time, in bounded storage: each agent has at most 1,500 minutes and 2,160 hours. A minute has the values
 * of its first heartbeat. That suffices, since the load that a heartbeat reports is already the mean of a minute.
 */
import { loadHoursDays, loadMinutesHours } from '../../spec/agents/agentLoad.ts'
import type { AgentLoad, AgentLoadQuery } from '../ports/agentLoad.ts'
import { numberArray, type Sql } from '../sql/sql.ts'

const hourMs = 3_600_000

/** Adds the minutes of ended hours to the hours, and removes what has been kept long enough. Call it every hour. */
export async function foldMachineLoad(sql: Sql, now: number): Promise<void> {
  const hour = Math.floor(now / hourMs) * hourMs
  await sql.begin(async (tx) => {
    await tx`select pg_advisory_xact_lock(7162534104)`
    // The last hour is made again, because a process may have written a minute of it late.
    await tx.unsafe(
      `insert into machine_load_hour (agent_id, at, minutes, load, load_max, free_memory, free_memory_min)
      select agent_id, at - at % ${hourMs}, count(*), avg(load), max(load), avg(free_memory)::bigint, min(free_memory)
      from machine_load
      where at < $1::bigint and at >= coalesce((select max(at) from machine_load_hour), 0)
      group by 1, 2
      on conflict (agent_id, at) do update set (minutes, load, load_max, free_memory, free_memory_min) =
        row(excluded.minutes, excluded.load, excluded.load_max, excluded.free_memory, excluded.free_memory_min)`,
      [hour],
    )
    await tx.unsafe('delete from machine_load where at < $1::bigint', [hour - loadMinutesHours * hourMs])
    await tx.unsafe('delete from machine_load_hour where at < $1::bigint', [hour - loadHoursDays * 24 * hourMs])
  })
}

export async function readAgentLoad(sql: Sql, { agentId, edges, minutes }: AgentLoadQuery): Promise<AgentLoad> {
  const hours = minutes
    ? ''
    : `select at, minutes, load, load_max, free_memory, free_memory_min from machine_load_hour
      where agent_id = $1::text and at >= $3::bigint and at < $4::bigint
      union all `
  const unfolded = minutes
    ? ''
    : `and at >= coalesce((select max(at) + ${hourMs} from machine_load_hour where agent_id = $1::text), 0)`
  const rows = await sql.unsafe<LoadRow[]>(
    `select width_bucket(at, $2::bigint[]) as bucket, sum(load * minutes) / sum(minutes) as load, max(load_max) as load_max,
      (sum(free_memory::double precision * minutes) / sum(minutes)) as free_memory, min(free_memory_min) as free_memory_min
    from (
      ${hours}select at, 1, load, load, free_memory, free_memory from machine_load
      where agent_id = $1::text and at >= $3::bigint and at < $4::bigint ${unfolded}
    ) l(at, minutes, load, load_max, free_memory, free_memory_min)
    group by 1`,
    [agentId, numberArray(edges), edges[0] ?? 0, edges.at(-1) ?? 0],
    { prepare: true },
  )
  return new Map(
    rows.map((row) => [
      row.bucket - 1,
      {
        load: row.load,
        loadMax: row.load_max,
        freeMemoryBytes: Math.round(row.free_memory),
        freeMemoryBytesMin: row.free_memory_min,
      },
    ]),
  )
}

interface LoadRow {
  readonly bucket: number
  readonly load: number
  readonly load_max: number
  readonly free_memory: number
  readonly free_memory_min: number
}
