/**
 * Purges terminal actors. Most actors are kept permanently, because users read old runs. Of these kinds there are many actors, nothing refers
 * to them after their end, and the journal has their history for as long as it is kept. So their rows are deleted. The bounds of each kind
 * are in its registration (`purgeRuleOf`).
 */
import { type ActorKind, type PurgeRule, purgedKinds, purgeRuleOf } from '../../spec/core/kinds.ts'
import { actorTable } from '../database/partitions.ts'
import type { Sql } from '../sql/sql.ts'

const dayMs = 86_400_000
const atOnce = 5_000

/** One with an effect that is not over is kept: an operator may still decide on it. */
export async function purgeEnded(sql: Sql, now: number): Promise<void> {
  for (const kind of purgedKinds) {
    const { days, rows } = purgeRuleOf(kind)
    const bounds = { endedBefore: now - days * dayMs, upToId: await lastBeyond(sql, kind, rows) }
    while ((await purgeBatch(sql, kind, bounds)) === atOnce);
  }
}

/** Returns the ID of the newest row that is beyond the number of rows to keep, or an empty text if all rows are kept. */
async function lastBeyond(sql: Sql, kind: ActorKind, rows: PurgeRule['rows']): Promise<string> {
  if (!Number.isFinite(rows)) return ''
  const [row] = await sql.unsafe<{ id: string }[]>(
    `select id from ${actorTable(kind)} where kind = $1 order by id desc offset $2::bigint limit 1`,
    [kind, rows],
  )
  return row?.id ?? ''
}

interface Bounds {
  readonly endedBefore: number
  readonly upToId: string
}

/** One statement, so that a process that ends leaves no rows of actors that do not exist. */
async function purgeBatch(sql: Sql, kind: ActorKind, { endedBefore, upToId }: Bounds): Promise<number> {
  const table = actorTable(kind)
  const [row] = await sql.unsafe<{ count: number }[]>(
    `with over as (
      select a.id from ${table} a
      where a.kind = $1 and a.terminal and (a.changed_at < $2::bigint or a.id <= $4)
        and not exists (select from outbox o where o.actor = a.id)
      limit $3::integer
    ), gone as (
      delete from ${table} a using over where a.id = over.id and a.kind = $1 returning a.id
    ), members as (
      delete from member where actor = any(array(select id from gone))
    ), documents as (
      delete from search_document where actor = any(array(select id from gone))
    )
    select count(*) as count from gone`,
    [kind, endedBefore, atOnce, upToId],
  )
  return row?.count ?? 0
}
