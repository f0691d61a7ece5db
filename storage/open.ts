import { setTimeout as sleep } from 'node:timers/promises'
import type { Journal, Streams, Telemetry, ToolCalls } from '../actors/ports.ts'
import type { Views } from '../spec/views.ts'
import { aboutDatabase } from './about.ts'
import { sayingAway } from './away.ts'
import { PostgresCounters } from './counters.ts'
import { PostgresDefinitions } from './definitions.ts'
import { PostgresFeed } from './feed.ts'
import { forgetEnded } from './forgotten.ts'
import { isServerError } from './journal/failures.ts'
import { PostgresJournal } from './journal.ts'
import { migrate } from './migrate.ts'
import { PostgresOutbox } from './outbox.ts'
import { PostgresPresence } from './presence.ts'
import { dropOld, makePartitions } from './retention.ts'
import { PostgresSearchIndex } from './searchIndex.ts'
import { connect, type Sql, type Target } from './sql.ts'
import { StartError } from './startError.ts'
import type { Counters, Storage } from './storage.ts'
import { PostgresStreams } from './streams.ts'
import { PostgresTelemetry } from './telemetry.ts'
import { PostgresTimerIndex } from './timerIndex.ts'
import { PostgresToolCalls } from './toolCalls.ts'
import { raiseShift } from './transactionShift.ts'
import { searchSettings } from './views/search.ts'
import { PostgresViews } from './views.ts'

export type StorageOptions = Target & {
  /** A token new at each start of the process: it owns what it writes. */
  readonly owner: string
  /** No other process uses the database, so what an earlier one had claimed is free at once. */
  readonly alone?: boolean
  readonly log: (line: string) => void
}

/**
 * Opens the database, bringing it to this program's schema first. It takes up to 17 connections: 1 commits, 4 work for the
 * runtime, 8 read, 2 search, 1 listens and 1 notifies.
 * @throws StartError, one sentence
 */
export async function openStorage(options: StorageOptions): Promise<Storage> {
  const { owner, log } = options
  const work = connect(options, {
    name: `work ${owner}`,
    max: 4,
    // Of a bitmap scan the index does not learn which rows are deleted, and the outbox is mostly deleted rows.
    settings: { statement_timeout: '20s', jit: 'off', enable_bitmapscan: 'off' },
  })
  const feed = new PostgresFeed({ target: options, owner, log })
  const outbox = new PostgresOutbox(work)
  try {
    for (const name of await migrate(work)) log(`Migrated the database: ${name}.`)
    await raiseShift(work)
    await makePartitions(work, Date.now(), log)
    if (options.alone === true) await outbox.inherit()
    await feed.begin()
  } catch (error) {
    await Promise.allSettled([feed.close(), work.end({ timeout: 1 })])
    throw explain(error)
  }
  const reads = connect(options, {
    name: `views ${owner}`,
    max: 8,
    settings: { statement_timeout: '10s', default_transaction_read_only: 'on', jit: 'off' },
  })
  const searches = connect(options, { name: `search ${owner}`, max: 2, settings: searchSettings })
  const journal = new PostgresJournal({ target: options, owner, reads: work, log })
  return {
    journal: sayingAway<Journal>(journal),
    outbox,
    timers: new PostgresTimerIndex(work),
    views: sayingAway<Views>(new PostgresViews(reads, searches)),
    streams: sayingAway<Streams>(new PostgresStreams(work)),
    telemetry: sayingAway<Telemetry>(new PostgresTelemetry(work, reads)),
    toolCalls: sayingAway<ToolCalls>(new PostgresToolCalls(work, reads)),
    feed,
    presence: new PostgresPresence(work),
    definitions: new PostgresDefinitions(work, journal),
    searchIndex: new PostgresSearchIndex(work),
    counters: sayingAway<Counters>(new PostgresCounters(work)),
    async housekeeping(now, retention) {
      await makePartitions(work, now, log)
      await dropOld(work, now, retention)
      await forgetEnded(work, now)
    },
    about: () => aboutDatabase(reads),
    healthy: () => answers(reads),
    async close() {
      await journal.close()
      await feed.close()
      await Promise.all([work, reads, searches].map((sql) => sql.end({ timeout: 5 })))
    },
  }
}

async function answers(sql: Sql): Promise<boolean> {
  const late = sleep(1_000, false, { ref: false })
  return Promise.race([
    sql`select 1`.then(
      () => true,
      () => false,
    ),
    late,
  ])
}

/** Why it can't be opened, without anything of the URL, which may hold a password. */
function explain(error: unknown): unknown {
  if (error instanceof StartError) return error
  const message = error instanceof Error ? error.message : String(error)
  // Whatever language the server speaks, it names the extension.
  if (isServerError(error) && message.includes('pg_trgm')) {
    return new StartError(
      `The database needs PostgreSQL's extension pg_trgm, and this role can't make it (${message}): let an administrator run "create extension pg_trgm" in the database of DATABASE_URL (it comes with PostgreSQL's contrib package), then start again.`,
      { cause: error },
    )
  }
  if (isServerError(error) && /^(28|3D)/.test(error.code)) {
    return new StartError(
      `PostgreSQL refuses the connection (${message}): check user, password and database of DATABASE_URL.`,
      { cause: error },
    )
  }
  if (isServerError(error))
    return new StartError(`The database can't be brought to this program's schema: ${message}.`, { cause: error })
  return new StartError(`PostgreSQL can't be reached (${message}): check that it runs where DATABASE_URL says.`, {
    cause: error,
  })
}
