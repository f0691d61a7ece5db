import type { Queries, Sql } from '../sql/sql.ts'
import { type Migration, readMigrations } from './migrations.ts'
import { createKindPartitions } from './partitions.ts'
import { type AppliedMigration, type DatabasePlace, databaseOfUrl, refuseForeign } from './refusals.ts'

export interface MigrateOptions {
  /** The migrations of the program. The first one is the baseline. */
  readonly migrations?: readonly Migration[]
  readonly place?: DatabasePlace
}

/**
 * Migrates the database to this program's schema, forward only. All missing migrations and partitions are applied in one
 * transaction, by one process at a time. Returns the names of the migrations that it applied.
 * @throws StartError if this program does not use the database (`refusals.ts`). Then nothing was changed.
 */
export async function migrate(sql: Sql, options: MigrateOptions = {}): Promise<readonly string[]> {
  const { migrations = await readMigrations(), place = databaseOfUrl } = options
  return sql.begin(async (tx) => {
    // The number is arbitrary but fixed. A process that migrates this database waits here for an earlier one.
    await tx`select pg_advisory_xact_lock(7162534101)`
    const applied = await readApplied(tx)
    refuseForeign(applied, migrations, place)
    const missing = migrations.slice(applied.length)
    const [baseline] = applied.length === 0 ? missing : []
    if (baseline !== undefined) await apply(tx, baseline)
    // Before the changes, since a change may name the partition of any kind.
    await createKindPartitions(tx)
    for (const change of missing) if (change !== baseline) await apply(tx, change)
    return missing.map(({ name }) => name)
  })
}

/** Call this before waiting for anything else. @throws StartError if this program does not use the database */
export async function requireOwnDatabase(sql: Sql, place: DatabasePlace): Promise<void> {
  refuseForeign(await readApplied(sql), await readMigrations(), place)
}

async function apply(tx: Queries, { name, hash, text }: Migration): Promise<void> {
  await tx.unsafe(text)
  await tx`insert into migration (name, hash) values (${name}, ${hash})`
}

/** In order. None if the database is empty. */
async function readApplied(sql: Queries): Promise<readonly AppliedMigration[]> {
  const [table] = await sql<{ is_there: boolean }[]>`select to_regclass('migration') is not null as is_there`
  return table?.is_there === true ? sql<AppliedMigration[]>`select name, hash from migration order by name` : []
}
