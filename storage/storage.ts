import type { Definitions } from '../actors/ports/definitions.ts'
import type { Feed } from '../actors/ports/feed.ts'
import type { Journal } from '../actors/ports/journal.ts'
import type { Outbox } from '../actors/ports/outbox.ts'
import type { PresenceStore } from '../actors/ports/presence.ts'
import type { QuarantineStore } from '../actors/ports/quarantineStore.ts'
import type { SearchIndex } from '../actors/ports/searchIndex.ts'
import type { TimerIndex } from '../actors/ports/timerIndex.ts'
import type { ContentReader } from './ports/contents.ts'
import type { Streams } from './ports/streams.ts'
import type { Telemetry } from './ports/telemetry.ts'
import type { ToolCalls } from './ports/toolCalls.ts'
import type { Views } from './ports/views.ts'

/** Display numbers: each series counts from 1. */
export interface Counters {
  nextNumber(series: string): Promise<number>
}

/** What belongs to an actor and is too large for its snapshot. It is kept as long as the actor, in pieces counted from 0. */
export interface Contents extends ContentReader {
  /** Durable when it resolves. A piece that is there already stays as it is. `at`: milliseconds since 1970. */
  keep(owner: string, number: number, data: Uint8Array, at: number): Promise<void>
}

/** How long what only accumulates is kept, in days. */
export interface Retention {
  readonly journalDays: number
  readonly streamDays: number
  readonly telemetryDays: number
  readonly toolCallDays: number
}

/** What a database says of itself. */
export interface DatabaseFacts {
  readonly version: string
  /** Names of migrations: of this program and not carried out, and the other way round. */
  readonly pendingMigrations: readonly string[]
  readonly unknownMigrations: readonly string[]
  /** The processes that live, by their tokens, and when each was last heard of, milliseconds since 1970. */
  readonly processes: readonly { readonly owner: string; readonly seenAt: number }[]
  readonly health: DatabaseHealth
}

/** What goes wrong between this process and its database without an error. */
export interface DatabaseHealth {
  /** Milliseconds by which this process's wall clock is ahead of the database's; negative if it is behind. */
  readonly clockSkewMs: number
  /** For how long an open transaction has held back the history of kinds; 0 unless that is unusually long. */
  readonly historyStalledMs: number
  /** That transaction, in words; null if there is none. */
  readonly historyStalledBy: string | null
}

/** Every port that is kept in the database, opened and closed together. */
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
  /**
   * Makes partitions ahead and removes what is older than its retention; to be called at start and every hour or so. Every step is
   * taken though others fail.
   */
  housekeeping(now: number, retention: Retention): Promise<void>
  about(): Promise<DatabaseFacts>
  health(): DatabaseHealth
  /** The time in the database, milliseconds since 1970: the same for all processes, whatever their own clocks are set to. */
  readonly databaseTime: { now(): number }
  /** Resolves with the reason when this process may not commit any more. */
  readonly superseded: Promise<string>
  /** Whether the database answers, within a second. */
  healthy(): Promise<boolean>
  /** Waits for commits that are under way. */
  close(): Promise<void>
}
