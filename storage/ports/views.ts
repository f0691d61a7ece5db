/** Reads: SQL over snapshots that never loads an actor. A read sees all earlier writes, since snapshot and columns are one commit. */

import type { Vitals } from '../../actors/ports/presence.ts'
import type {
  ActorRef,
  ActorRow,
  Columns,
  JournalEntry,
  Json,
  PendingEffect,
  StreamEntry,
} from '../../spec/core/actor.ts'
import type { HistoryPosition } from '../../spec/core/historyPosition.ts'
import type { ActorKind } from '../../spec/core/ids.ts'
import type { ListMark } from '../../spec/search/searchable.ts'
import type { SearchMatch } from '../../spec/search/searchMatches.ts'
import type { AgentLoad, AgentLoadQuery } from './agentLoad.ts'
import type { Insights, InsightsQuery } from './insights.ts'

/**
 * `created` is by ID, `sorted` by (sortAt, id), `numbered` by (number, id), `keyed` by unique key, `ended` by the time at which the actor
 * became terminal. All but the first leave out rows without that column.
 */
export type RowOrder = 'created' | 'sorted' | 'numbered' | 'keyed' | 'ended'

/** The beginning and the end of the keys of members. */
export interface MemberPattern {
  readonly prefix: string
  readonly suffix?: string
}

export interface RowQuery<K extends ActorKind = ActorKind> {
  readonly kind: K
  readonly where?: Partial<Pick<Columns, 'agentId' | 'worktreeId' | 'scopeId' | 'uniqueKey'>>
  /** Text fields of `init`. Only a codebase's `path` has an index. Use others only with a condition that leaves few rows. */
  readonly init?: Readonly<Record<string, string>>
  readonly statuses?: readonly string[]
  readonly terminal?: boolean
  /** Runs that this run has started. */
  readonly parentRunId?: string
  /** The kinds of the actors that their `scopeId` names. */
  readonly scopeKinds?: readonly ActorKind[]
  /** Bounds of the creation time: milliseconds since 1970, the second exclusive. */
  readonly madeFrom?: number
  readonly madeTo?: number
  /** Only rows with a smaller ID. */
  readonly idBefore?: string
  /** Only rows with a greater ID. */
  readonly idAfter?: string
  /** Only rows without a member of another actor, whose key is the prefix and the row's ID: what a user has not marked. */
  readonly withoutMember?: { readonly actorId: string; readonly prefix: string }
  /** Only rows that are members of another actor, under the prefix and the row's ID: the crash reports of a group. */
  readonly memberOf?: { readonly actorId: string; readonly prefix: string }
  /** Only rows that have a member with such a key: the crash groups with reports of a build. Use it with a condition that leaves few rows. */
  readonly hasMember?: MemberPattern
  /**
   * Words by which the list of the kind finds actors (`Searchable.list`), with the rule of `search`: all words, in any order, the last
   * one at least as a prefix. An ID finds the actor with its 26 characters. A text without words finds nothing.
   */
  readonly text?: string
  /** Exact values of `Searchable.list`. Each group needs one of its marks. A group without marks finds nothing. */
  readonly marks?: readonly (readonly ListMark[])[]
  /** Default `created`. */
  readonly order?: RowOrder
  readonly descending?: boolean
  /**
   * The last row of the previous page, exclusive. Its `sortAt`, `number` or `uniqueKey` is read if it is omitted. A row that moves in the
   * order while pages are read is returned twice or not at all.
   */
  readonly after?: { readonly id: string; readonly sortAt?: number }
  /** 1 to 1,000. */
  readonly limit: number
}

/** @throws RangeError if the limit is out of bounds, since rows that are left out silently look as if they did not exist */
export function checkedLimit({ limit }: Pick<RowQuery, 'limit'>): number {
  if (Number.isInteger(limit) && limit >= 1 && limit <= 1_000) return limit
  throw new RangeError(`A page of rows has 1 to 1,000 rows, not ${limit}. Read the rest with \`after\`.`)
}

/** Those of the rows that are of the kind. */
export function ofKind(kind: ActorKind, rows: ReadonlyMap<string, ActorRow>): ReadonlyMap<string, ActorRow> {
  return new Map([...rows].filter(([, row]) => row.kind === kind))
}

export interface EndedLastQuery<K extends ActorKind = ActorKind> {
  readonly kind: K
  /** Terminal ones. */
  readonly statuses: readonly string[]
  /** Actors that have not changed since are left out. Milliseconds since 1970. */
  readonly since: number
  readonly limit: number
}

export interface HistoryQuery {
  readonly id: string
  /** Exclusive bounds of the actor's own sequence. */
  readonly after?: number
  readonly before?: number
  readonly descending?: boolean
  readonly limit: number
}

export interface KindHistoryQuery {
  readonly kind: ActorKind
  /** Exclusive. */
  readonly after: HistoryPosition
  /** The most transitions that are read, including those of other kinds. So a read is short however rare the kind is. */
  readonly limit: number
}

