import type { PresenceStore } from '../../actors/ports/presence.ts'
import { numberArray, type Sql, textArray } from '../sql/sql.ts'

/** The latest heartbeat of each agent: one statement for a batch, rewritten in place. The first one of each minute is kept as the load of the minute. A clock that was set back is no reason to keep an older one. */
export class PostgresPresence implements PresenceStore {
  readonly #sql: Sql

  constructor(sql: Sql) {
    this.#sql = sql
  }

  /** One of each agent, since a row can be written once in a statement; in order, so that two processes never wait in a circle. */
  async write(beats: Parameters<PresenceStore['write']>[0]): Promise<void> {
    if (beats.length === 0) return
    await this.#sql.unsafe(
      `with latest as materialized (
        select distinct on (b.agent_id) b.* from unnest($1::text[], $2::bigint[], $3::double precision[], $4::bigint[])
          b(agent_id, at, load, free_memory) order by b.agent_id, b.at desc
      ), minute as (
        insert into machine_load (agent_id, at, load, free_memory)
        select agent_id, at - at % 60000, load, free_memory from latest where load is not null order by agent_id
        on conflict (agent_id, at) do nothing
      )
      insert into presence (agent_id, at, load, free_memory)
      select * from latest order by agent_id
      on conflict (agent_id) do update set at = excluded.at, load = coalesce(excluded.load, presence.load),
        free_memory = coalesce(excluded.free_memory, presence.free_memory)`,
      [
        textArray(beats.map((beat) => beat.agentId)),
        numberArray(beats.map((beat) => beat.at)),
        numberArray(beats.map((beat) => beat.vitals?.load)),
        numberArray(beats.map((beat) => beat.vitals && Math.floor(beat.vitals.freeMemoryBytes))),
      ],
      { prepare: true },
    )
  }

  async read(agentIds: readonly string[]): Promise<ReadonlyMap<string, number>> {
    const rows = await this.#sql.unsafe<{ agent_id: string; at: number }[]>(
      'select agent_id, at from presence where agent_id = any($1::text[])',
      [textArray(agentIds)],
      { prepare: true },
    )
    return new Map(rows.map((row) => [row.agent_id, row.at]))
  }
}
