import type { StoredActor } from '../../../../actors/ports/journal.ts'
import type { ActorRow, Columns } from '../../../../spec/core/actor.ts'
import { comparePositions } from '../../../../spec/core/historyPosition.ts'
import { type ActorKind, firstIdAt, kindOfId, siblingId } from '../../../../spec/core/ids.ts'
import type { AgentLoadQuery } from '../../../../storage/ports/agentLoad.ts'
import type { InsightsQuery } from '../../../../storage/ports/insights.ts'
import type {
  EndedLastQuery,
  HistoryQuery,
  KindHistoryQuery,
  MemberPattern,
  RowQuery,
  ScopeRange,
  SearchQuery,
  StateCount,
  StuckQuery,
  Throughput,
  ThroughputQuery,
  Views,
} from '../../../../storage/ports/views.ts'
import { checkedLimit, ofKind } from '../../../../storage/ports/views.ts'
import { isInList, searchDocuments } from '../../../../storage/search/match.ts'
import { listTermsOf } from '../../../../storage/search/question.ts'
import { readAgentLoad } from './agentLoad.ts'
import { readInsights } from './insights.ts'
import { quarantinedActors } from './quarantine.ts'
import type { MemoryState } from './state.ts'

type Actor = Omit<StoredActor, 'members'>

/** The simplest implementation of each query. The contract suite checks that the SQL returns the same. */
export class MemoryViews implements Views {
  readonly #state: MemoryState

  constructor(state: MemoryState) {
    this.#state = state
  }

  async get(kind: ActorKind, id: string) {
    const found = await this.find(id)
    return found?.kind === kind ? found : undefined
  }

  async getMany(kind: ActorKind, ids: readonly string[]) {
    return ofKind(kind, await this.findMany(ids))
  }

  async find(id: string) {
    const found = this.#state.actors.get(id)
    return found && row(found)
  }

