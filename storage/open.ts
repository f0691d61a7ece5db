import type { Journal } from '../actors/ports/journal.ts'
import { foldMachineLoad } from './agents/machineLoad.ts'
import { PostgresPresence } from './agents/presence.ts'
import { dropOrphanedContents, PostgresContents } from './blobs/contents.ts'
import type { BlobParts } from './blobs/s3/blobParts.ts'
import { PostgresBlobParts } from './blobs/s3/postgresBlobParts.ts'
import { isServerError } from './connections/errors.ts'
import { readDatabaseFacts } from './database/databaseFacts.ts'
import { DatabaseWatch } from './database/databaseWatch.ts'
import { HealthCheck } from './database/healthCheck.ts'
import { migrate, requireOwnDatabase } from './database/migrate.ts'
import { type DatabasePlace, databaseOfUrl } from './database/refusals.ts'
import { registerRelease, releaseOf, superseded, waitForOtherReleases } from './database/release.ts'
import { StartError } from './database/startError.ts'
import { raiseShift } from './database/transactionShift.ts'
import { reportingUnavailable } from './database/unavailable.ts'
import { PostgresFeed } from './feed/feed.ts'
import { LocalFeed } from './feed/localFeed.ts'
import { addEndedRuns } from './insights/addToSums.ts'
import { PostgresDefinitions } from './journal/definitions.ts'
import { PostgresJournal } from './journal/journal.ts'
import { PostgresOutbox } from './outbox/outbox.ts'
import type { Streams } from './ports/streams.ts'
import type { Telemetry } from './ports/telemetry.ts'
import type { ToolCalls } from './ports/toolCalls.ts'
import type { Views } from './ports/views.ts'
import { purgeEnded } from './retention/purge.ts'
import { dropOld, makePartitions } from './retention/retention.ts'
import { runAll } from './retention/runAll.ts'
import { PostgresSearchIndex } from './search/searchIndex.ts'
import { PostgresCounters } from './sql/counters.ts'
import { connect, readAnswerWithinMs, type Target } from './sql/sql.ts'
import type { Counters, Storage } from './storage.ts'
import { PostgresStreams } from './streams/streams.ts'
import { PostgresTelemetry } from './telemetry/telemetry.ts'
import { PostgresQuarantine, removeEndedQuarantine } from './timers/quarantine.ts'
import { PostgresTimerIndex } from './timers/timerIndex.ts'
import { PostgresToolCalls } from './tools/toolCalls.ts'
import { searchSettings } from './views/search.ts'
import { PostgresViews } from './views/views.ts'

export type StorageOptions = Target & {
  /** The token of this process, new at each start. It is stored as the owner of everything that the process writes. */
  readonly owner: string
  /** No other process uses the database. The claims of an earlier process are released at once. */
  readonly alone?: boolean
  /** Identifies the machines of this program. Processes with different machines cannot work on the database at the same time. */
  readonly machines?: string
  /** How a sentence names the database that cannot be used. That of DATABASE_URL if omitted. */
  readonly place?: DatabasePlace
  readonly log: (line: string) => void
}

/**
 * Opens the database and migrates it to this program's schema first. Uses up to 19 connections: 1 commits, 4 work for the
 * runtime, 8 read, 2 search, 1 maintains, 1 listens, 1 notifies, and 1 settles uncertain commits.
 * @throws StartError, one sentence
 */
