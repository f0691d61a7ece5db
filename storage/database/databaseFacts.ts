import type { Sql } from '../sql/sql.ts'
import type { DatabaseFacts, DatabaseHealth } from '../storage.ts'
import { readMigrations } from './migrations.ts'

/** The facts about the database and the processes that use it. */
export async function aboutDatabase(sql: Sql, health: DatabaseHealth): Promise<DatabaseFacts> {
  const [[server], recorded, processes, known] = await Promise.all([
    sql<{ version: string }[]>`select current_setting('server_version') as version`,
    sql<{ name: string }[]>`select name from migration order by name`,
    sql<{ owner: string; seen_at: number }[]>`select owner, seen_at from process order by owner`,
    readMigrations(),
  ])
  const applied = new Set(recorded.map(({ name }) => name))
  const own = new Set(known.map(({ name }) => name))
  return {
    version: server?.version ?? '',
    pendingMigrations: [...own].filter((name) => !applied.has(name)),
    unknownMigrations: [...applied].filter((name) => !own.has(name)),
    processes: processes.map(({ owner, seen_at: seenAt }) => ({ owner, seenAt })),
    health,
  }
}