  async findMany(ids: readonly string[]) {
    const found = ids.flatMap((id) => this.#state.actors.get(id) ?? [])
    return new Map(found.map((actor) => [actor.id, row(actor)]))
  }

  async findByKey(kind: ActorKind, key: string) {
    return this.find(this.#state.keys.get(`${kind} ${key}`) ?? '')
  }

  async list(query: RowQuery) {
    const { after, descending, order } = query
    const endOf = (actor: Actor | undefined): number | undefined =>
      actor?.columns.terminal ? actor.changedAt : undefined
    const place = (id: string, { sortAt, number, uniqueKey }: Partial<Columns>): readonly [number, string] => {
      if (order === 'keyed') return [0, uniqueKey ?? '']
      if (order === 'ended') return [endOf(this.#state.actors.get(id)) ?? 0, id]
      return [order === 'sorted' ? (sortAt ?? 0) : order === 'numbered' ? (number ?? 0) : 0, id]
    }
    const compare = (a: readonly [number, string], b: readonly [number, string]): number =>
      (a[0] - b[0] || (a[1] < b[1] ? -1 : a[1] > b[1] ? 1 : 0)) * (descending ? -1 : 1)
    const placeOf = (actor: Actor) => place(actor.id, actor.columns)
    const { sortAt } = after ?? {}
    const last = { ...this.#state.actors.get(after?.id ?? '')?.columns, ...(sortAt === undefined ? {} : { sortAt }) }
    const beyond = after && place(after.id, last)
    return this.#matching(query)
      .filter((actor) => beyond === undefined || compare(placeOf(actor), beyond) > 0)
      .sort((a, b) => compare(placeOf(a), placeOf(b)))
      .slice(0, checkedLimit(query))
      .map(row)
  }

  async count(query: Omit<RowQuery, 'limit' | 'after'>, most = Number.POSITIVE_INFINITY) {
    return Math.min(this.#matching(query).length, most)
  }

  async listByScope(
    kind: ActorKind,
    by: 'agentId' | 'worktreeId' | 'scopeId',
    values: readonly string[],
    limit: number,
    { after, ...which }: { readonly terminal?: boolean; readonly after?: string } = {},
  ) {
    const newest = (a: Actor, b: Actor): number => {
      const sorted = by === 'worktreeId' ? (b.columns.sortAt ?? Infinity) - (a.columns.sortAt ?? Infinity) : 0
      return sorted || (a.id === b.id ? 0 : a.id < b.id ? 1 : -1)
    }
    const last = after === undefined ? undefined : this.#state.actors.get(after)
    return new Map(
      values.map((value) => [
        value,
        this.#matching({ kind, where: { [by]: value }, ...which })
          .filter((actor) => last === undefined || newest(last, actor) < 0)
          .sort(newest)
          .slice(0, limit)
          .map(row),
      ]),
    )
  }

  async countByScope(
    kind: ActorKind,
    by: 'agentId' | 'worktreeId' | 'scopeId',
    values: readonly string[],
    which: { readonly terminal?: boolean } = {},
  ) {
    return new Map(values.map((value) => [value, this.#matching({ kind, where: { [by]: value }, ...which }).length]))
  }

  async countStatusesByScope(kind: ActorKind, by: 'agentId' | 'worktreeId' | 'scopeId', values: readonly string[]) {
    const counts = new Map<string, Map<string, number>>()
    for (const value of new Set(values))
      for (const { columns } of this.#matching({ kind, where: { [by]: value } })) {
        const ofParent = counts.get(value) ?? new Map<string, number>()
        counts.set(value, ofParent.set(columns.status, (ofParent.get(columns.status) ?? 0) + 1))
      }
    return counts
  }

  async endedLast({ kind, statuses, since, limit }: EndedLastQuery) {
    const all = this.#matching({ kind })
    const isFollowed = ({ id, columns }: Actor): boolean =>
      columns.scopeId !== undefined &&
      all.some(
        (later) =>
          later.id > id && later.columns.scopeId === columns.scopeId && later.columns.worktreeId === columns.worktreeId,
      )
    const found = all
      .filter(({ columns, changedAt }) => columns.terminal && statuses.includes(columns.status) && changedAt >= since)
      .filter((actor) => !isFollowed(actor))
      .sort((a, b) => (a.id < b.id ? 1 : -1))
    return { rows: found.slice(0, limit).map(row), cut: found.length > limit }
  }

  async history({ id, after = -1, before = Infinity, descending, limit }: HistoryQuery) {
    const steps = (this.#state.journal.get(id) ?? []).map(({ entry }) => entry)
    const inside = steps.filter(({ seq }) => seq > after && seq < before)
    return (descending ? inside.reverse() : inside).slice(0, limit)
  }

  /** Commits are executed one after the other, so no transition is ever held back. None is ever removed. */
  async kindHistory({ kind, after, limit }: KindHistoryQuery) {
    const page = [...this.#state.journal.values()]
      .flat()
      .map(({ entry, tx }) => ({ transition: entry, position: { tx, actor: entry.id } }))
      .filter(({ position }) => comparePositions(position, after) > 0)
      .sort((a, b) => comparePositions(a.position, b.position))
      .slice(0, limit)
    const last = page.length === limit ? page.at(-1)?.position : undefined
    return {
      transitions: page.filter(({ transition }) => transition.kind === kind),
      position: last ?? (await this.historyEnd()),
      more: last !== undefined,
      heldBack: false,
      gone: false,
    }
  }

  async historyEnd() {
    return { tx: this.#state.nextTx, actor: '' }
  }

  async members(id: string, prefix: string, limit: number) {
    return [...(this.#state.members.get(id) ?? [])]
      .filter(([key]) => key.startsWith(prefix))
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .slice(0, limit)
      .map(([key, value]) => ({ key, value }))
  }

  async lastMemberKeys(id: string, prefix: string, before: string | undefined, limit: number) {
    return [...(this.#state.members.get(id)?.keys() ?? [])]
      .filter((key) => key.startsWith(prefix) && (before === undefined || key < before))
      .sort((a, b) => (a < b ? 1 : -1))
      .slice(0, limit)
  }

  async existingMembers(id: string, keys: readonly string[]) {
    const own = this.#state.members.get(id)
    return new Set(keys.filter((key) => own?.has(key) === true))
  }

  async agentLoad(query: AgentLoadQuery) {
    return readAgentLoad(this.#state, query)
  }

  async insights(query: InsightsQuery) {
    return readInsights([...this.#state.measurements.values()], query)
  }

  async vitals(agentIds: readonly string[]) {
    return new Map(
      agentIds.flatMap((id) => {
        const vitals = this.#state.presence.get(id)?.vitals
        return vitals === undefined ? [] : [[id, vitals] as const]
      }),
    )
  }

  async living(kind: ActorKind, agentIds: readonly string[]) {
    return this.#matching({ kind, terminal: false })
      .filter(({ columns }) => columns.agentId !== undefined && agentIds.includes(columns.agentId))
      .sort((a, b) => (a.id < b.id ? -1 : 1))
      .map(row)
  }

  async livingInScopes(kind: ActorKind, ranges: readonly ScopeRange[]) {
    const within = ({ uniqueKey }: Actor['columns'], { keyAfter, keyUpTo }: ScopeRange): boolean =>
      uniqueKey === undefined ||
      ((keyAfter === undefined || compareBytes(uniqueKey, keyAfter) > 0) &&
        (keyUpTo === undefined || compareBytes(uniqueKey, keyUpTo) <= 0))
    return this.#matching({ kind, terminal: false })
      .filter(({ columns }) => ranges.some((range) => range.scopeId === columns.scopeId && within(columns, range)))
      .sort((a, b) => (a.id < b.id ? -1 : 1))
      .map(row)
  }

  async effects(actorId: string) {
    return [...this.#state.outbox.values()].map(({ effect }) => effect).filter(({ actor }) => actor.id === actorId)
  }

  async states(kind: ActorKind) {
    const all = Map.groupBy(this.#matching({ kind }), ({ columns }) => columns.status)
    return [...all]
      .map(([status, actors]): StateCount => {
        const youngestFirst = actors.map(({ changedAt }) => changedAt).sort((a, b) => b - a)
        const at = (share: number) => youngestFirst[Math.ceil(share * youngestFirst.length) - 1] ?? 0
        return { status, count: actors.length, oldest: at(1), p50: at(0.5), p99: at(0.99) }
      })
      .sort((a, b) => (a.status < b.status ? -1 : 1))
  }

  async throughput({ kind, since, limit }: ThroughputQuery): Promise<Throughput> {
    const latest = [...this.#state.journal.values()]
      .flat()
      .sort((a, b) => b.tx - a.tx)
      .slice(0, limit)
      .map(({ entry }) => entry)
    const first = Math.min(...latest.map(({ at }) => at))
    const counted = latest.filter((entry) => entry.kind === kind && entry.at >= since)
    const ways = [...Map.groupBy(counted, ({ event, from, to }) => JSON.stringify([event, from, to])).values()]
      .flatMap((same) => same.slice(0, 1).map(({ event, from, to }) => ({ event, from, to, count: same.length })))
      .sort((a, b) => b.count - a.count || (a.event < b.event ? -1 : 1))
    return { since: latest.length < limit ? since : Math.max(first, since), ways }
  }

  async stuck(query: StuckQuery) {
    return this.#stuck(query)
      .filter(({ id }) => id > (query.after ?? ''))
      .sort((a, b) => (a.id < b.id ? -1 : 1))
      .slice(0, query.limit)
      .map(row)
  }

  async stuckCount(query: Omit<StuckQuery, 'after' | 'limit'>) {
    return this.#stuck(query).length
  }

  #stuck({ now, kind, status }: Omit<StuckQuery, 'after' | 'limit'>): Actor[] {
    const pending = new Set(
      [...this.#state.outbox.values()].flatMap(({ effect }) => (effect.failure === undefined ? effect.actor.id : [])),
    )
    const failed = new Set(
      [...this.#state.outbox.values()].flatMap(({ effect }) => (effect.failure === undefined ? [] : effect.actor.id)),
    )
    const quarantined = new Set(quarantinedActors(this.#state).map(({ ref }) => ref.id))
    const isStuck = ({ id, columns }: Actor): boolean =>
      columns.incidents > 0 ||
      quarantined.has(id) ||
      (columns.terminal && failed.has(id)) ||
      (!columns.terminal && ((columns.stuckAt ?? Infinity) <= now || (columns.unwatched && !pending.has(id))))
    return [...this.#state.actors.values()].filter(
      (actor) =>
        (kind ?? actor.kind) === actor.kind &&
        (status ?? actor.columns.status) === actor.columns.status &&
        isStuck(actor),
    )
  }

  async quarantined(ids: readonly string[]) {
    const found = quarantinedActors(this.#state).filter(({ ref }) => ids.includes(ref.id))
    return new Map(found.map((entry) => [entry.ref.id, entry]))
  }

  async definitions(kind?: ActorKind) {
    return [...this.#state.definitions.values()].filter((one) => (kind ?? one.kind) === one.kind)
  }

  async search(query: SearchQuery) {
    return searchDocuments(
      [...this.#state.documents].map(([id, { found }]) => [id, found] as const),
      query,
    )
  }

  async outputPlace(name: string, position: number) {
    let size = 0
    let place: { readonly sequence: number | null; readonly offset: number } | undefined
    for (const { sequence, kind, data } of this.#state.streams.get(name)?.entries ?? []) {
      if (kind === 'END') continue
      if (size + data.length > position) place ??= { sequence, offset: position - size }
      size += data.length
    }
    return { size, ...(place ?? { sequence: null, offset: 0 }) }
  }

  async stream(name: string, { after, limit }: { readonly after: number; readonly limit: number }) {
    const stream = this.#state.streams.get(name)
    if (stream === undefined) return { entries: [], first: 0, next: 0, ended: false }
    const { first, next, ended } = stream.head
    return { entries: stream.entries.filter(({ sequence }) => sequence > after).slice(0, limit), first, next, ended }
  }

  #isListed(id: string, { kind, text, marks = [] }: Pick<RowQuery, 'kind' | 'text' | 'marks'>): boolean {
    const isId = text !== undefined && kindOfId(text.trim()) !== undefined
    if (isId && id !== siblingId(kind, text.trim())) return false
    const terms = text === undefined || isId ? [] : listTermsOf(text)
    if (text !== undefined && !isId && terms.length === 0) return false
    if (terms.length === 0 && marks.length === 0) return true
    return isInList(this.#state.documents.get(id)?.found, { terms, marks })
  }

  #isMember({ actorId, prefix }: NonNullable<RowQuery['withoutMember']>, id: string): boolean {
    return this.#state.members.get(actorId)?.has(prefix + id) === true
  }

  #hasMember(id: string, { prefix, suffix = '' }: MemberPattern): boolean {
    const keys = [...(this.#state.members.get(id)?.keys() ?? [])]
    return keys.some((key) => key.startsWith(prefix) && key.endsWith(suffix))
  }

  #matching(query: Omit<RowQuery, 'limit' | 'after'>): Actor[] {
    const { kind, where, init = {}, statuses, terminal, parentRunId, scopeKinds, madeFrom, madeTo, order } = query
    const wanted = Object.entries(where ?? {}).filter(([, value]) => value !== undefined)
    return [...this.#state.actors.values()].filter(
      ({ id, kind: own, columns, init: made }) =>
        own === kind &&
        (order !== 'sorted' || columns.sortAt !== undefined) &&
        (order !== 'numbered' || columns.number !== undefined) &&
        (order !== 'keyed' || columns.uniqueKey !== undefined) &&
        (order !== 'ended' || columns.terminal) &&
        (query.idBefore === undefined || id < query.idBefore) &&
        (query.idAfter === undefined || id > query.idAfter) &&
        (query.withoutMember === undefined || !this.#isMember(query.withoutMember, id)) &&
        (query.memberOf === undefined || this.#isMember(query.memberOf, id)) &&
        (query.hasMember === undefined || this.#hasMember(id, query.hasMember)) &&
        this.#isListed(id, query) &&
        (parentRunId === undefined || (JSON.parse(made) as ActorRow['init']).parentRunId === parentRunId) &&
        (scopeKinds === undefined || scopeKinds.some((one) => kindOfId(columns.scopeId ?? '') === one)) &&
        (madeFrom === undefined || id >= firstIdAt(kind, madeFrom)) &&
        (madeTo === undefined || id < firstIdAt(kind, madeTo)) &&
        (statuses === undefined || statuses.includes(columns.status)) &&
        (terminal === undefined || columns.terminal === terminal) &&
        wanted.every(([name, value]) => columns[name as keyof typeof columns] === value) &&
        Object.entries(init).every(([name, value]) => (JSON.parse(made) as ActorRow['init'])[name] === value),
    )
  }
}

function row(actor: Actor): ActorRow {
  const { id, seq, columns, createdAt, changedAt, machine } = actor
  const kind = actor.kind as ActorKind
  const { value, context, timers } = JSON.parse(actor.snapshot) as Pick<ActorRow, 'value' | 'context' | 'timers'>
  const init = JSON.parse(actor.init) as ActorRow['init']
  return { id, kind, seq, columns, createdAt, changedAt, machine, value, context, timers, init }
}

function compareBytes(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b))
}
