/**
 * One release of the program works on a database at a time: the same schema and the same machines. The release that starts last
 * registers itself. It refuses to start while processes of another release send heartbeats. A process of another release that
 * continues later (it was suspended, or cut off) can no longer commit.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { silentMs } from '../../actors/ports/outbox.ts'
import { type Sql, sha256 } from '../sql/sql.ts'
import { readMigrations } from './migrations.ts'
import { StartError } from './startError.ts'

/** How long to wait for the processes of another release to end. Those that were just killed still count as running. */
const patienceMs = silentMs + 2_000

/** @param machines identifies the machines of the program */
export async function releaseOf(machines: string): Promise<string> {
  const schema = (await readMigrations()).map(({ hash }) => hash).join()
  return sha256(`${schema} ${machines}`).slice(0, 16)
}

/**
 * Call this before the schema is migrated, since a migration would change the schema that the other processes use.
 * @throws StartError while processes of another release send heartbeats
 */
export async function refuseBesideOthers(sql: Sql, release: string): Promise<void> {
  for (const giveUpAt = performance.now() + patienceMs; ; await sleep(250)) {
    const living = await livingOthers(sql, release)
    if (living.length === 0) return
    if (performance.now() < giveUpAt) continue
    throw new StartError(
      `${living.length} processes of another version of Signalbox work on this database (${living.slice(0, 3).join(', ')}): two versions can't work on it at the same time. Stop all of them, then start this one.`,
    )
  }
}

/** Commits after this belong to this release. It waits for commits of other releases that are in flight. */
export async function registerRelease(sql: Sql, release: string): Promise<void> {
  if (await isRegistered(sql, release)) return
  await sql.begin(async (tx) => {
    await tx`set local lock_timeout = '10s'`
    // Every commit reads this table and holds a lock on it until it is done.
    await tx`lock table journal_position in access exclusive mode`
    await tx`update journal_position set release = ${release}`
  })
}

async function isRegistered(sql: Sql, release: string): Promise<boolean> {
  const [row] = await sql<{ release: string | null }[]>`select release from journal_position`
  return row?.release === release
}

async function livingOthers(sql: Sql, release: string): Promise<readonly string[]> {
  const [table] = await sql<{ is_there: boolean }[]>`select to_regclass('process') is not null as is_there`
  // The database is empty.
  if (table?.is_there !== true) return []
  const rows = await sql<{ owner: string }[]>`
    select owner from process
    where seen_at >= extract(epoch from clock_timestamp()) * 1000 - ${silentMs}
      and (select release from journal_position) is distinct from ${release}
    order by owner`
  return rows.map(({ owner }) => owner)
}

/** The reason with which a process ends whose release was replaced. */
export const superseded =
  'Another version of Signalbox was started on this database, so this process can not commit any more and ends: start the new version in its place.'
