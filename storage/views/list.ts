import type { ActorRow } from '../../spec/actor.ts'
import type { ActorKind } from '../../spec/ids.ts'
import type { RowQuery, StateCount } from '../../spec/views.ts'
import { actorTable } from '../partitions.ts'
import { type ActorRecord, actorColumns, actorRow } from '../rows.ts'
import { type Sql, textArray } from '../sql.ts'

const filterColumns = {
  agentId: 'agent_id',
  worktreeId: 'worktree_id',
  scopeId: 'scope_id',
  uniqueKey: 'unique_key',
} as const

/** Collects the values of a statement whose text depends on the query. */
class Values {
  readonly list: (string | number | boolean)[] = []

  place(value: string | number | boolean, type: string): string {
    return `$${this.list.push(value)}::${type}`
  }
}

function conditions(query: Omit<RowQuery, 'limit' | 'order' | 'after'>, values: Values): string[] {
  const all = [`a.kind = ${values.place(query.kind, 'text')}`]
  for (const [name, column] of Object.entries(filterColumns) as [keyof typeof filterColumns, string][]) {
    const value = query.where?.[name]
    if (value !== undefined) all.push(`a.${column} = ${values.place(value, 'text')}`)
  }
  if (query.terminal !== undefined) all.push(query.terminal ? 'a.terminal' : 'not a.terminal')
  return all
}

/**
 * A page, in index order, so that a page costs what it shows. Not kept as a prepared statement: the planner must see the values,
 * since the best index for a worktree with ten runs is not the one for a worktree with a hundred thousand.
 * `sorted` has an index by worktree; without one it sorts all rows that its conditions leave.
 */
export async function listActors(sql: Sql, query: RowQuery): Promise<readonly ActorRow[]> {
  const values = new Values()
  const all = conditions(query, values)
  const direction = query.descending ? 'desc' : 'asc'
  const beyond = query.descending ? '<' : '>'
  const table = actorTable(query.kind)
  const sorted = query.order === 'sorted'
  const order = sorted ? `a.sort_at ${direction}, a.id ${direction}` : `a.id ${direction}`
  if (sorted) all.push('a.sort_at is not null')
  if (query.after !== undefined) {
    const id = values.place(query.after.id, 'text')
    const sortAt = (at = query.after?.sortAt): string =>
      at === undefined ? `(select x.sort_at from ${table} x where x.id = ${id})` : values.place(at, 'bigint')
    all.push(sorted ? `(a.sort_at, a.id) ${beyond} (${sortAt()}, ${id})` : `a.id ${beyond} ${id}`)
  }
  const limit = values.place(Math.min(Math.max(query.limit, 1), 1_000), 'integer')
  const page = (condition: readonly string[]): string =>
    `select ${actorColumns} from ${table} a where ${condition.join(' and ')} order by ${order} limit ${limit}`

  const statuses = query.statuses && [...new Set(query.statuses)]
  let text: string
  if (statuses === undefined) text = page(all)
  else if (statuses.length === 0) return []
  else if (narrow(query)) text = page([...all, `a.status = any(${values.place(textArray(statuses), 'text[]')})`])
  else {
    // The index (status, id) is in order for one status: a page of each, merged. Each status is a value of its own, so that a
    // rare one is looked up and a frequent one read along: with one parameter for all, 17 ms instead of 1 for a rare one.
    const pages = statuses.map((status) => `(${page([...all, `a.status = ${values.place(status, 'text')}`])})`)
    text = `select * from (${pages.join(' union all ')}) a order by ${order} limit ${limit}`
  }
  const rows = await sql.unsafe<ActorRecord[]>(text, values.list, { prepare: false })
  return rows.map(actorRow)
}

/** A condition that leaves few enough rows to sort them. */
function narrow({ where }: RowQuery): boolean {
  return Object.values(where ?? {}).some((value) => value !== undefined)
}

/** Counts through the narrowest index; without a condition it reads the kind's whole index. */
export async function countActors(sql: Sql, query: Omit<RowQuery, 'limit' | 'after' | 'order'>): Promise<number> {
  const values = new Values()
  const all = conditions(query, values)
  if (query.statuses !== undefined) {
    all.push(`a.status = any(${values.place(textArray(query.statuses), 'text[]')})`)
  }
  const text = `select count(*) as count from ${actorTable(query.kind)} a where ${all.join(' and ')}`
  const [row] = await sql.unsafe<{ count: number }[]>(text, values.list, { prepare: false })
  return row?.count ?? 0
}

/**
 * One look into an index for each parent, backwards from the newest. By worktree the index is (worktree_id, sort_at, id), so
 * there the newest is the one that was queued last.
 */
export async function listByScope(
  sql: Sql,
  kind: ActorKind,
  by: 'agentId' | 'worktreeId' | 'scopeId',
  parents: readonly string[],
  limit: number,
): Promise<ReadonlyMap<string, readonly ActorRow[]>> {
  const column = filterColumns[by]
  const order = by === 'worktreeId' ? 'a.sort_at desc nulls first, a.id desc' : 'a.id desc'
  const rows = await sql.unsafe<(ActorRecord & { readonly parent: string })[]>(
    `select p.parent, a.* from unnest($1::text[]) p(parent)
    cross join lateral (
      select ${actorColumns} from ${actorTable(kind)} a
      where a.kind = $2 and a.${column} = p.parent
      order by ${order} limit $3
    ) a`,
    [textArray([...new Set(parents)]), kind, limit],
    { prepare: true },
  )
  const found = new Map<string, ActorRow[]>(parents.map((parent) => [parent, []]))
  for (const row of rows) found.get(row.parent)?.push(actorRow(row))
  return found
}

/** Reads the kind's whole partition: an overview for operators, not for every request. */
export async function stateCounts(sql: Sql, kind: ActorKind): Promise<readonly StateCount[]> {
  const rows = await sql.unsafe<{ status: string; count: number; oldest: number }[]>(
    `select a.status, count(*) as count, min(a.changed_at) as oldest from ${actorTable(kind)} a
    where a.kind = $1 group by 1 order by 1`,
    [kind],
    { prepare: true },
  )
  return rows.map(({ status, count, oldest }) => ({ status, count, oldest }))
}
