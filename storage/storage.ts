import type {
  Definitions,
  Feed,
  Journal,
  Outbox,
  PresenceStore,
  SearchIndex,
  Streams,
  Telemetry,
  TimerIndex,
  ToolCalls,
} from '../actors/ports.ts'
import type { Views } from '../spec/views.ts'

/** Display numbers: each series counts from 1. */
export interface Counters {
  nextNumber(series: string): Promise<number>
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
}

/** Every port that is kept in the database, opened and closed together. */
export interface Storage {
  readonly journal: Journal
  readonly outbox: Outbox
  readonly timers: TimerIndex
  readonly views: Views
  readonly streams: Streams
  readonly telemetry: Telemetry
  readonly toolCalls: ToolCalls
  readonly feed: Feed
  readonly presence: PresenceStore
  readonly definitions: Definitions
  readonly searchIndex: SearchIndex
  readonly counters: Counters
  /** Makes partitions ahead and removes what is older than its retention; to be called at start and every hour or so. */
  housekeeping(now: number, retention: Retention): Promise<void>
  about(): Promise<DatabaseFacts>
  /** Whether the database answers, within a second. */
  healthy(): Promise<boolean>
  /** Waits for commits that are under way. */
  close(): Promise<void>
}
