/**
 * Purges terminal actors. Most actors are kept permanently, because users read old runs. Of these kinds there are many actors, nothing refers
 * to them after their end, and the journal has their history for as long as it is kept. So their rows are deleted.
 */
import { type ActorKind, purgedKinds } from '../../spec/core/kinds.ts'
import { actorTable } from '../database/partitions.ts'
import { type Sql, textArray } from '../sql/sql.ts'

/** From the end of an actor, ms. No message can still be repeated to it then. */
const forgottenAfterMs = 7 * 86_400_000
const atOnce = 5_000

/** One with an effect that is not over is kept: an operator may still decide on it. */
export async function forgetEnded(sql: Sql, now: number): Promise<void> {
  for (const kind of purgedKinds) while ((await forgetSome(sql, kind, now - forgottenAfterMs)) === atOnce);
}

async function forgetSome(sql: Sql, kind: ActorKind, before: number): Promise<number> {
  const table = actorTable(kind)
  const gone = await sql.unsafe<{ id: string }[]>(
    `with gone as (
      select a.id from ${table} a
      where a.kind = $1 and a.terminal and a.changed_at < $2::bigint
        and not exists (select from outbox o where o.actor = a.id)
      limit $3::integer
    )
    delete from ${table} a using gone where a.id = gone.id and a.kind = $1 returning a.id`,
    [kind, before, atOnce],
  )
  const ids = textArray(gone.map(({ id }) => id))
  await sql`delete from member where actor = any(${ids}::text[])`
  await sql`delete from search_document where actor = any(${ids}::text[])`
  return gone.length
}
