/** Reads actors with their members: all members, or only the ones that changed since a state that the caller has. */

import type { KnownState, LoadRequest, StoredActor } from '../../actors/ports/journal.ts'
import type { ActorRef, Json } from '../../spec/core/actor.ts'
import { type ActorRecord, actorColumns, storedActor } from '../sql/rows.ts'
import { numberArray, type Sql, textArray } from '../sql/sql.ts'
import { mostTransitions } from './changes.ts'

type Loaded = ActorRecord & { readonly member_keys: string | null; readonly member_values: string | null }

type Changed = Loaded & { readonly changed_keys: string | null }

const dayMs = 86_400_000

const memberTexts = `json_agg(member.key order by member.key)::text as member_keys,
        '[' || string_agg(member.value, ',' order by member.key) || ']' as member_values`

/**
 * Probes the primary key for each actor. With the kinds, PostgreSQL can exclude the other partitions when it begins. The
 * collection is returned as two JSON texts, which cost less to read than rows.
 */
const wholeSql = `
  select ${actorColumns}, m.member_keys, m.member_values
  from actor a
    left join lateral (
      select ${memberTexts}
      from member where member.actor = a.id
    ) m on true
  where a.id = any($1::text[]) and a.kind = any($2::text[])`

/**
 * The stored state continues the caller's known state if two conditions hold: the journal has the transition that wrote the known
 * state, and the actor is still the same one. Both can be false, even if the known state was durable when it was read:
 *
 * - A fail-over lost transactions, and later transitions with the same sequences were written, perhaps by the same process. Their
 *   times differ: no process commits a transition of a sequence, loses it and commits another one within a millisecond.
 * - The actor was purged and created again. The journal still has the transitions of the first actor, but its creation time
 *   differs.
 *
 * The whole actor is read in three more cases:
 * - Retention has removed one of these journal rows.
 * - There are more than `mostTransitions` transitions since the known one.
 * - A transition changed more members than it lists (`mostChanges`).
 *
 * `changed_keys` has a list of keys for each transition. The bound on `j.at` excludes the partitions of older months; the day
 * allows for a database clock that was set back. `offset 0` makes PostgreSQL look up each key: a join would read all members.
 */
const changedSql = `
  select ${actorColumns}, d.keys::text as changed_keys, m.member_keys, m.member_values
  from actor a
    join unnest($1::text[], $3::integer[], $4::text[], $5::bigint[], $6::bigint[])
      known(id, seq, owner, created_at, changed_at) on known.id = a.id
    cross join lateral (
      select case when a.created_at = known.created_at and a.seq between known.seq and known.seq + ${mostTransitions} and exists (
        select from journal j
        where j.actor = known.id and j.seq = known.seq and j.owner = known.owner and j.at = known.changed_at
      ) then (
        select case when count(*) = a.seq - known.seq and bool_and(j.members is distinct from '{}') is not false
          then coalesce(json_agg(j.members) filter (where j.members is not null), '[]') end
        from journal j
        where j.actor = known.id and j.seq > known.seq and j.seq <= a.seq and j.at > known.changed_at - ${dayMs}
      ) end as keys
    ) d
    left join lateral (
      select ${memberTexts}
      from (
        select member.key, member.value from member where d.keys is null and member.actor = a.id
        union all
        select changed.key, now.value
        from (
          select distinct key from json_array_elements(d.keys) transition(keys), json_array_elements_text(transition.keys) k(key)
        ) changed
          cross join lateral (select value from member where actor = a.id and key = changed.key offset 0) now
      ) member
    ) m on true
  where a.id = any($1::text[]) and a.kind = any($2::text[])`

export type Known = LoadRequest & { readonly known: KnownState }

/** If there is no actor, nothing is sent: PostgreSQL would plan the statement over the partitions of all kinds, which takes 6 ms. */
export async function loadWhole(sql: Sql, refs: readonly ActorRef<string>[]): Promise<Map<string, StoredActor>> {
  if (refs.length === 0) return new Map()
  const records = await sql.unsafe<Loaded[]>(wholeSql, keys(refs), { prepare: true })
  return new Map(records.map((record) => [record.id, readActor(record)]))
}

/** As `loadWhole`, if there is no actor. */
export async function loadChanged(sql: Sql, requests: readonly Known[]): Promise<Map<string, StoredActor>> {
  if (requests.length === 0) return new Map()
  const values = [
    ...keys(requests),
    numberArray(requests.map(({ known }) => known.seq)),
    textArray(requests.map(({ known }) => known.owner)),
    numberArray(requests.map(({ known }) => known.createdAt)),
    numberArray(requests.map(({ known }) => known.changedAt)),
  ]
  const records = await sql.unsafe<Changed[]>(changedSql, values, { prepare: true })
  return new Map(records.map((record) => [record.id, withDelta(readActor(record), record.changed_keys)]))
}

function withDelta(stored: StoredActor, changedKeys: string | null): StoredActor {
  if (changedKeys === null) return stored
  const standing = new Set(stored.members.map(([key]) => key))
  const changed = new Set((JSON.parse(changedKeys) as readonly string[][]).flat())
  return { ...stored, delta: { removed: [...changed].filter((key) => !standing.has(key)) } }
}

function keys(refs: readonly ActorRef<string>[]): string[] {
  return [textArray(refs.map((ref) => ref.id)), textArray([...new Set(refs.map((ref) => ref.kind))])]
}

function readActor(record: Loaded): StoredActor {
  try {
    return storedActor(record, membersOf(record))
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error)
    return { ...storedActor(record, []), unreadable: `The members of ${record.id} are not JSON: ${problem}` }
  }
}

function membersOf(record: Loaded): readonly (readonly [string, Json])[] {
  if (record.member_keys === null || record.member_values === null) return []
  const keys = JSON.parse(record.member_keys) as string[]
  const values = JSON.parse(record.member_values) as Json[]
  return keys.map((key, index) => [key, values[index] ?? null])
}
