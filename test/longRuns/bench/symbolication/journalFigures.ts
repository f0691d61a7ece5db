/** Figures of symbolications from the journal of a server. They are read, and nothing is written. */
import { connect, type Target } from '../../../../storage/sql/sql.ts'

export interface SymbolicationFigures {
  /** Transitions of crash reports by a result of a symbolication. */
  readonly symbolications: number
  /** Crash reports that had at least one. */
  readonly reports: number
  /** From the first one to the last one. */
  readonly ms: number
}

/** @param sinceMs symbolications at this time and later count, in milliseconds of the clock */
export async function readSymbolications(target: Target, sinceMs: number): Promise<SymbolicationFigures> {
  const sql = connect(target, { name: 'bench', max: 1 })
  try {
    const [row] = await sql<{ symbolications: string; reports: string; ms: string | null }[]>`
      select count(*) as symbolications, count(distinct actor) as reports, max(at) - min(at) as ms
      from journal
      where kind = 'crashReport' and at >= ${sinceMs} and event = 'symbolicated'`
    return { symbolications: Number(row?.symbolications), reports: Number(row?.reports), ms: Number(row?.ms ?? 0) }
  } finally {
    await sql.end()
  }
}
