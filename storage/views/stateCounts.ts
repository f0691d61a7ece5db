import type { ActorKind } from '../../spec/core/ids.ts'
import { actorTable } from '../database/partitions.ts'
import type { StateCount } from '../ports/views.ts'
import type { Sql } from '../sql/sql.ts'

/** Reads the kind's whole partition. It is an overview for operators and too slow for every request. */
export async function stateCounts(sql: Sql, kind: ActorKind): Promise<readonly StateCount[]> {
  const rows = await sql.unsafe<StateCount[]>(
    `select a.status, count(*) as count, min(a.changed_at) as oldest,
      percentile_disc(0.5) within group (order by a.changed_at desc) as p50,
      percentile_disc(0.99) within group (order by a.changed_at desc) as p99
    from ${actorTable(kind)} a
    where a.kind = $1 group by 1 order by 1`,
    [kind],
    { prepare: true },
  )
  return [...rows]
}
