import { readdir, readFile } from 'node:fs/promises'
import { type Sql, sha256 } from '../sql/sql.ts'
import { createKindPartitions } from './partitions.ts'
import { StartError } from './startError.ts'

interface Migration {
  readonly name: string
  readonly hash: string
  readonly text: string
}

const folder = new URL('../migrations/', import.meta.url)

/** The migrations of this program, in order: files named by number. A released migration is never edited. */
export async function migrations(): Promise<readonly Migration[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort()
  return Promise.all(
    names.map(async (name) => {
      const text = (await readFile(new URL(name, folder), 'utf8')).replaceAll('\r\n', '\n')
      return { name: name.slice(0, -'.sql'.length), hash: sha256(text), text }
    }),
  )
}

/**
 * Migrates the database to this program's schema, forward only. All missing migrations and partitions are applied in one
 * transaction, by one process at a time. Returns the names of the migrations that it applied.
 * @throws StartError if the database is newer than the program, or was made by other migrations
 */
export async function migrate(sql: Sql): Promise<readonly string[]> {
  const known = await migrations()
  const applied = await sql.begin(async (tx) => {
    // The number is arbitrary but fixed. A process that migrates this database waits here for an earlier one.
    await tx`select pg_advisory_xact_lock(7162534101)`
    await tx`create table if not exists migration (
      name text collate "C" primary key,
      hash text collate "C" not null,
      applied_at timestamptz not null default now()
    )`
    const recorded = await tx<{ name: string; hash: string }[]>`select name, hash from migration order by name`
    refuseForeign(recorded, known)
    const missing = known.slice(recorded.length)
    for (const { name, hash, text } of missing) {
      await tx.unsafe(text)
      await tx`insert into migration (name, hash) values (${name}, ${hash})`
    }
    await createKindPartitions(tx)
    return missing.map(({ name }) => name)
  })
  return applied
}

function refuseForeign(
  recorded: readonly { readonly name: string; readonly hash: string }[],
  known: readonly Migration[],
): void {
  for (const [index, { name, hash }] of recorded.entries()) {
    const own = known[index]
    if (own === undefined) {
      throw new StartError(
        `The database has migration ${name}, which this program does not know: start the newer version of Signalbox that made it, or restore a backup from before.`,
      )
    }
    if (own.name !== name || own.hash !== hash) {
      throw new StartError(
        `The database was made by another migration ${name} than this program's ${own.name}: start the version of Signalbox that made it.`,
      )
    }
  }
}
