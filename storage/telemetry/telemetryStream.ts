/**
 * Telemetry of a kind in the order of its transactions, as `storage/views/kindHistory.ts` reads transitions. Several processes write at once,
 * so a record may become visible after one with a greater number. `safe` is the lowest transaction ID that was in flight when the statement
 * began. All records below it are visible, and no other ones can follow. A later read returns those at or above it.
 */
import type { TelemetryKind } from '../../spec/telemetry/record.ts'
import type { TelemetryPage, TelemetryStreamPosition } from '../ports/telemetry.ts'
import type { Sql } from '../sql/sql.ts'
import { recordOf, type TelemetryRow, telemetryColumns } from './telemetryRow.ts'

const safe = `select pg_snapshot_xmin(pg_current_snapshot())::text::bigint + shift as safe, telemetry_gone as gone from journal_position`

/** One statement, so that all of it uses one snapshot. `telemetry_record_stream` of each month is read in order from the position on. */
const pageSql = `
  with p as materialized (${safe}),
  looked as materialized (
    select tx, ${telemetryColumns}
    from telemetry_record
    where kind = $1 and tx > 0 and (tx, number) > ($2, $3) and tx < (select safe from p) and (select gone from p) < $2
    order by tx, number
    limit $4
  )
  select p.safe, p.gone,
    exists (select from telemetry_record h where h.kind = $1 and h.tx > 0 and h.tx >= p.safe) as held_back, l.*
  from p left join looked l on true
  order by l.tx, l.number`

export async function readAfter(
  sql: Sql,
  kind: TelemetryKind,
  after: TelemetryStreamPosition,
  limit: number,
): Promise<TelemetryPage> {
  const rows = await sql.unsafe<PageRow[]>(pageSql, [kind, after.tx, after.number, limit], { prepare: true })
  const [head] = rows
  if (head === undefined) throw new Error('journal_position has lost its row.')
  const records = rows.flatMap((row) =>
    row.tx === null ? [] : [{ record: recordOf(row), position: { tx: row.tx, number: row.number } }],
  )
  const last = records.length === limit ? records.at(-1) : undefined
  return {
    records,
    // Numbers begin at 1.
    position: last?.position ?? { tx: head.safe, number: 0 },
    more: last !== undefined,
    heldBack: head.held_back,
    gone: after.tx <= head.gone,
  }
}

export async function streamEnd(sql: Sql): Promise<TelemetryStreamPosition> {
  const [row] = await sql.unsafe<{ safe: number }[]>(safe, [], { prepare: true })
  if (row === undefined) throw new Error('journal_position has lost its row.')
  return { tx: row.safe, number: 0 }
}

interface Head {
  readonly safe: number
  readonly gone: number
  readonly held_back: boolean
}

type PageRow = Head & ((TelemetryRow & { readonly tx: number }) | { readonly tx: null })
