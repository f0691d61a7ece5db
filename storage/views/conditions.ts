/** The conditions of a list in SQL. */
import { firstIdAt, idPrefixes, kindOfId, siblingId } from '../../spec/core/ids.ts'
import { actorTable } from '../database/partitions.ts'
import type { RowQuery } from '../ports/views.ts'
import { listTermsOf, listTsqueryOf } from '../search/question.ts'
import type { Values } from '../sql/values.ts'

export const filterColumns = {
  agentId: 'agent_id',
  worktreeId: 'worktree_id',
  scopeId: 'scope_id',
  uniqueKey: 'unique_key',
} as const

/** The conditions of the rows `a`. */
export function conditionsOf(query: Omit<RowQuery, 'limit' | 'order' | 'after'>, values: Values): string[] {
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

/** The tables of the rows. Members of another actor are read first, so that a page of them reads only its own rows. */
export function rowsFrom({ kind, memberOf }: Pick<RowQuery, 'kind' | 'memberOf'>): string {
  return memberOf === undefined ? `${actorTable(kind)} a` : `member m, ${actorTable(kind)} a`
}
