import type { ActorRow } from '../../spec/core/actor.ts'
import { type ActorKind, firstIdAt, idPrefixes, kindOfId, siblingId } from '../../spec/core/ids.ts'
import { actorTable } from '../database/partitions.ts'
import type { RowOrder, RowQuery, ScopeRange, StateCount } from '../ports/views.ts'
import { checkedLimit } from '../ports/views.ts'
import { listTermsOf, listTsqueryOf } from '../search/question.ts'
import { type ActorRecord, actorColumns, actorRow } from '../sql/rows.ts'
import { type Sql, sha256, textArray } from '../sql/sql.ts'
import { Values } from '../sql/values.ts'

const filterColumns = {
  agentId: 'agent_id',
  worktreeId: 'worktree_id',
  scopeId: 'scope_id',
  uniqueKey: 'unique_key',
} as const

function conditions(query: Omit<RowQuery, 'limit' | 'order' | 'after'>, values: Values): string[] {
  const all = [`a.kind = ${values.place(query.kind, 'text')}`]
  for (const [name, column] of Object.entries(filterColumns) as [keyof typeof filterColumns, string][]) {
    const value = query.where?.[name]
    if (value !== undefined) all.push(`a.${column} = ${values.place(value, 'text')}`)
  }
  for (const [name, value] of Object.entries(query.init ?? {})) {
    // An index of an expression is used only if the statement has the same expression, with the name in it.
    if (!/^[a-zA-Z]+$/.test(name)) throw new RangeError(`${name} is not the name of a field.`)
    all.push(`a.init::json ->> '${name}' = ${values.place(value, 'text')}`)
  }
  if (query.parentRunId !== undefined) {
    all.push(`(a.init::json) ->> 'parentRunId' = ${values.place(query.parentRunId, 'text')}`)
  }
  if (query.scopeKinds !== undefined) {
    // All IDs of a kind begin with the prefix and an underscore. A backquote is the character after the underscore.
    const ranges = query.scopeKinds.map((kind) => {
      const prefix = idPrefixes[kind]
      return `(a.scope_id >= ${values.place(`${prefix}_`, 'text')} and a.scope_id < ${values.place(`${prefix}\``, 'text')})`
    })
    all.push(ranges.length === 0 ? 'false' : `(${ranges.join(' or ')})`)
  }
  for (const [bound, at] of [
    ['>=', query.madeFrom],
    ['<', query.madeTo],
  ] as const) {
    if (at !== undefined) all.push(`a.id ${bound} ${values.place(firstIdAt(query.kind, at), 'text')}`)
  }
  if (query.idBefore !== undefined) all.push(`a.id < ${values.place(query.idBefore, 'text')}`)
  if (query.idAfter !== undefined) all.push(`a.id > ${values.place(query.idAfter, 'text')}`)
  if (query.withoutMember !== undefined) {
    const { actorId, prefix } = query.withoutMember
    // The key is a prefix and an ID, so PostgreSQL reads the members of one actor and compares them, for any number of rows.
    all.push(
      `not exists (select from member m where m.actor = ${values.place(actorId, 'text')} and m.key = ${values.place(prefix, 'text')} || a.id)`,
    )
  }
  if (query.memberOf !== undefined) {
    const { actorId, prefix } = query.memberOf
    all.push(
      `m.actor = ${values.place(actorId, 'text')}`,
      `m.key >= ${values.place(prefix, 'text')} and m.key < ${values.place(`${prefix}\u{10ffff}`, 'text')}`,
      `a.id = substr(m.key, ${values.place(prefix.length + 1, 'integer')})`,
    )
  }
  if (query.hasMember !== undefined) {
    const { prefix, suffix } = query.hasMember
    const end = values.place(suffix ?? '', 'text')
    // With `offset`, PostgreSQL looks up the members of each row. Otherwise it may read those of all actors.
    all.push(
      `exists (select from member h where h.actor = a.id and h.key >= ${values.place(prefix, 'text')}
        and h.key < ${values.place(`${prefix}\u{10ffff}`, 'text')} and right(h.key, length(${end})) = ${end} offset 0)`,
    )
  }
  all.push(...listConditions(query, values))
  if (query.terminal !== undefined) all.push(query.terminal ? 'a.terminal' : 'not a.terminal')
  return all
}

/**
 * The words and marks of a list have one GIN index. The planner has statistics of its words, so it enters that index for rare ones
 * and reads the table in its order for frequent ones.
 */
function listConditions(
  { kind, text, marks = [] }: Pick<RowQuery, 'kind' | 'text' | 'marks'>,
  values: Values,
): string[] {
  const isId = text !== undefined && kindOfId(text.trim()) !== undefined
  const terms = text === undefined || isId ? [] : listTermsOf(text)
  if (marks.some((group) => group.length === 0) || (text !== undefined && !isId && terms.length === 0)) return ['false']
  const question = listTsqueryOf({ terms, marks })
  return [
    ...(isId ? [`a.id = ${values.place(siblingId(kind, text.trim()), 'text')}`] : []),
    ...(question === null
      ? []
      : [`a.id in (select d.actor from search_document d where d.list_words @@ ${values.place(question, 'tsquery')})`]),
  ]
}

/** Members of another actor are read first, so that a page of them reads only its own rows. */
function rowsFrom({ kind, memberOf }: Pick<RowQuery, 'kind' | 'memberOf'>): string {
  return memberOf === undefined ? `${actorTable(kind)} a` : `member m, ${actorTable(kind)} a`
}

/** The columns of an order. Keys are unique, so they need no ID. */
const orderColumns = {
  created: ['id'],
  sorted: ['sort_at', 'id'],
  numbered: ['number', 'id'],
  keyed: ['unique_key'],
  ended: ['ended_at', 'id'],
} as const satisfies Readonly<Record<RowOrder, readonly string[]>>

interface Statement {
  readonly text: string
  readonly values: Values
  /** The order of its rows. */
  readonly order: string
}

/**
 * The statement of a page, in index order, so that its cost depends on the rows that it returns. `sorted` has an index by
 * worktree, and for crash reports and their groups one of its own, `numbered` one for the groups, and `ended` one for runs. Otherwise all
 * rows that match the conditions are sorted.
 * `keyed` has the index of unique keys. `undefined` if no row can match.
 */
function pageStatement(query: RowQuery): Statement | undefined {
  const values = new Values()
  const all = conditions(query, values)
  const direction = query.descending ? 'desc' : 'asc'
  const beyond = query.descending ? '<' : '>'
  const table = actorTable(query.kind)
  const columns = orderColumns[query.order ?? 'created']
  // The keys of members have the order of the IDs, and an index.
  const idColumn = query.memberOf === undefined ? 'a.id' : 'm.key'
  const orderOf = (names: readonly string[], id = 'a.id') =>
    names.map((name) => `${name === 'id' ? id : `a.${name}`} ${direction}`).join(', ')
  // The rows of a page have no `ended_at`. A terminal actor does not change any more.
  const order = orderOf(columns.map((column) => (column === 'ended_at' ? 'changed_at' : column)))
  for (const column of columns) if (column !== 'id') all.push(`a.${column} is not null`)
  if (query.after !== undefined) {
    const id = values.place(query.after.id, 'text')
    const { sortAt } = query.after
    const positions = columns.map((column) => {
      if (column === 'id') return id
      if (column === 'sort_at' && sortAt !== undefined) return values.place(sortAt, 'bigint')
      return `(select x.${column} from ${table} x where x.id = ${id})`
    })
    all.push(`(${columns.map((column) => `a.${column}`).join(', ')}) ${beyond} (${positions.join(', ')})`)
    if (query.memberOf !== undefined && columns[0] === 'id')
      all.push(`m.key ${beyond} ${values.place(query.memberOf.prefix + query.after.id, 'text')}`)
  }
  const limit = values.place(checkedLimit(query), 'integer')
  const page = (condition: readonly string[]): string =>
    `select ${actorColumns} from ${rowsFrom(query)} where ${condition.join(' and ')} order by ${orderOf(columns, idColumn)} limit ${limit}`

  const statuses = query.statuses && [...new Set(query.statuses)]
  if (statuses === undefined) return { text: page(all), values, order }
  if (statuses.length === 0) return undefined
  if (narrow(query)) {
    return { text: page([...all, `a.status = any(${values.place(textArray(statuses), 'text[]')})`]), values, order }
  }
  const pages = byStatus(query, statuses, values).map((condition) => `(${page([...all, condition])})`)
  return { text: `select * from (${pages.join(' union all ')}) a order by ${order} limit ${limit}`, values, order }
}

/**
 * Actors that are not terminal are filtered. For terminal ones there is an index by the status in which they ended, in order for
 * each status. Each status is a value of its own in the statement, so that the planner looks up a rare status and scans along for
 * a frequent one. With one parameter for all, a rare one takes 17 ms instead of 1.
 */
function byStatus({ terminal }: RowQuery, statuses: readonly string[], values: Values): string[] {
  // A parameter that the statement does not use is refused, so a part that is left out places none.
  const living = () => `not a.terminal and a.status = any(${values.place(textArray(statuses), 'text[]')})`
  const ended = (status: string) => `a.ended_as = ${values.place(status, 'text')}`
  return [...(terminal === true ? [] : [living()]), ...(terminal === false ? [] : statuses.map(ended))]
}

/**
 * A page by key alone has one good plan, so it is kept as a prepared statement, which saves a round trip. The others are not
 * prepared: the planner must see the values, since the best index for a worktree with ten runs is not the one for a worktree with
 * a hundred thousand.
 */
function onePlan(query: RowQuery): boolean {
  const { statuses, order, init, parentRunId, scopeKinds, madeFrom, madeTo, idBefore, idAfter, text, marks } = query
  const bounds = [
    statuses,
    init,
    parentRunId,
    scopeKinds,
    madeFrom,
    madeTo,
    idBefore,
    idAfter,
    query.withoutMember,
    query.memberOf,
    query.hasMember,
    text,
    marks,
  ]
  return bounds.every((one) => one === undefined) && (order ?? 'created') === 'created' && !narrow(query)
}

export async function listActors(sql: Sql, query: RowQuery): Promise<readonly ActorRow[]> {
  const statement = pageStatement(query)
  if (statement === undefined) return []
  const rows = await sql.unsafe<ActorRecord[]>(statement.text, statement.values.list, { prepare: onePlan(query) })
  return rows.map(actorRow)
}

/**
 * Returns the page, unless its digest is `known`. PostgreSQL compares, so an unchanged answer costs a digest and not its rows:
 * sent, parsed and converted, 50 rows take 10 times as long as their keys.
 */
export async function listChangedActors(
  sql: Sql,
  query: RowQuery,
  known: string,
): Promise<readonly ActorRecord[] | 'unchanged'> {
  const statement = pageStatement(query)
  if (statement === undefined) return []
  const { text, values, order } = statement
  const digest = `select encode(sha256(convert_to(coalesce(string_agg(a.id || ':' || a.seq, ',' order by ${order}), ''), 'UTF8')), 'hex') as digest from page a`
  const rows = await sql.unsafe<(ActorRecord & { readonly same: boolean })[]>(
    `with page as materialized (${text}),
    compared as materialized (select d.digest = ${values.place(known, 'text')} as same from (${digest}) d)
    select c.same, a.* from compared c left join page a on not c.same order by ${order}`,
    values.list,
    { prepare: onePlan(query) },
  )
  const [first] = rows
  if (first === undefined || first.same) return 'unchanged'
  // The page had rows before and has none now: the one row of the join is empty.
  return first.id === null ? [] : rows
}

/** The digest that `listChangedActors` compares. */
export function digestOf(rows: readonly Pick<ActorRow, 'id' | 'seq'>[]): string {
  return sha256(rows.map(({ id, seq }) => `${id}:${seq}`).join(','))
}

/** Whether a condition leaves few enough rows to sort them. */
function narrow({ where, memberOf }: RowQuery): boolean {
  return memberOf !== undefined || Object.values(where ?? {}).some((value) => value !== undefined)
}

/**
 * Counts through the narrowest index. Without a condition it reads the kind's whole index. Terminal rows are all rows without those that
 * are not terminal, which are few and have an index: to read the column of all rows takes 10 times as long as to read their keys.
 */
export async function countActors(sql: Sql, query: Omit<RowQuery, 'limit' | 'after'>, most?: number): Promise<number> {
  const { order = 'created', terminal, ...rest } = query
  // A row that is not terminal has no end.
  if (order === 'ended' && terminal === false) return 0
  const values = new Values()
  const isOfEnded = terminal === true || order === 'ended'
  const counting = (which: Omit<RowQuery, 'limit' | 'after' | 'order'>, column?: string): string => {
    const all = conditions(which, values)
    if (column !== undefined) all.push(`a.${column} is not null`)
    if (which.statuses !== undefined) {
      const statuses = values.place(textArray(which.statuses), 'text[]')
      all.push(`((not a.terminal and a.status = any(${statuses})) or a.ended_as = any(${statuses}))`)
    }
    const rows = `from ${rowsFrom(query)} where ${all.join(' and ')}`
    return most === undefined || isOfEnded
      ? `(select count(*) ${rows})`
      : `(select count(*) from (select ${rows} limit ${values.place(most, 'bigint')}) counted)`
  }
  const which = isOfEnded || terminal === undefined ? rest : { ...rest, terminal }
  const column = order === 'ended' ? undefined : orderColumns[order].find((one) => one !== 'id')
  const difference = isOfEnded
    ? `${counting(which, column)} - ${counting({ ...rest, terminal: false }, column)}`
    : counting(which, column)
  const [row] = await sql.unsafe<{ count: number }[]>(`select ${difference} as count`, values.list, { prepare: false })
  return Math.min(row?.count ?? 0, most ?? Number.POSITIVE_INFINITY)
}

export type ScopeColumn = 'agentId' | 'worktreeId' | 'scopeId'

interface ScopeChoice {
  readonly kind: ActorKind
  readonly by: ScopeColumn
  readonly terminal?: boolean
}

const whereTerminal = (terminal: boolean | undefined): string =>
  terminal === undefined ? '' : terminal ? 'and a.terminal' : 'and not a.terminal'

/** Reads all index entries of each parent. */
export async function countByScope(
  sql: Sql,
  { kind, by, terminal }: ScopeChoice,
  parents: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const column = filterColumns[by]
  const rows = await sql.unsafe<{ readonly parent: string; readonly count: number }[]>(
    `select p.parent, (
      select count(*) from ${actorTable(kind)} a where a.kind = $2 and a.${column} = p.parent ${whereTerminal(terminal)}
    ) as count from unnest($1::text[]) p(parent)`,
    [textArray([...new Set(parents)]), kind],
    { prepare: true },
  )
  return new Map(rows.map(({ parent, count }) => [parent, count]))
}

/** Reads the rows of each parent once. */
export async function countStatusesByScope(
  sql: Sql,
  { kind, by }: Omit<ScopeChoice, 'terminal'>,
  parents: readonly string[],
): Promise<ReadonlyMap<string, ReadonlyMap<string, number>>> {
  const rows = await sql.unsafe<{ readonly parent: string; readonly status: string; readonly count: number }[]>(
    `select a.${filterColumns[by]} as parent, a.status, count(*) as count
    from ${actorTable(kind)} a where a.kind = $2 and a.${filterColumns[by]} = any($1::text[]) group by 1, 2`,
    [textArray([...new Set(parents)]), kind],
    { prepare: true },
  )
  const counts = new Map<string, Map<string, number>>()
  for (const { parent, status, count } of rows) {
    const ofParent = counts.get(parent) ?? new Map<string, number>()
    counts.set(parent, ofParent.set(status, count))
  }
  return counts
}

/**
 * One index read for each parent, backwards from the newest. By worktree the index is (worktree_id, sort_at, id), so there the
 * newest is the one that was queued last; one that is not queued yet is newer than all others.
 */
export async function listByScope(
  sql: Sql,
  { kind, by, terminal, after }: ScopeChoice & { readonly after?: string },
  parents: readonly string[],
  limit: number,
): Promise<ReadonlyMap<string, readonly ActorRow[]>> {
  const sorted = by === 'worktreeId'
  const values = new Values()
  const ids = values.place(textArray([...new Set(parents)]), 'text[]')
  const conditions = [
    `a.kind = ${values.place(kind, 'text')}`,
    `a.${filterColumns[by]} = p.parent`,
    ...(terminal === undefined ? [] : [terminal ? 'a.terminal' : 'not a.terminal']),
    ...(after === undefined ? [] : [await beyond(sql, kind, after, sorted, values)]),
  ]
  const rows = await sql.unsafe<(ActorRecord & { readonly parent: string })[]>(
    `select p.parent, a.* from unnest(${ids}) p(parent)
    cross join lateral (
      select ${actorColumns} from ${actorTable(kind)} a
      where ${conditions.join(' and ')}
      order by ${sorted ? 'a.sort_at desc nulls first, a.id desc' : 'a.id desc'} limit ${values.place(limit, 'integer')}
    ) a`,
    values.list,
    { prepare: true },
  )
  const found = new Map<string, ActorRow[]>(parents.map((parent) => [parent, []]))
  for (const row of rows) found.get(row.parent)?.push(actorRow(row))
  return found
}

/** The condition for rows after one of them. Its position is read first, so that the index can be entered there. */
async function beyond(sql: Sql, kind: ActorKind, after: string, sorted: boolean, values: Values): Promise<string> {
  const id = values.place(after, 'text')
  if (!sorted) return `a.id < ${id}`
  const [last] = await sql<{ readonly sortAt: number | null }[]>`
    select sort_at as "sortAt" from actor where kind = ${kind} and id = ${after}`
  const sortAt = last?.sortAt ?? null
  if (sortAt === null) return `(a.sort_at is not null or a.id < ${id})`
  return `(a.sort_at, a.id) < (${values.place(sortAt, 'bigint')}, ${id})`
}

/**
 * Jobs have an index of those that have not ended, since an agent may have had a hundred thousand. `offset 0` makes PostgreSQL
 * use it once for each agent: a join would read the active jobs of all agents.
 */
export async function livingOf(sql: Sql, kind: ActorKind, agentIds: readonly string[]): Promise<readonly ActorRow[]> {
  const rows = await sql.unsafe<ActorRecord[]>(
    `select a.* from unnest($2::text[]) r(agent)
    cross join lateral (
      select ${actorColumns} from ${actorTable(kind)} a
      where a.kind = $1 and a.agent_id = r.agent and not a.terminal
      offset 0
    ) a order by a.id`,
    [kind, textArray(agentIds)],
    { prepare: true },
  )
  return rows.map(actorRow)
}

/**
 * One read of the index by scope for each range. `collate "C"` compares bytes whatever the locale of the database is. The key's
 * own index does not help here, since a scope has few rows beside its kind.
 */
export async function livingInScopes(
  sql: Sql,
  kind: ActorKind,
  ranges: readonly ScopeRange[],
): Promise<readonly ActorRow[]> {
  const bounds = (bound: 'keyAfter' | 'keyUpTo') => textArray(ranges.map((range) => range[bound] ?? ''))
  const rows = await sql.unsafe<ActorRecord[]>(
    `select a.* from unnest($2::text[], $3::text[], $4::text[]) r(scope, key_after, key_up_to)
    cross join lateral (
      select ${actorColumns} from ${actorTable(kind)} a
      where a.kind = $1 and a.scope_id = r.scope and not a.terminal
        and (a.unique_key is null or (a.unique_key collate "C" > r.key_after
          and (r.key_up_to = '' or a.unique_key collate "C" <= r.key_up_to)))
    ) a order by a.id`,
    [kind, textArray(ranges.map(({ scopeId }) => scopeId)), bounds('keyAfter'), bounds('keyUpTo')],
    { prepare: true },
  )
  return rows.map(actorRow)
}

/** Reads the kind's whole partition. It is an overview for operators and too slow for every request. */
export async function stateCounts(sql: Sql, kind: ActorKind): Promise<readonly StateCount[]> {
  const rows = await sql.unsafe<StateCount[]>(
    `select a.status, count(*) as count, min(a.changed_at) as oldest,
      percentile_disc(0.5) within group (order by a.changed_at desc) as p50,
      percentile_disc(0.99) within group (order by a.changed_at desc) as p99
    from ${actorTable(kind)} a
    where a.kind = $1 group by 1 order by 1`,
    [kind],
    { prepare: true },
  )
  return [...rows]
}
