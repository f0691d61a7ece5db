import type { ActorRow } from '../../spec/actor.ts'
import type { ActorKind } from '../../spec/ids.ts'
import { actorTable } from '../partitions.ts'
import { type ActorRecord, actorColumns, actorRow } from '../rows.ts'
import type { Sql } from '../sql.ts'

export interface StuckQuery {
  readonly now: number
  readonly kind?: ActorKind
  readonly after?: string
  readonly limit: number
}

/**
 * Two branches in ID order: the living, through the index of those that are not terminal, and the terminal ones with failed
 * effects. What an actor did with its last step fails after it, when it takes no message any more: that stands on the outbox row
 * alone, whose index is asked beside that of incidents. An index on `stuck_at` would cost every step, and the living are few.
 */
export async function stuckActors(sql: Sql, query: StuckQuery): Promise<readonly ActorRow[]> {
  const table = query.kind === undefined ? 'actor' : actorTable(query.kind)
  const rows = await sql.unsafe<ActorRecord[]>(
    `select * from (
      (select ${actorColumns} from ${table} a
      where not a.terminal and a.id > $1 and ($3::text is null or a.kind = $3) and (
        a.stuck_at <= $2 or a.incidents > 0 or (a.unwatched and not exists (
          select from outbox o where o.actor = a.id and o.failed_at is null)))
      order by a.id limit $4)
      union all
      (select ${actorColumns} from ${table} a
      where a.terminal and a.id > $1 and ($3::text is null or a.kind = $3) and a.id in (
        select i.id from ${table} i where i.incidents > 0
        union select o.actor from outbox o where o.failed_at is not null)
      order by a.id limit $4)
    ) a order by a.id limit $4`,
    [query.after ?? '', query.now, query.kind ?? null, query.limit],
    { prepare: false },
  )
  return rows.map(actorRow)
}
