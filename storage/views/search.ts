import type { ActorKind } from '../../spec/core/ids.ts'
import { searchMatches } from '../../spec/search/searchMatches.ts'
import type { SearchHit, SearchQuery } from '../ports/views.ts'
import { excerptOf } from '../search/excerpt.ts'
import { leastSimilar, type Question, questionOf, tsqueryOf } from '../search/question.ts'
import { type Sql, textArray } from '../sql/sql.ts'

/** The number of documents with the words that are ranked, whatever their age. */
const rankedAnywhere = 1_000
/** If more documents match, those among this number of the newest documents are ranked, too. */
const newest = 2_000
/** The number of similar titles that are compared. */
const compared = 500

/**
 * An index is always better than a sequential scan, also one in another order. Comparing a title's trigrams takes 3 µs, but by
 * default the planner gives it the cost of comparing numbers. A search that takes longer than 3 s is canceled.
 */
export const searchSettings = {
  statement_timeout: '3s',
  default_transaction_read_only: 'on',
  enable_seqscan: 'off',
  cpu_operator_cost: '0.1',
  'pg_trgm.word_similarity_threshold': String(leastSimilar),
}

/**
 * Each part is bounded, whatever the query is. `with_words` and `like_it` use a GIN index, which finds all matches; of the table
 * they read only the rows that are taken from them. The limits are outside of them, since a planner that sees a limit reads the
 * table in another index's order: 600 ms, instead of 15 with the index of trigrams. GIN has no order, so for a frequent word a
 * separate part reads the newest documents. A part is not executed if the parts before it have found enough.
 */
const searchSql = `
  with exact as materialized (
    select actor, kind, title, body, made, 3 as class, case when actor = ($1::text[])[1] then 1 else 0 end::real as rank
    from search_document
    where actor = any($1::text[]) and kind = any($4::text[]) and title is not null
    union all
    select t.actor, t.kind, t.title, t.body, t.made, 2, 0
    from unnest($4::text[]) k(kind) cross join lateral (
      select * from search_document d where d.kind = k.kind and d.title_key = $2 order by d.made desc limit $5
    ) t
  ), with_words as materialized (
    select * from search_document where words @@ $3::tsquery
  ), found as materialized (
    select * from with_words limit ${rankedAnywhere}
  ), worded as materialized (
    select actor, kind, title, body, made, 1 as class,
      ts_rank(words, $3::tsquery, 1) + case when starts_with(title_key, $2) then 1 else 0 end as rank
    from (
      select * from found
      union all
      select * from (
        select * from search_document
        where title_key is not null and (select count(*) from found) = ${rankedAnywhere}
        order by made desc limit ${newest}
      ) d where words @@ $3::tsquery
    ) w
  ), like_it as materialized (
    select * from search_document
    where $6::text is not null and (select count(*) from exact) + (select count(*) from worded) < $5
      and (title_key like $6 or title_key %> $7) and kind = any($4::text[])
  ), alike as materialized (
    select actor, kind, title, body, made, 0 as class,
      case when title_key like $6 then 1 else word_similarity($7, title_key) end as rank
    from (select * from like_it limit ${compared}) l
    where title_key like $6 or word_similarity($7, title_key) >= $8::real
  )
  select actor, kind, title, body, class from (
    select distinct on (actor) * from (
      select * from exact union all select * from worded union all select * from alike
    ) every order by actor, class desc
  ) hits order by class desc, rank desc, made desc limit $5`

interface HitRecord {
  readonly actor: string
  readonly kind: ActorKind
  readonly title: string
  readonly body: string
  readonly class: number
}

/** Planned for each query: the frequency of the words decides which index is the best. */
export async function search(sql: Sql, query: SearchQuery): Promise<readonly SearchHit[]> {
  const question = questionOf(query)
  const { ids, key, kinds, limit, similar, terms } = question
  const rows = await sql.unsafe<HitRecord[]>(
    searchSql,
    [
      textArray(ids),
      key,
      tsqueryOf(question),
      textArray(kinds),
      limit,
      infixOf(question),
      similar?.text ?? null,
      similar?.least ?? null,
    ],
    { prepare: false },
  )
  return rows.map(({ actor, kind, title, body, class: found }) => ({
    kind,
    id: actor,
    title,
    excerpt: excerptOf(body, terms),
    match: searchMatches[searchMatches.length - 1 - found] ?? 'SIMILAR',
  }))
}

function infixOf({ similar, key }: Question): string | null {
  return similar !== undefined ? `%${key.replace(/[\\%_]/g, '\\$&')}%` : null
}
