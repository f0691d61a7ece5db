import type { ActorRow } from '../../spec/core/actor.ts'
import type { ActorKind } from '../../spec/core/ids.ts'
import { readAgentLoad } from '../agents/machineLoad.ts'
import { readInsights } from '../insights/insights.ts'
import type { AgentLoadQuery } from '../ports/agentLoad.ts'
import type { InsightsQuery } from '../ports/insights.ts'
import {
  type EndedLastQuery,
  type HistoryQuery,
  type KindHistoryQuery,
  ofKind,
  type RowQuery,
  type ScopeRange,
  type SearchQuery,
  type StuckQuery,
  type ThroughputQuery,
  type Views,
} from '../ports/views.ts'
import { gatherLookups } from '../sql/gatherLookups.ts'
import type { Sql } from '../sql/sql.ts'
import { readQuarantined } from '../timers/quarantine.ts'
import { actorsById, actorsByKey } from './actors.ts'
import { endedLast } from './endedLast.ts'
import { actorEffects, actorHistory, machineDefinitions, outputPlace, streamPage } from './history.ts'
import { historyEnd, kindHistory } from './kindHistory.ts'
import { countActors } from './list.ts'
import { existingMembers, lastMemberKeys, type MemberPage, type MemberText, memberPages } from './members.ts'
import {
  countByScope,
  countStatusesByScope,
  listByScope,
  livingInScopes,
  livingOf,
  type ScopeColumn,
} from './parents.ts'
import { RepeatedLists } from './repeatedLists.ts'
import { search } from './search.ts'
import { stateCounts } from './stateCounts.ts'
import { countStuck, stuckActors } from './stuck.ts'
import { throughput } from './throughput.ts'
import { vitalsOf } from './vitals.ts'

/** PostgreSQL texts cannot contain a NUL. A text with one finds nothing, and it must not fail a query that is shared with other callers. */
const isStorable = (text: string): boolean => !text.includes('\0')
const nothing: Promise<ActorRow | undefined> = Promise.resolve(undefined)

/**
 * Every authenticated request reads one or two actors, and so does each agent that connects for its jobs. Concurrent reads become
 * one query.
 */
const gathering = { keys: 500, queries: 4 }

/** Reads of the writing database, on connections of their own that cannot write and that time out after ten seconds. */
export class PostgresViews implements Views {
  readonly #sql: Sql
  readonly #searches: Sql
  readonly #one: (id: string) => Promise<ActorRow | undefined>
  readonly #lists: RepeatedLists
  readonly #byKey = new Map<ActorKind, (key: string) => Promise<ActorRow | undefined>>()
  readonly #living = new Map<ActorKind, (agentId: string) => Promise<readonly ActorRow[] | undefined>>()
  readonly #members: (page: string) => Promise<readonly MemberText[] | undefined>

