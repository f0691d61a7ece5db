/**
 * The transitions of a kind in the order of their transactions. A transaction gets its ID before it commits, so one with a lower
 * ID may become visible later. `safe` is the lowest ID that was in flight when the statement began. Every transaction below it
 * has ended, and its commits are visible. A later read returns the transitions at or above it.
 */
import type { HistoryPosition } from '../../spec/core/historyPosition.ts'
import type { KindHistoryPage, KindHistoryQuery } from '../ports/views.ts'
import { type JournalRecord, journalEntry } from '../sql/rows.ts'
import type { Sql } from '../sql/sql.ts'

const safe = `select pg_snapshot_xmin(pg_current_snapshot())::text::bigint + shift as safe, gone from journal_position`

/**
 * One statement, so that all of it uses one snapshot. `journal_tx` of each month is read in order from the position on, up to the
 * limit. If a part of the history is gone, nothing is read.
 */
const pageSql = `
  with p as materialized (${safe}),
  looked as materialized (
    select tx, actor, at, seq, kind, event, status, case when kind = $1 then detail end as detail
    from journal
    where tx >= $2 and (tx > $2 or actor > $3) and tx < (select safe from p) and (select gone from p) < $2
    order by tx, actor
    limit $4
  ),
  edge as (select tx, actor from looked order by tx, actor offset $4 - 1 limit 1)
  select p.safe, p.gone, edge.tx as edge_tx, edge.actor as edge_actor,
    exists (select from (select kind from journal where tx >= p.safe order by tx limit $4) h where h.kind = $1) as held_back,
    l.tx, l.actor, l.at, l.seq, l.kind, l.event, l.status, l.detail
  from p left join edge on true left join looked l on l.kind = $1
  order by l.tx, l.actor`

export async function kindHistory(sql: Sql, { kind, after, limit }: KindHistoryQuery): Promise<KindHistoryPage> {
  const rows = await sql.unsafe<PageRecord[]>(pageSql, [kind, after.tx, after.actor, limit], { prepare: true })
  const [head] = rows
  if (head === undefined) throw new Error('journal_position has lost its row.')
  const { safe, gone, edge_tx: tx, edge_actor: actor } = head
  const full = tx !== null && actor !== null
  return {
    transitions: rows.flatMap((row) =>
      row.tx === null ? [] : [{ transition: journalEntry(row), position: { tx: row.tx, actor: row.actor } }],
    ),
    position: full ? { tx, actor } : { tx: safe, actor: '' },
    more: full,
    heldBack: head.held_back,
    gone: after.tx <= gone,
  }
}

export async function historyEnd(sql: Sql): Promise<HistoryPosition> {
  const [row] = await sql.unsafe<{ safe: number }[]>(safe, [], { prepare: true })
  if (row === undefined) throw new Error('journal_position has lost its row.')
  return { tx: row.safe, actor: '' }
}

interface Head {
  readonly safe: number
  readonly gone: number
  /** The last transition that was read, if as many were read as the limit. */
  readonly edge_tx: number | null
  readonly edge_actor: string | null
  readonly held_back: boolean
}

type PageRecord = Head & ((JournalRecord & { readonly tx: number }) | { readonly tx: null })
