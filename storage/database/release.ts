/**
 * A release is the schema and the machines of a program. A process does not start while processes of another release send heartbeats.
 * Otherwise it registers its release, and from then on no process of another release can commit.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { silentMs } from '../../actors/ports/outbox.ts'
import { type Sql, sha256 } from '../sql/sql.ts'
import { readMigrations } from './migrations.ts'
import { StartError } from './startError.ts'

/** How long to wait for the processes of another release to end. Those that were just killed still count as running. */
const patienceMs = silentMs + 2_000

/** @param machines the result of `machineRelease` */
export async function releaseOf(machines: string): Promise<string> {
  const schema = (await readMigrations()).map(({ hash }) => hash).join()
  return sha256(`${schema} ${machines}`).slice(0, 16)
}

/**
 * Call this before the schema is migrated, since a migration would change the schema that the other processes use.
 * @throws StartError if processes of another release still send heartbeats after 5 s
 */
export async function waitForOtherReleases(sql: Sql, release: string): Promise<void> {
  for (const giveUpAt = performance.now() + patienceMs; ; await sleep(250)) {
    const living = await livingOthers(sql, release)
    if (living.length === 0) return
    if (performance.now() < giveUpAt) continue
    const count = living.length === 1 ? '1 process' : `${living.length} processes`
    throw new StartError(
      `Another version of Signalbox works on this database (${count}). Stop all its processes, then start this one.`,
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

/** The message of a process that ends because another release was registered. */
export const superseded =
  'Another version of Signalbox was started on this database. This process can no longer commit, so it ends. Start the new version in its place.'