  /** @param searches connections of their own, so that slow searches do not delay other reads */
  constructor(sql: Sql, searches = sql) {
    this.#sql = sql
    this.#searches = searches
    this.#lists = new RepeatedLists(sql)
    this.#one = gatherLookups((ids) => actorsById(sql, ids), gathering)
    this.#members = gatherLookups(async (pages) => {
      const found = await memberPages(sql, pages.map(readPage))
      return new Map(pages.map((page, index) => [page, found[index] ?? []]))
    }, gathering)
  }

  async get(kind: ActorKind, id: string) {
    const row = await this.find(id)
    return row?.kind === kind ? row : undefined
  }

  async getMany(kind: ActorKind, ids: readonly string[]) {
    return ofKind(kind, await this.findMany(ids))
  }

  find(id: string) {
    return isStorable(id) ? this.#one(id) : nothing
  }

  findMany(ids: readonly string[]) {
    return actorsById(this.#sql, ids.filter(isStorable))
  }

  findByKey(kind: ActorKind, key: string) {
    if (!isStorable(key)) return nothing
    let find = this.#byKey.get(kind)
    if (find === undefined) {
      find = gatherLookups((keys) => actorsByKey(this.#sql, kind, keys), gathering)
      this.#byKey.set(kind, find)
    }
    return find(key)
  }

  list(query: RowQuery) {
    return this.#lists.list(query)
  }

  count(query: Omit<RowQuery, 'limit' | 'after'>, most?: number) {
    return countActors(this.#sql, query, most)
  }

  listByScope(
    kind: ActorKind,
    by: ScopeColumn,
    values: readonly string[],
    limit: number,
    which?: { readonly terminal?: boolean; readonly after?: string },
  ) {
    return listByScope(this.#sql, { kind, by, ...which }, values, limit)
  }

  countByScope(kind: ActorKind, by: ScopeColumn, values: readonly string[], which?: { readonly terminal?: boolean }) {
    return countByScope(this.#sql, { kind, by, ...which }, values)
  }

  countStatusesByScope(kind: ActorKind, by: ScopeColumn, values: readonly string[]) {
    return countStatusesByScope(this.#sql, { kind, by }, values)
  }

  endedLast(query: EndedLastQuery) {
    return endedLast(this.#sql, query)
  }

  history(query: HistoryQuery) {
    return actorHistory(this.#sql, query)
  }

  kindHistory(query: KindHistoryQuery) {
    return kindHistory(this.#sql, query)
  }

  historyEnd() {
    return historyEnd(this.#sql)
  }

  async members(id: string, prefix: string, limit: number) {
    if (!isStorable(id) || !isStorable(prefix)) return []
    const texts = (await this.#members(writePage({ actor: id, prefix, limit }))) ?? []
    return texts.map(({ key, value }) => ({ key, value: JSON.parse(value) as unknown }))
  }

  async lastMemberKeys(id: string, prefix: string, before: string | undefined, limit: number) {
    if (![id, prefix, before ?? ''].every(isStorable)) return []
    return await lastMemberKeys(this.#sql, { actor: id, prefix, limit }, before)
  }

  async existingMembers(id: string, keys: readonly string[]) {
    return isStorable(id) ? await existingMembers(this.#sql, id, keys.filter(isStorable)) : new Set<string>()
  }

  vitals(agentIds: readonly string[]) {
    return vitalsOf(this.#sql, agentIds)
  }

  agentLoad(query: AgentLoadQuery) {
    return readAgentLoad(this.#sql, query)
  }

  insights(query: InsightsQuery) {
    return readInsights(this.#sql, query)
  }

  async living(kind: ActorKind, agentIds: readonly string[]) {
    let find = this.#living.get(kind)
    if (find === undefined) {
      find = gatherLookups(async (agents) => byAgent(await livingOf(this.#sql, kind, agents)), gathering)
      this.#living.set(kind, find)
    }
    const found = await Promise.all([...new Set(agentIds)].filter(isStorable).map(find))
    return found.flatMap((rows) => rows ?? []).sort((a, b) => (a.id < b.id ? -1 : 1))
  }

  livingInScopes(kind: ActorKind, ranges: readonly ScopeRange[]) {
    return livingInScopes(this.#sql, kind, ranges)
  }

  effects(actorId: string) {
    return actorEffects(this.#sql, actorId)
  }

  states(kind: ActorKind) {
    return stateCounts(this.#sql, kind)
  }

  throughput(query: ThroughputQuery) {
    return throughput(this.#sql, query)
  }

  stuck(query: StuckQuery) {
    return stuckActors(this.#sql, query)
  }

  quarantined(ids: readonly string[]) {
    return readQuarantined(this.#sql, ids)
  }

  stuckCount(query: Omit<StuckQuery, 'after' | 'limit'>) {
    return countStuck(this.#sql, query)
  }

  definitions(kind?: ActorKind) {
    return machineDefinitions(this.#sql, kind)
  }

  search(query: SearchQuery) {
    return search(this.#searches, query)
  }

  stream(name: string, query: { readonly after: number; readonly limit: number }) {
    return streamPage(this.#sql, name, query)
  }

  outputPlace(name: string, position: number) {
    return outputPlace(this.#sql, name, position)
  }
}

function byAgent(rows: readonly ActorRow[]): ReadonlyMap<string, readonly ActorRow[]> {
  return Map.groupBy(rows, ({ columns }) => columns.agentId ?? '')
}

/** Callers that request the same page at the same time share it. No part has a NUL. */
function writePage({ actor, prefix, limit }: MemberPage): string {
  return [actor, prefix, limit].join('\0')
}

function readPage(page: string): MemberPage {
  const [actor = '', prefix = '', limit] = page.split('\0')
  return { actor, prefix, limit: Number(limit) }
}
