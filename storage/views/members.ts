/** Reads pages of actors' collections, many in one query. */
import { numberArray, type Sql, textArray } from '../sql/sql.ts'

export interface MemberPage {
  readonly actor: string
  readonly prefix: string
  readonly limit: number
}

/** A member's value as JSON text. A value that cannot be parsed must fail only for the callers that requested it. */
export interface MemberText {
  readonly key: string
  readonly value: string
}

/**
 * Reads a range of the primary key for each page: U+10FFFF sorts after everything that can follow the prefix.
 * @returns the members of each page in key order, in the order of the pages
 */
export async function memberPages(sql: Sql, pages: readonly MemberPage[]): Promise<readonly MemberText[][]> {
  const rows = await sql.unsafe<(MemberText & { readonly page: number })[]>(
    `select p.page::integer, m.key, m.value
    from unnest($1::text[], $2::text[], $3::text[], $4::integer[]) with ordinality p(actor, first, beyond, most, page)
    cross join lateral (
      select key, value from member
      where actor = p.actor and key >= p.first and key < p.beyond
      order by key limit p.most
    ) m
    order by p.page, m.key`,
    [
      textArray(pages.map(({ actor }) => actor)),
      textArray(pages.map(({ prefix }) => prefix)),
      textArray(pages.map(({ prefix }) => `${prefix}\u{10ffff}`)),
      numberArray(pages.map(({ limit }) => limit)),
    ],
    { prepare: true },
  )
  const found = pages.map((): MemberText[] => [])
  for (const { page, key, value } of rows) found[page - 1]?.push({ key, value })
  return found
}

/** @returns the keys of a page in the reverse order, from the last one before `before` on */
export async function lastMemberKeys(
  sql: Sql,
  { actor, prefix, limit }: MemberPage,
  before = `${prefix}\u{10ffff}`,
): Promise<readonly string[]> {
  const rows = await sql.unsafe<{ readonly key: string }[]>(
    'select key from member where actor = $1 and key >= $2 and key < $3 order by key desc limit $4',
    [actor, prefix, before, limit],
    { prepare: true },
  )
  return rows.map(({ key }) => key)
}

/** @returns those of the keys that the actor's collection has */
export async function existingMembers(sql: Sql, actor: string, keys: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await sql.unsafe<{ readonly key: string }[]>(
    'select key from member where actor = $1 and key = any($2::text[])',
    [actor, textArray(keys)],
    { prepare: true },
  )
  return new Set(rows.map(({ key }) => key))
}
