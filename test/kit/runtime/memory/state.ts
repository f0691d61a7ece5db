/** The counterpart of the database for the ports in memory. Several storages may share one state, as processes share a database. */

import type { SearchDocument, StoredActor } from '../../../../actors/ports/journal.ts'
import type { Vitals } from '../../../../actors/ports/presence.ts'
import type { QuarantinedActor } from '../../../../actors/ports/quarantineStore.ts'
import type { JournalEntry, Json, PendingEffect, StreamEntry } from '../../../../spec/core/actor.ts'
import type { RunMeasurement } from '../../../../spec/runs/runMeasurement.ts'
import type { StoredTelemetry } from '../../../../spec/telemetry/record.ts'
import type { StoredToolCall } from '../../../../spec/tools/audit.ts'
import type { FeedItem, StreamItem } from '../../../../storage/ports/feed.ts'
import type { MachineDefinition } from '../../../../storage/ports/views.ts'
import type { Head } from '../../../../storage/streams/admit.ts'
import { MemoryBlobParts } from './blobParts.ts'

export interface MemoryEffect {
  readonly effect: PendingEffect
  readonly claimedUntil: number
  /** The process that delivers it. Undefined while it waits for its next attempt. */
  readonly claimedBy: string | undefined
  /** The column `reported` of the outbox: whether the actor has received the failure of a failed effect. */
  readonly reported: boolean
}

export type MemoryActor = Omit<StoredActor, 'members'>

export interface MemoryStream {
  head: Head
  entries: StreamEntry[]
}

export interface MemoryTransition {
  readonly entry: JournalEntry
  readonly owner: string
  /** The commit that wrote it. */
  readonly tx: number
  /** Keys of the members that it changed. */
  readonly members: readonly string[]
}

export class MemoryState {
  readonly actors = new Map<string, MemoryActor>()
  /** By actor and key. */
  readonly members = new Map<string, Map<string, Json>>()
  /** By actor, in order of sequence. */
  readonly journal = new Map<string, MemoryTransition[]>()
  /** The number of the next commit. */
  nextTx = 1
  /** When each process sent its last heartbeat. */
  readonly processes = new Map<string, number>()
  readonly outbox = new Map<string, MemoryEffect>()
  readonly quarantine = new Map<string, QuarantinedActor>()
  readonly idempotency = new Map<string, { readonly inputHash: string; readonly actor: string; readonly at: number }>()
  /** The owners of `uniqueKey`s and `otherKey`s, by `kind key`. */
  readonly keys = new Map<string, string>()
  readonly streams = new Map<string, MemoryStream>()
  /** In the order in which they were appended. */
  telemetry: StoredTelemetry[] = []
  toolCalls: StoredToolCall[] = []
  nextTelemetry = 1
  /** The greatest number of a record that retention has removed. -1: it has removed none. */
  telemetryGone = -1
  /** The time at which each record ID was received. */
  readonly telemetryKeys = new Map<string, number>()
  readonly presence = new Map<string, { readonly at: number; readonly vitals: Vitals | undefined }>()
  /** The first vitals of each minute, by agent. */
  readonly loads = new Map<string, Map<number, Vitals>>()
  readonly definitions = new Map<string, MachineDefinition>()
  readonly counters = new Map<string, number>()
  readonly contents = new Map<string, Map<number, Uint8Array>>()
  readonly blobParts = new MemoryBlobParts()
  /** By run. */
  readonly measurements = new Map<string, RunMeasurement>()
  /** The search documents, by actor. */
  readonly documents = new Map<string, SearchDocument>()
  /** The kinds whose documents are complete, with the version. */
  readonly filled = new Map<string, number>()
  /** The feeds of the storages on this state. Each receives hints about the changes of the others. */
  readonly feeds = new Set<{ hint(items: readonly FeedItem[], streams: readonly StreamItem[]): void }>()

  /** Removes a completed effect. A failed effect stays. */
  removeEffect(id: string): void {
    if (this.outbox.get(id)?.effect.failure === undefined) this.outbox.delete(id)
  }
}
