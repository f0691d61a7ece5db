/** Pages and counts of lists. */
import type { ActorRow } from '../../spec/core/actor.ts'
import { actorTable } from '../database/partitions.ts'
import { checkedLimit, type RowOrder, type RowQuery } from '../ports/views.ts'
import { type ActorRecord, actorColumns, actorRow } from '../sql/rows.ts'
import { type Sql, sha256, textArray } from '../sql/sql.ts'
import { Values } from '../sql/values.ts'
import { conditionsOf, rowsFrom } from './conditions.ts'

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
  const all = conditionsOf(query, values)
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
function isByKeyAlone(query: RowQuery): boolean {
  const { kind, limit, after, descending, terminal, where, order = 'created', ...conditions } = query
  return order === 'created' && !narrow(query) && Object.values(conditions).every((one) => one === undefined)
}

export async function listActors(sql: Sql, query: RowQuery): Promise<readonly ActorRow[]> {
  const statement = pageStatement(query)
  if (statement === undefined) return []
  const rows = await sql.unsafe<ActorRecord[]>(statement.text, statement.values.list, { prepare: isByKeyAlone(query) })
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
    { prepare: isByKeyAlone(query) },
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
    const all = conditionsOf(which, values)
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
