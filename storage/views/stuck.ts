import type { ActorRow } from '../../spec/core/actor.ts'
import { actorTable } from '../database/partitions.ts'
import type { StuckQuery } from '../ports/views.ts'
import { type ActorRecord, actorColumns, actorRow } from '../sql/rows.ts'
import type { Sql } from '../sql/sql.ts'

/**
 * Three parts, each through an index:
 *
 * 1. Live actors, and those with incidents. Of kinds whose actors wait for ever in any number, two indexes have those with a deadline and those
 *    without anything that ends their state. Of the other kinds the live ones are read, which are few: the indexes would cost time in every
 *    transition, a fifth in `bench:compare`.
 * 2. The quarantine, which names the actor and the transition.
 * 3. Effects that have failed after the last transition: a terminal actor takes no message, so only the row of the outbox has the failure.
 *
 * `offset 0` finds their actors by their keys: the planner has no statistics of tables that are usually empty, and would read all actors.
 */
const stuckIn = (table: string): string => `
  select a.kind, a.id, a.status from ${table} a where a.incidents > 0 or (not a.terminal and (a.stuck_at <= $1 or (a.unwatched and not exists (
    select from outbox o where o.actor = a.id and o.failed_at is null))))
  union
  select a.* from quarantine q cross join lateral (
    select a.kind, a.id, a.status from ${table} a where a.kind = q.kind and a.id = q.actor and a.seq = q.seq offset 0) a
  union
  select a.* from outbox o cross join lateral (
    select a.kind, a.id, a.status from ${table} a where a.id = o.actor and a.terminal offset 0) a where o.failed_at is not null`

const isWanted = '($2::text is null or s.status = $2)'

export async function stuckActors(sql: Sql, query: StuckQuery): Promise<readonly ActorRow[]> {
  const table = tableOf(query)
  const rows = await sql.unsafe<ActorRecord[]>(
    `with page as materialized (
      select s.kind, s.id from (${stuckIn(table)}) s where ${isWanted} and s.id > $3 order by s.id limit $4)
    select a.* from page p cross join lateral (
      select ${actorColumns} from ${table} a where a.kind = p.kind and a.id = p.id offset 0) a order by a.id`,
    [...valuesOf(query), query.after ?? '', query.limit],
    { prepare: false },
  )
  return rows.map(actorRow)
}

export async function countStuck(sql: Sql, query: Omit<StuckQuery, 'after' | 'limit'>): Promise<number> {
  const [row] = await sql.unsafe<{ count: number }[]>(
    `select count(*) as count from (${stuckIn(tableOf(query))}) s where ${isWanted}`,
    valuesOf(query),
    { prepare: false },
  )
  return row?.count ?? 0
}

type Narrowed = Pick<StuckQuery, 'now' | 'kind' | 'status'>

const tableOf = ({ kind }: Narrowed): string => (kind === undefined ? 'actor' : actorTable(kind))

const valuesOf = ({ now, status }: Narrowed) => [now, status ?? null]
