/** Every port in memory, for tests. They have the guarantees of the PostgreSQL ports except durability, and pass the same suites. */

import type { Definitions } from '../../../../actors/ports/definitions.ts'
import type { PresenceStore } from '../../../../actors/ports/presence.ts'
import type { SearchIndex } from '../../../../actors/ports/searchIndex.ts'
import type { ActorKind } from '../../../../spec/core/kinds.ts'
import type { Contents, Counters, Storage } from '../../../../storage/storage.ts'
import { rememberedMs } from '../../../../storage/telemetry/key.ts'
import { keepLoad, removeOldLoads } from './agentLoad.ts'
import type { Failures } from './failures.ts'
import { MemoryFeed } from './feed.ts'
import { MemoryJournal, storedWithMembers } from './journal.ts'
import { MemoryOutbox, MemoryTimerIndex } from './outbox.ts'
import { MemoryQuarantine } from './quarantine.ts'
import { MemoryState } from './state.ts'
import { MemoryStreams } from './streams.ts'
import { MemoryTelemetry } from './telemetry.ts'
import { MemoryToolCalls } from './toolCalls.ts'
import { MemoryViews } from './views.ts'

export interface MemoryOptions {
  readonly owner?: string
  /** The content of "the database". Two storages with the same state are two processes on one database. */
  readonly state?: MemoryState
  readonly failures?: Failures
  /** Called for listeners that throw. If omitted, such an error ends the process, since only a defect causes it. */
  listenerFailed?(error: unknown): void
}

export function openMemoryStorage(options: MemoryOptions = {}): Storage {
  const state = options.state ?? new MemoryState()
  const failures = options.failures ?? {}
  const feed = new MemoryFeed(state, options.listenerFailed ?? throwLater)
  return {
    journal: new MemoryJournal(state, options.owner ?? 'memory', failures),
    outbox: new MemoryOutbox(state),
    timers: new MemoryTimerIndex(state),
    quarantine: new MemoryQuarantine(state),
    views: new MemoryViews(state),
    streams: new MemoryStreams(state),
    telemetry: new MemoryTelemetry(state),
    toolCalls: new MemoryToolCalls(state),
    feed,
    presence: presence(state),
    definitions: definitions(state),
    searchIndex: searchIndex(state),
    counters: counters(state),
    contents: contents(state),
    blobParts: state.blobParts,
    async housekeeping(now, { telemetryDays, toolCallDays }) {
      for (const [key, { at }] of state.idempotency) if (at < now - 86_400_000) state.idempotency.delete(key)
      for (const [key, at] of state.telemetryKeys) if (at < now - rememberedMs) state.telemetryKeys.delete(key)
      const [old = [], kept = []] = [true, false].map((isOld) =>
        state.telemetry.filter(({ observedTimestamp: at }) => at < now - telemetryDays * 86_400_000 === isOld),
      )
      state.telemetry = kept
      state.telemetryGone = Math.max(state.telemetryGone, ...old.map(({ number }) => number))
      removeOldLoads(state, now)
      state.toolCalls = state.toolCalls.filter(({ at }) => at >= now - toolCallDays * 86_400_000)
    },
    async about() {
      if (failures.away?.() === true) throw new Error('the database is unavailable')
      const processes = [...state.processes].map(([owner, seenAt]) => ({ owner, seenAt }))
      return { version: 'memory', pendingMigrations: [], unknownMigrations: [], processes, health: soundHealth }
    },
    health: () => soundHealth,
    databaseTime: Date,
    superseded: new Promise(() => {}),
    async healthy() {
      return failures.away?.() !== true
    },
    async close() {
      feed.close()
    },
  }
}

function throwLater(error: unknown): void {
  queueMicrotask(() => {
    throw error
  })
}

const soundHealth = Object.freeze({ clockSkewMs: 0, historyStalledMs: 0, historyStalledBy: null })

function presence(state: MemoryState): PresenceStore {
  return {
    async write(beats) {
      const latest = new Map([...beats].sort((a, b) => a.at - b.at).map((beat) => [beat.agentId, beat]))
      for (const { agentId, at, vitals } of latest.values()) {
        const known = state.presence.get(agentId)
        state.presence.set(agentId, { at, vitals: vitals ?? known?.vitals })
        if (vitals) keepLoad(state, agentId, at, vitals)
      }
    },
    async read(agentIds) {
      return new Map(
        agentIds.flatMap((id) => {
          const at = state.presence.get(id)?.at
          return at === undefined ? [] : [[id, at] as const]
        }),
      )
    },
  }
}

function definitions(state: MemoryState): Definitions {
  return {
    async keep(definitions) {
      for (const { kind, machine, definition } of definitions) {
        const key = `${kind} ${machine.hash}`
        if (state.definitions.has(key)) continue
        state.definitions.set(key, { kind: kind as ActorKind, ...machine, definition, firstSeen: Date.now() })
      }
    },
    async onOtherDefinitions(kind, { hash, version }, after, limit) {
      return [...state.actors.values()]
        .filter((actor) => actor.kind === kind && !actor.columns.terminal)
        .filter(({ machine }) => machine.hash !== hash || machine.version !== version)
        .filter((actor) => actor.id > (after ?? ''))
        .sort((a, b) => (a.id < b.id ? -1 : 1))
        .slice(0, limit)
        .map((actor) => storedWithMembers(state, actor))
    },
  }
}

function searchIndex(state: MemoryState): SearchIndex {
  const isThere = (id: string, version: number): boolean => (state.documents.get(id)?.version ?? 0) >= version
  return {
    async isFilled(kind, version) {
      return (state.filled.get(kind) ?? 0) >= version
    },
    async missing(kind, version, after, limit) {
      return [...state.actors.values()]
        .filter(({ id, kind: own }) => own === kind && id > (after ?? '') && !isThere(id, version))
        .map(({ id }) => ({ kind, id }))
        .sort((a, b) => (a.id < b.id ? -1 : 1))
        .slice(0, limit)
    },
    async fill(documents) {
      for (const { ref, document } of documents) {
        if (!isThere(ref.id, document.version)) state.documents.set(ref.id, document)
      }
    },
    async setFilled(kind, version) {
      state.filled.set(kind, Math.max(version, state.filled.get(kind) ?? 0))
    },
  }
}

function contents(state: MemoryState): Contents {
  return {
    async keep(owner, number, data) {
      const pieces = state.contents.get(owner) ?? new Map<number, Uint8Array>()
      if (!pieces.has(number)) pieces.set(number, data.slice())
      state.contents.set(owner, pieces)
    },
    async *read(owner) {
      const pieces = [...(state.contents.get(owner) ?? [])].sort(([a], [b]) => a - b)
      for (const [, data] of pieces) yield data
    },
  }
}

function counters(state: MemoryState): Counters {
  return {
    async nextNumber(series) {
      const number = (state.counters.get(series) ?? 0) + 1
      state.counters.set(series, number)
      return number
    },
  }
}
