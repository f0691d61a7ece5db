import type { ActorRow } from '../../spec/core/actor.ts'
import { actorTable } from '../database/partitions.ts'
import type { EndedLastQuery } from '../ports/views.ts'
import { type ActorRecord, actorColumns, actorRow } from '../sql/rows.ts'
import { type Sql, textArray } from '../sql/sql.ts'

/** For each status, the actors that were created last. Older ones cost nothing, however many there are. */
const lookedAt = 1_000

/**
 * Two index reads: backwards through (ended_as, id) for each status, and for each row found, whether (scope_id, id) has a later
 * one. A status may have more if the maximum was read and the last row read is within the time.
 */
export async function endedLast(
  sql: Sql,
  { kind, statuses, since, limit }: EndedLastQuery,
): Promise<{ readonly rows: readonly ActorRow[]; readonly cut: boolean }> {
  const table = actorTable(kind)
  const rows = await sql.unsafe<(ActorRecord & { readonly cut: boolean; readonly id: string | null })[]>(
    `with looked as materialized (
      select a.*, row_number() over (partition by s.status order by a.id desc) as place from unnest($2::text[]) s(status)
      cross join lateral (
        select * from ${table} x where x.kind = $1 and x.ended_as = s.status order by x.id desc limit ${lookedAt}
      ) a
    ), found as (
      select ${actorColumns} from looked a
      where a.changed_at >= $3 and not exists (
        select from ${table} later
        where later.kind = $1 and later.scope_id = a.scope_id and later.id > a.id
          and later.worktree_id is not distinct from a.worktree_id)
      order by a.id desc limit $4
    )
    select c.cut, f.* from (
      select exists (select from looked where place = ${lookedAt} and changed_at >= $3) as cut
    ) c left join found f on true order by f.id desc`,
    [kind, textArray([...new Set(statuses)]), since, limit + 1],
    { prepare: false },
  )
  const found = rows.filter(({ id }) => id !== null).map(actorRow)
  return { rows: found.slice(0, limit), cut: found.length > limit || rows[0]?.cut === true }
}
