import type { Definitions } from '../actors/ports/definitions.ts'
import type { Journal } from '../actors/ports/journal.ts'
import type { Outbox } from '../actors/ports/outbox.ts'
import type { PresenceStore } from '../actors/ports/presence.ts'
import type { QuarantineStore } from '../actors/ports/quarantineStore.ts'
import type { SearchIndex } from '../actors/ports/searchIndex.ts'
import type { TimerIndex } from '../actors/ports/timerIndex.ts'
import type { BlobParts } from './blobs/s3/blobParts.ts'
import type { ContentReader } from './ports/contents.ts'
import type { Feed } from './ports/feed.ts'
import type { Streams } from './ports/streams.ts'
import type { Telemetry } from './ports/telemetry.ts'
import type { ToolCalls } from './ports/toolCalls.ts'
import type { Views } from './ports/views.ts'

/** Display numbers: each series counts from 1. */
export interface Counters {
  nextNumber(series: string): Promise<number>
}

/** Contents of actors that are too large for a snapshot. A content is kept as long as its actor, in pieces that are counted from 0. */
export interface Contents extends ContentReader {
  /** Durable when it resolves. A piece that already exists is not changed. `at`: milliseconds since 1970. */
  keep(owner: string, number: number, data: Uint8Array, at: number): Promise<void>
}

/** For how many days append-only data is kept. */
export interface Retention {
  readonly journalDays: number
  readonly streamDays: number
  readonly telemetryDays: number
  readonly toolCallDays: number
}

/** The version, the migrations, the processes and the health of a database. */
export interface DatabaseFacts {
  readonly version: string
  /** Names of migrations: the program's that are not applied, and applied ones that the program does not have. */
  readonly pendingMigrations: readonly string[]
  readonly unknownMigrations: readonly string[]
  /** The processes that still send heartbeats, by their tokens, and the time of the last heartbeat in milliseconds since 1970. */
  readonly processes: readonly { readonly owner: string; readonly seenAt: number }[]
  readonly health: DatabaseHealth
}

/** Problems between this process and its database that cause no error. */
export interface DatabaseHealth {
  /** Milliseconds by which this process's wall clock is ahead of the database's; negative if it is behind. */
  readonly clockSkewMs: number
  /** For how many milliseconds an open transaction has held back the history of kinds; 0 unless that is unusually long. */
  readonly historyStalledMs: number
  /** A description of that transaction; null if there is none. */
  readonly historyStalledBy: string | null
}

/** All ports that are stored in the database. They are opened and closed together. */
export interface Storage {
  readonly journal: Journal
  readonly outbox: Outbox
  readonly timers: TimerIndex
  readonly quarantine: QuarantineStore
  readonly views: Views
  readonly streams: Streams
  readonly telemetry: Telemetry
  readonly toolCalls: ToolCalls
  readonly feed: Feed
  readonly presence: PresenceStore
  readonly definitions: Definitions
  readonly searchIndex: SearchIndex
  readonly counters: Counters
  readonly contents: Contents
  /** The parts of blobs that are stored on S3. */
  readonly blobParts: BlobParts
  /**
   * Creates partitions ahead of time and removes data that is older than its retention. Call it at start and about every hour. A
   * task that fails does not stop the others.
   */
  housekeeping(now: number, retention: Retention): Promise<void>
  about(): Promise<DatabaseFacts>
  health(): DatabaseHealth
  /** The time in the database, milliseconds since 1970. It is the same for all processes, whatever their own clocks show. */
  readonly databaseTime: { now(): number }
  /** Resolves with the reason when this process may no longer commit. */
  readonly superseded: Promise<string>
  /** Whether the database answers and accepts a write within a second. */
  healthy(): Promise<boolean>
  /** Waits for commits that are in flight. */
  close(): Promise<void>
}