export async function openStorage(options: StorageOptions): Promise<Storage> {
  const { owner, log, place = databaseOfUrl } = options
  // A bitmap scan does not mark the index entries of deleted rows as dead, and most rows of the outbox are deleted.
  const workSettings = { enable_bitmapscan: 'off' }
  // The client waits one second longer for an answer than the server's statement timeout.
  const work = connect(options, {
    name: `work ${owner}`,
    max: 4,
    settings: { ...workSettings, statement_timeout: '4s' },
    answerWithinMs: 5_000,
  })
  const maintenance = connect(options, {
    name: `maintenance ${owner}`,
    max: 1,
    settings: { ...workSettings, statement_timeout: '10min' },
    answerWithinMs: 601_000,
  })
  // If this process is the only one, there are no other processes to notify.
  const others = options.alone === true ? undefined : new PostgresFeed({ target: options, owner, log })
  const outbox = new PostgresOutbox(work)
  const release = await releaseOf(options.machines ?? '')
  const replaced = Promise.withResolvers<string>()
  const watch = new DatabaseWatch({ sql: work, release, log, superseded: () => replaced.resolve(superseded) })
  try {
    await requireOwnDatabase(work, place)
    if (options.alone !== true) await waitForOtherReleases(work, release)
    for (const name of await migrate(maintenance, { place })) log(`Migrated the database: ${name}.`)
    await registerRelease(maintenance, release)
    await raiseShift(maintenance)
    await watch.begin()
    await makePartitions(maintenance, watch.now(), log)
    if (options.alone === true) await outbox.inherit()
    await others?.begin()
  } catch (error) {
    await Promise.allSettled([others?.close(), watch.end()])
    await Promise.allSettled([work.end({ timeout: 1 }), maintenance.end({ timeout: 1 })])
    throw explain(error)
  }
  const reads = connect(options, {
    name: `views ${owner}`,
    max: 8,
    settings: { statement_timeout: '8s', default_transaction_read_only: 'on' },
    readOnly: true,
    answerWithinMs: readAnswerWithinMs,
  })
  const searches = connect(options, {
    name: `search ${owner}`,
    max: 2,
    settings: searchSettings,
    readOnly: true,
    answerWithinMs: 4_000,
  })
  const journal = new PostgresJournal({
    target: options,
    owner,
    release,
    databaseTime: watch,
    superseded: () => replaced.resolve(superseded),
    reads: work,
    log,
  })
  const healthy = new HealthCheck(journal, reads)
  return {
    journal: reportingUnavailable<Journal>(journal),
    outbox,
    timers: new PostgresTimerIndex(work),
    quarantine: new PostgresQuarantine(work),
    views: reportingUnavailable<Views>(new PostgresViews(reads, searches)),
    streams: reportingUnavailable<Streams>(new PostgresStreams(work)),
    telemetry: reportingUnavailable<Telemetry>(new PostgresTelemetry(work, reads)),
    toolCalls: reportingUnavailable<ToolCalls>(new PostgresToolCalls(work, reads)),
    feed: others ?? new LocalFeed((error) => log(`A listener of the feed failed: ${String(error)}`)),
    presence: new PostgresPresence(work),
    definitions: new PostgresDefinitions(work, journal),
    searchIndex: new PostgresSearchIndex(work),
    counters: reportingUnavailable<Counters>(new PostgresCounters(work)),
    housekeeping: (now, retention) =>
      runAll([
        () => makePartitions(maintenance, now, log),
        () => dropOld(maintenance, now, retention),
        () => purgeEnded(maintenance, now),
        () => foldMachineLoad(maintenance, now),
        () => addEndedRuns(maintenance),
        () => removeEndedQuarantine(maintenance),
        () => dropOrphanedContents(maintenance, now),
      ]),
    contents: new PostgresContents(work),
    blobParts: reportingUnavailable<BlobParts>(new PostgresBlobParts(work)),
    about: () => readDatabaseFacts(reads, watch.health),
    health: () => watch.health,
    databaseTime: watch,
    superseded: replaced.promise,
    healthy: () => healthy.check(),
    async close() {
      await journal.close()
      await others?.close()
      await watch.end()
      await Promise.all([work, maintenance, reads, searches].map((sql) => sql.end({ timeout: 5 })))
    },
  }
}

/** Explains why the database cannot be opened. The text has no part of the URL, which may contain a password. */
function explain(error: unknown): unknown {
  if (error instanceof StartError) return error
  const message = error instanceof Error ? error.message : String(error)
  // The message names the extension, whatever the language of the server's messages is.
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
  return new StartError(
    `PostgreSQL can't be reached (${message}): check that it runs at the address in DATABASE_URL.`,
    {
      cause: error,
    },
  )
}
