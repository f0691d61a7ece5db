import type { Sql } from '../sql/sql.ts'

/**
 * So far beyond the greatest `tx` the new ones begin. Cursors that were given after the dump was taken then stand between
 * the steps that the dump has and the new ones, wherever the old server had come to.
 */
const gap = 2 ** 32

/**
 * A dump that is restored into another server finds transaction IDs that are lower than those in its journal. What is
 * added to them is raised then, so that new steps still come after the old ones. Any transaction that can be seen has an
 * ID below the snapshot's `xmax`: while one server goes on, nothing is ever raised, whoever is writing meanwhile.
 */
export async function raiseShift(sql: Sql): Promise<void> {
  await sql.begin(async (tx) => {
    // Any fixed number: of several processes that start on a restored database, the first one raises.
    await tx`select pg_advisory_xact_lock(7162534103)`
    await tx`
      update journal_position p
      set shift = last.tx + ${gap}::bigint - pg_snapshot_xmin(pg_current_snapshot())::text::bigint
      from (select max(tx) as tx from journal) last
      where last.tx >= pg_snapshot_xmax(pg_current_snapshot())::text::bigint + p.shift`
  })
}

/**
 * After a fail-over, or a recovery to a point in time, the server goes on from an earlier state on another timeline, and may give
 * transaction IDs again that steps had which are lost. Nobody can say what a cursor from before stands for, so all of them are
 * gone (`HISTORY_GONE`), and new steps come after any place that was ever given. Returns whether this is such a server.
 */
export async function followTimeline(sql: Sql, timeline: number): Promise<boolean> {
  const [known] = await sql<{ timeline: number | null }[]>`select timeline from journal_position`
  if (known?.timeline === timeline) return false
  return sql.begin(async (tx) => {
    await tx`set local lock_timeout = '5s'`
    // Commits that are in flight took their place by the old count.
    await tx`lock table journal_position in access exclusive mode`
    const rows = await tx<{ former: number | null }[]>`
      update journal_position p
      set timeline = ${timeline},
        shift = case when p.timeline is null then p.shift else p.shift + ${gap}::bigint end,
        gone = case when p.timeline is null then p.gone
          else pg_snapshot_xmin(pg_current_snapshot())::text::bigint + p.shift + ${gap}::bigint - 1 end
      from journal_position former
      where p.timeline is distinct from ${timeline}
      returning former.timeline as former`
    return rows[0] !== undefined && rows[0].former !== null
  })
}