export interface KindHistoryPage {
  readonly transitions: readonly { readonly transition: JournalEntry; readonly position: HistoryPosition }[]
  /** Everything up to here has been read. No transition will ever appear before it. */
  readonly position: HistoryPosition
  /** Whether more may be available after it at once. */
  readonly more: boolean
  /**
   * Transitions of the kind wait for an earlier transaction, which is still in flight and may have transitions too. As many are
   * searched as the limit, so transitions of a rare kind may wait while this is false.
   */
  readonly heldBack: boolean
  /** Part of the history after `after` has been removed. The page then has no transitions. */
  readonly gone: boolean
}

export interface SearchQuery {
  /** A user's input: a name or a part of one, some words, an ID. It may contain any characters. */
  readonly text: string
  /** At least one kind; all kinds if omitted. */
  readonly kinds?: readonly ActorKind[]
  /** 1 to 101. */
  readonly limit: number
}

export interface SearchHit extends ActorRef {
  readonly title: string
  /** Other text by which the actor is found. If it is long, the part around the search words. */
  readonly excerpt: string | undefined
  readonly match: SearchMatch
}

/** Actors of one scope. */
export interface ScopeRange {
  readonly scopeId: string
  /** Bounds of the unique key, the first exclusive, compared as UTF-8 bytes. A row without a unique key is within every bound. */
  readonly keyAfter?: string | undefined
  readonly keyUpTo?: string | undefined
}

export interface StuckQuery {
  readonly now: number
  readonly kind?: ActorKind
  readonly status?: string
  /** An ID, exclusive. */
  readonly after?: string
  readonly limit: number
}

export interface StateCount {
  readonly status: string
  readonly count: number
  /** The earliest `changedAt`, milliseconds since 1970. */
  readonly oldest: number
  /** Both are a `changedAt`. Half of the actors changed at `p50` or later, and 99 in 100 at `p99` or later. */
  readonly p50: number
  readonly p99: number
}

export interface ThroughputQuery {
  readonly kind: ActorKind
  /** Milliseconds since 1970. */
  readonly since: number
  /** The most transitions that are read: the latest ones of all kinds. */
  readonly limit: number
}

export interface Throughput {
  /** Transitions from this time on are counted. It is the query's `since`, or later if the limit was reached before. */
  readonly since: number
  /** The most frequent one first. */
  readonly ways: readonly {
    readonly event: string
    /** State values; null before the first transition. */
    readonly from: Json
    readonly to: Json
    readonly count: number
  }[]
}

export interface MachineDefinition {
  readonly kind: ActorKind
  readonly version: number
  readonly hash: string
  readonly definition: string
  readonly firstSeen: number
}

