import type { Sql } from '../sql/sql.ts'

/**
 * The distance between the greatest stored `tx` and the first new one. Cursors that were issued after the dump was taken are then
 * between the transitions of the dump and the new ones, however far the old server had come.
 */
const gap = 2 ** 32

/**
 * If a dump is restored into another server, the transaction IDs of that server are lower than those in the journal and in telemetry. This raises
 * the number that is added to them, so that new transitions still come after the old ones. Every visible transaction has an ID
 * below the snapshot's `xmax`. So while one server continues, nothing is raised, whatever other processes write meanwhile.
 */
export async function raiseShift(sql: Sql): Promise<void> {
  await sql.begin(async (tx) => {
    // The number is arbitrary but fixed. If several processes start on a restored database, the first one raises the shift.
    await tx`select pg_advisory_xact_lock(7162534103)`
    await tx`
      update journal_position p
      set shift = last.tx + ${gap}::bigint - pg_snapshot_xmin(pg_current_snapshot())::text::bigint
      from (
        select greatest(
          (select max(tx) from journal),
          (select max(tx) from telemetry_record where kind = 'CONSOLE_LOG' and tx > 0),
          (select max(tx) from telemetry_record where kind = 'ANALYTICS_EVENT' and tx > 0)
        ) as tx
      ) last
      where last.tx >= pg_snapshot_xmax(pg_current_snapshot())::text::bigint + p.shift`
  })
}

/**
 * After a fail-over, or a recovery to a point in time, the server continues from an earlier state on another timeline. It may
 * assign transaction IDs again that lost transitions had. The meaning of an earlier cursor is then unknown, so all of them expire
 * (`HISTORY_GONE`), and new transitions get positions after all positions that were ever issued. Returns whether the server is on
 * a new timeline.
 */
export async function followTimeline(sql: Sql, timeline: number): Promise<boolean> {
  const [known] = await sql<{ timeline: number | null }[]>`select timeline from journal_position`
  if (known?.timeline === timeline) return false
  return sql.begin(async (tx) => {
    await tx`set local lock_timeout = '5s'`
    // Commits in flight took their position with the old shift.
    await tx`lock table journal_position in access exclusive mode`
    const rows = await tx<{ former: number | null }[]>`
      update journal_position p
      set timeline = ${timeline},
        shift = case when p.timeline is null then p.shift else p.shift + ${gap}::bigint end,
        gone = case when p.timeline is null then p.gone
          else pg_snapshot_xmin(pg_current_snapshot())::text::bigint + p.shift + ${gap}::bigint - 1 end,
        telemetry_gone = case when p.timeline is null then p.telemetry_gone
          else pg_snapshot_xmin(pg_current_snapshot())::text::bigint + p.shift + ${gap}::bigint - 1 end
      from journal_position former
      where p.timeline is distinct from ${timeline}
      returning former.timeline as former`
    return rows[0] !== undefined && rows[0].former !== null
  })
}
