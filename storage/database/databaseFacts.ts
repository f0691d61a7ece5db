import type { Sql } from '../sql/sql.ts'
import type { DatabaseFacts, DatabaseHealth } from '../storage.ts'
import { readMigrations } from './migrations.ts'

/** Reads the migrations, and the processes that have registered. `health` is passed on. */
export async function readDatabaseFacts(sql: Sql, health: DatabaseHealth): Promise<DatabaseFacts> {
  const [[server], applied, processes, ownMigrations] = await Promise.all([
    sql<{ version: string }[]>`select current_setting('server_version') as version`,
    sql<{ name: string }[]>`select name from migration order by name`,
    sql<{ owner: string; seen_at: number }[]>`select owner, seen_at from process order by owner`,
    readMigrations(),
  ])
  const appliedNames = applied.map(({ name }) => name)
  const ownNames = ownMigrations.map(({ name }) => name)
  return {
    version: server?.version ?? '',
    pendingMigrations: ownNames.filter((name) => !appliedNames.includes(name)),
    unknownMigrations: appliedNames.filter((name) => !ownNames.includes(name)),
    processes: processes.map(({ owner, seen_at: seenAt }) => ({ owner, seenAt })),
    health,
  }
}
