/** The rows of many parents at once: of agents, worktrees and scopes. */
import type { ActorRow } from '../../spec/core/actor.ts'
import type { ActorKind } from '../../spec/core/ids.ts'
import { actorTable } from '../database/partitions.ts'
import type { ScopeRange } from '../ports/views.ts'
import { type ActorRecord, actorColumns, actorRow } from '../sql/rows.ts'
import { type Sql, textArray } from '../sql/sql.ts'
import { Values } from '../sql/values.ts'
import { filterColumns } from './conditions.ts'

export type ScopeColumn = 'agentId' | 'worktreeId' | 'scopeId'

interface ParentChoice {
  readonly kind: ActorKind
  readonly by: ScopeColumn
  readonly terminal?: boolean
}

const whereTerminal = (terminal: boolean | undefined): string =>
  terminal === undefined ? '' : terminal ? 'and a.terminal' : 'and not a.terminal'

/** Reads all index entries of each parent. */
export async function countByScope(
  sql: Sql,
  { kind, by, terminal }: ParentChoice,
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
  { kind, by }: Omit<ParentChoice, 'terminal'>,
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
  { kind, by, terminal, after }: ParentChoice & { readonly after?: string },
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
