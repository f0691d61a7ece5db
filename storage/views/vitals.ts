import type { Vitals } from '../../actors/ports/presence.ts'
import { type Sql, textArray } from '../sql/sql.ts'

/** Reads by the primary key. */
export async function vitalsOf(sql: Sql, agentIds: readonly string[]): Promise<ReadonlyMap<string, Vitals>> {
  const rows = await sql.unsafe<{ agent_id: string; load: number; free_memory: number }[]>(
    'select agent_id, load, free_memory from presence where agent_id = any($1::text[]) and load is not null',
    [textArray(agentIds)],
    { prepare: true },
  )
  return new Map(rows.map((row) => [row.agent_id, { load: row.load, freeMemoryBytes: row.free_memory }]))
}
