import type { JournalEntry, PendingEffect } from '../../spec/core/actor.ts'
import { type OutboxRecord, shownEffect } from '../outbox/outbox.ts'
import type { HistoryQuery, MachineDefinition, OutputPlace, StreamPage } from '../ports/views.ts'
import { type JournalRecord, journalEntry } from '../sql/rows.ts'
import type { Sql } from '../sql/sql.ts'

/** Reads (actor, seq) in each month's partition, merged in order, and stops after the page. */
export async function actorHistory(sql: Sql, query: HistoryQuery): Promise<readonly JournalEntry[]> {
  const rows = await sql.unsafe<JournalRecord[]>(
    `select at, actor, seq, kind, event, status, detail from journal
    where actor = $1 and seq > $2 and seq < $3
    order by seq ${query.descending ? 'desc' : 'asc'} limit $4`,
    [query.id, query.after ?? -1, query.before ?? 2_147_483_647, query.limit],
    { prepare: true },
  )
  return rows.map(journalEntry)
}

/** Reads by the first column of the primary key. */
export async function actorEffects(sql: Sql, actorId: string): Promise<readonly PendingEffect[]> {
  const rows = await sql<OutboxRecord[]>`
    select actor, seq, n, type, params, attempts, failures, due, problem, failed_at from outbox
    where actor = ${actorId} order by seq, n`
  return rows.flatMap(shownEffect)
}

/** Reads a table of some dozen rows. */
export async function machineDefinitions(sql: Sql, kind: string | undefined): Promise<readonly MachineDefinition[]> {
  const rows = await sql<MachineDefinition[]>`
    select kind, version, hash, definition, first_seen as "firstSeen" from definition
    where ${kind ?? null}::text is null or kind = ${kind ?? null}
    order by kind, version, first_seen`
  return [...rows]
}

/** Reads head and page in one statement, so that both are of the same moment. */
export async function streamPage(
  sql: Sql,
  name: string,
  query: { readonly after: number; readonly limit: number },
): Promise<StreamPage> {
  const rows = await sql<PageRecord[]>`
    select h.first, h.next, h.ended, e.sequence, e.at, e.kind, e.data
    from stream h left join lateral (
      select sequence, at, kind, data from stream_entry
      where stream = h.name and sequence > ${query.after}
      order by sequence limit ${query.limit}
    ) e on true
    where h.name = ${name}
    order by e.sequence`
  const [head] = rows
  if (head === undefined) return { entries: [], first: 0, next: 0, ended: false }
  const entries = rows.flatMap(({ sequence, at, kind, data }) =>
    sequence === null ? [] : [{ sequence, at, kind, data }],
  )
  return { entries, first: head.first, next: head.next, ended: head.ended }
}

/** Adds up the sizes of all entries, without reading their data: an entry has up to 64 KiB. */
export async function outputPlace(sql: Sql, name: string, position: number): Promise<OutputPlace> {
  const [place] = await sql<{ size: number; sequence: number | null; before: number }[]>`
    with output as (
      select sequence, octet_length(data) as bytes, sum(octet_length(data)) over (order by sequence) as total
      from stream_entry where stream = ${name} and kind <> 'END'
    )
    select coalesce((select max(total) from output), 0)::float8 as size, found.sequence, coalesce(found.before, 0)::float8 as before
    from (select) one left join lateral (
      select sequence, total - bytes as before from output where total > ${position} order by sequence limit 1
    ) found on true`
  const { size = 0, sequence = null, before = 0 } = place ?? {}
  return { size, sequence, offset: sequence === null ? 0 : position - before }
}

interface PageRecord {
  readonly first: number
  readonly next: number
  readonly ended: boolean
  readonly sequence: number | null
  readonly at: number
  readonly kind: string
  readonly data: Uint8Array
}
