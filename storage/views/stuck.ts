import type { ActorRow } from '../../spec/core/actor.ts'
import { actorTable } from '../database/partitions.ts'
import type { StuckQuery } from '../ports/views.ts'
import { type ActorRecord, actorColumns, actorRow } from '../sql/rows.ts'
import type { Sql } from '../sql/sql.ts'

const isStuckLive = `not a.terminal and a.id > $1 and ($3::text is null or a.kind = $3) and ($4::text is null or a.status = $4) and (
  a.stuck_at <= $2 or a.incidents > 0 or (a.id, a.seq) in (select q.actor, q.seq from quarantine q) or (a.unwatched and not exists (
    select from outbox o where o.actor = a.id and o.failed_at is null)))`

const isStuckTerminal = (table: string): string =>
  `a.terminal and a.id > $1 and ($3::text is null or a.kind = $3) and ($4::text is null or a.status = $4) and a.id in (
  select i.id from ${table} i where i.incidents > 0
  union select o.actor from outbox o where o.failed_at is not null
  union select q.actor from quarantine q join ${table} s on s.id = q.actor and s.seq = q.seq)`

/**
 * Two branches in ID order: the actors that are not terminal, through their index, and the terminal ones with failed effects or
 * in quarantine. An effect of an actor's last transition fails when the actor is terminal and takes no message. Such a failure is
 * stored only in the outbox row, so the outbox index is read beside that of incidents. An index on `stuck_at` would cost time in
 * every transition, and few actors are not terminal.
 */
export async function stuckActors(sql: Sql, query: StuckQuery): Promise<readonly ActorRow[]> {
  const table = tableOf(query)
  const branch = (condition: string) =>
    `(select ${actorColumns} from ${table} a where ${condition} order by a.id limit $5)`
  const rows = await sql.unsafe<ActorRecord[]>(
    `select * from (${branch(isStuckLive)} union all ${branch(isStuckTerminal(table))}) a order by a.id limit $5`,
    [...valuesOf(query), query.limit],
    { prepare: false },
  )
  return rows.map(actorRow)
}

export async function countStuck(sql: Sql, query: Omit<StuckQuery, 'after' | 'limit'>): Promise<number> {
  const table = tableOf(query)
  const branch = (condition: string) => `(select count(*) from ${table} a where ${condition})`
  const [row] = await sql.unsafe<{ count: number }[]>(
    `select ${branch(isStuckLive)} + ${branch(isStuckTerminal(table))} as count`,
    valuesOf(query),
    { prepare: false },
  )
  return row?.count ?? 0
}

type Narrowed = Pick<StuckQuery, 'now' | 'kind' | 'status' | 'after'>

const tableOf = ({ kind }: Narrowed): string => (kind === undefined ? 'actor' : actorTable(kind))

const valuesOf = ({ after, now, kind, status }: Narrowed) => [after ?? '', now, kind ?? null, status ?? null]