/** @typeParam Rows what a row of each kind is; storage itself does not know the types of its machine */
export interface Views<Rows extends Readonly<Record<ActorKind, ActorRow>> = Readonly<Record<ActorKind, ActorRow>>> {
  /** Undefined also if the ID is that of another kind. */
  get<K extends ActorKind>(kind: K, id: string): Promise<Rows[K] | undefined>
  /** One query for any number of IDs. Unknown ones, and those of other kinds, are absent. */
  getMany<K extends ActorKind>(kind: K, ids: readonly string[]): Promise<ReadonlyMap<string, Rows[K]>>
  /** Of any kind. */
  find(id: string): Promise<ActorRow | undefined>
  /** Of any kinds, with one query. Unknown IDs are absent. */
  findMany(ids: readonly string[]): Promise<ReadonlyMap<string, ActorRow>>
  /** Looks in `uniqueKey` and `otherKey`. */
  findByKey<K extends ActorKind>(kind: K, key: string): Promise<Rows[K] | undefined>
  list<K extends ActorKind>(query: RowQuery<K>): Promise<readonly Rows[K][]>
  /**
   * The number of rows that `list` would return on all pages of the order.
   * @param most more rows than these are not read, and the result is this number
   */
  count(query: Omit<RowQuery, 'limit' | 'after'>, most?: number): Promise<number>
  /**
   * One query for many parents, newest first, at most `limit` rows for each. By worktree, the newest is the one that was queued
   * last.
   *
   * @param which `after`: the ID of a row; only rows after it in this order
   */
  listByScope<K extends ActorKind>(
    kind: K,
    by: 'agentId' | 'worktreeId' | 'scopeId',
    values: readonly string[],
    limit: number,
    which?: { readonly terminal?: boolean; readonly after?: string },
  ): Promise<ReadonlyMap<string, readonly Rows[K][]>>
  /** The number of rows that `listByScope` would find for each parent without its limit. */
  countByScope(
    kind: ActorKind,
    by: 'agentId' | 'worktreeId' | 'scopeId',
    values: readonly string[],
    which?: { readonly terminal?: boolean },
  ): Promise<ReadonlyMap<string, number>>
  /** The number of rows of each parent by their status. Statuses and parents without rows are absent. */
  countStatusesByScope(
    kind: ActorKind,
    by: 'agentId' | 'worktreeId' | 'scopeId',
    values: readonly string[],
  ): Promise<ReadonlyMap<string, ReadonlyMap<string, number>>>
  /**
   * The actors that ended with one of the statuses and have no successor: no later actor of the kind has the same scope and
   * worktree. The newest comes first. For each status, the last 1,000 are read; `cut` is true if there were more, or more than
   * `limit`.
   */
  endedLast<K extends ActorKind>(
    query: EndedLastQuery<K>,
  ): Promise<{ readonly rows: readonly Rows[K][]; readonly cut: boolean }>
  history(query: HistoryQuery): Promise<readonly JournalEntry[]>
  /** The transitions of all actors of a kind, in the order of their positions, without those that are held back. */
  kindHistory(query: KindHistoryQuery): Promise<KindHistoryPage>
  /** The position after all transitions that are not held back. */
  historyEnd(): Promise<HistoryPosition>
  /** An actor's collection, by key prefix, in key order. */
  members(
    id: string,
    prefix: string,
    limit: number,
  ): Promise<readonly { readonly key: string; readonly value: unknown }[]>
  /** Keys of an actor's collection with the prefix, the last one first, and only those before `before`. */
  lastMemberKeys(id: string, prefix: string, before: string | undefined, limit: number): Promise<readonly string[]>
  /** Those of the keys that the actor's collection has. */
  existingMembers(id: string, keys: readonly string[]): Promise<ReadonlySet<string>>
  /**
   * The vitals that the agents' machines reported; at most a few seconds old if the agent sends heartbeats. Agents that reported
   * none are left out.
   */
  vitals(agentIds: readonly string[]): Promise<ReadonlyMap<string, Vitals>>
  /** The load of an agent's machine over time. It is at most a few seconds behind the heartbeats. */
  agentLoad(query: AgentLoadQuery): Promise<AgentLoad>
  /** The figures of the runs of a time. It has every run whose start or end was acknowledged. */
  insights(query: InsightsQuery): Promise<Insights>
  /** The actors of a kind that are not terminal, of many agents, oldest first. */
  living<K extends ActorKind>(kind: K, agentIds: readonly string[]): Promise<readonly Rows[K][]>
  /** All actors of a kind in any of the ranges that are not terminal, in ID order, with one query. Unlike `list`, it has no limit. */
  livingInScopes<K extends ActorKind>(kind: K, ranges: readonly ScopeRange[]): Promise<readonly Rows[K][]>
  effects(actorId: string): Promise<readonly PendingEffect[]>
  states(kind: ActorKind): Promise<readonly StateCount[]>
  throughput(query: ThroughputQuery): Promise<Throughput>
  /**
   * Actors past `stuckAt`, with failed effects, in quarantine, or (not terminal) without timer, lease, pending message and
   * `unbounded`.
   */
  stuck(query: StuckQuery): Promise<readonly ActorRow[]>
  stuckCount(query: Omit<StuckQuery, 'after' | 'limit'>): Promise<number>
  /** The reasons why actors are in quarantine, for those that are. */
  quarantined(ids: readonly string[]): Promise<ReadonlyMap<string, QuarantineReason>>
  definitions(kind?: ActorKind): Promise<readonly MachineDefinition[]>
  /**
   * Full-text search, best match first, each actor once. All words of the text must match, in any order, and the last one at
   * least as a prefix. Capitals, accents and the characters between words do not matter. The order of matches:
   *
   * 1. the actor with that ID and those that share its 26 characters
   * 2. whole titles
   * 3. words, those in titles before others
   * 4. if these are fewer than `limit`: titles with trigrams of the text
   *
   * Otherwise equal matches: the newest first. For words that very many documents have, not all documents are ranked.
   */
  search(query: SearchQuery): Promise<readonly SearchHit[]>
  stream(name: string, query: { readonly after: number; readonly limit: number }): Promise<StreamPage>
  /** The entry of a stream that has the byte at a position of its output: the bytes of all entries but the kind END, one after the other. */
  outputPlace(name: string, position: number): Promise<OutputPlace>
}

export interface OutputPlace {
  /** The bytes of the whole output. */
  readonly size: number
  /** Null if the position is at the end, or beyond. */
  readonly sequence: number | null
  /** The position within that entry. */
  readonly offset: number
}

export interface QuarantineReason {
  readonly problem: string
  /** Milliseconds since 1970, both. */
  readonly since: number
  readonly retryAt: number
}

export interface StreamPage {
  readonly entries: readonly StreamEntry[]
  /** The lowest sequence that is still stored, and the next one that will be written. */
  readonly first: number
  readonly next: number
  readonly ended: boolean
}
