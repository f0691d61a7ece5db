/**
 * One release of the program works on a database at a time: the same schema and the same machines. The release that starts last
 * registers itself. It refuses to while processes of another one live. A process of another release that wakes up later (it was
 * suspended, or cut off) can't commit any more.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { silentMs } from '../../actors/ports/outbox.ts'
import { type Sql, sha256 } from '../sql/sql.ts'
import { migrations } from './migrate.ts'
import { StartError } from './startError.ts'

/** How long the processes of another release are waited for: those that were just killed still count as living. */
const patienceMs = silentMs + 2_000

/** @param machines names the machines of the program */
export async function releaseOf(machines: string): Promise<string> {
  const schema = (await migrations()).map(({ hash }) => hash).join()
  return sha256(`${schema} ${machines}`).slice(0, 16)
}

/**
 * To be called before the schema is migrated, which would happen under the feet of the others.
 * @throws StartError while processes of another release live
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

/** Whatever is committed after this is of this release; commits of others that are in flight are waited for. */
export async function registerRelease(sql: Sql, release: string): Promise<void> {
  if (await isRegistered(sql, release)) return
  await sql.begin(async (tx) => {
    await tx`set local lock_timeout = '10s'`
    // Every commit reads this table, and holds it until it is done.
    await tx`lock table journal_position in access exclusive mode`
    await tx`update journal_position set release = ${release}`
  })
}

async function isRegistered(sql: Sql, release: string): Promise<boolean> {
  const [row] = await sql<{ release: string | null }[]>`select release from journal_position`
  return row?.release === release
}

async function livingOthers(sql: Sql, release: string): Promise<readonly string[]> {
  const [tables] = await sql<{ are_there: boolean }[]>`
    select to_regclass('process') is not null and to_regclass('journal_position') is not null as are_there`
  if (tables?.are_there !== true) return []
  // By way of JSON, since the column is not there before its migration.
  const rows = await sql<{ owner: string }[]>`
    select owner from process
    where seen_at >= extract(epoch from clock_timestamp()) * 1000 - ${silentMs}
      and (select to_jsonb(p) ->> 'release' from journal_position p) is distinct from ${release}
    order by owner`
  return rows.map(({ owner }) => owner)
}

/** What ends a process whose release was replaced. */
export const superseded =
  'Another version of Signalbox was started on this database, so this process can not commit any more and ends: start the new version in its place.'
