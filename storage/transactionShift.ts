import type { Sql } from './sql.ts'

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
