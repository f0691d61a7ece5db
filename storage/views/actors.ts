import type { ActorRow } from '../../spec/core/actor.ts'
import { type ActorKind, kindOfId } from '../../spec/core/ids.ts'
import { actorTable } from '../database/partitions.ts'
import { type ActorRecord, actorColumns, actorRow } from '../sql/rows.ts'
import { type Sql, textArray } from '../sql/sql.ts'

/**
 * Probes the primary key for each ID. With the kinds, which are in the IDs, PostgreSQL can exclude the other partitions when it
 * begins: 21,000 look-ups a second instead of 3,500.
 */
export async function actorsById(sql: Sql, ids: readonly string[]): Promise<ReadonlyMap<string, ActorRow>> {
  const kinds = new Set(ids.flatMap((id) => kindOfId(id) ?? []))
  if (kinds.size === 0) return new Map()
  const [only] = kinds
  const table = kinds.size === 1 && only !== undefined ? actorTable(only) : 'actor'
  const rows = await sql.unsafe<ActorRecord[]>(
    `select ${actorColumns} from ${table} a where a.kind = any($1::text[]) and a.id = any($2::text[])`,
    [textArray([...kinds]), textArray(ids)],
    { prepare: true },
  )
  return new Map(rows.map((row) => [row.id, actorRow(row)]))
}

/** Two probes of unique indexes for each key. There are two branches, because one condition with `or` could be planned as a scan. */
export async function actorsByKey(
  sql: Sql,
  kind: ActorKind,
  keys: readonly string[],
): Promise<ReadonlyMap<string, ActorRow>> {
  const table = actorTable(kind)
  const rows = await sql.unsafe<(ActorRecord & { readonly found: string })[]>(
    `select ${actorColumns}, a.unique_key as found from ${table} a
    where a.kind = $1 and a.unique_key is not null and a.unique_key = any($2::text[])
    union all
    select ${actorColumns}, a.other_key as found from ${table} a
    where a.kind = $1 and a.other_key is not null and a.other_key = any($2::text[])`,
    [kind, textArray(keys)],
    { prepare: true },
  )
  return new Map(rows.map((row) => [row.found, actorRow(row)]))
}
