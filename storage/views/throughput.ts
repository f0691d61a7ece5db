/** Counts how often each transition of the machines was taken, over the latest journal entries of all kinds. */
import type { Json } from '../../spec/core/actor.ts'
import type { Throughput, ThroughputQuery } from '../ports/views.ts'
import type { Sql } from '../sql/sql.ts'

/**
 * JSON in which PostgreSQL accepts all strings. Those of an agent may contain U+0000 and lone surrogates. JSON.stringify escapes both, and
 * the type `jsonb` rejects them. They are replaced, because no state of a machine contains them.
 */
const storableJson = (column: string): string =>
  `case when strpos(${column}, '\\u') = 0 then ${column}
    else regexp_replace(${column}, '\\\\u(0000|[dD][89a-fA-F][0-9a-fA-F]{2})', '\\\\ufffd', 'g') end`

/** Reads from the end of an index and never more than `limit` rows, however many transitions an hour has. */
export async function throughput(sql: Sql, query: ThroughputQuery): Promise<Throughput> {
  const rows = await sql.unsafe<Row[]>(
    `with latest as materialized (select at, kind, event, detail from journal order by tx desc limit $1),
    counted as (select count(*) as transitions, min(at) as first from latest),
    taken as (
      select event, detail->'from' as "from", detail->'to' as "to", count(*) as count
      from (select event, (${storableJson('detail')})::jsonb as detail from latest where kind = $2 and at >= $3) d
      group by 1, 2, 3
    )
    select c.transitions, c.first, t.event, t."from"::text, t."to"::text, t.count
    from counted c left join taken t on true
    order by t.count desc, t.event, t."from"::text collate "C", t."to"::text collate "C"`,
    [query.limit, query.kind, query.since],
    { prepare: true },
  )
  const [head] = rows
  const whole = (head?.transitions ?? 0) < query.limit || (head?.first ?? 0) <= query.since
  return {
    since: whole ? query.since : (head?.first ?? query.since),
    ways: rows.flatMap(({ event, from, to, count }) =>
      event === null ? [] : [{ event, from: parsed(from), to: parsed(to), count }],
    ),
  }
}

interface Row {
  readonly transitions: number
  readonly first: number | null
  readonly event: string | null
  readonly from: string | null
  readonly to: string | null
  readonly count: number
}

function parsed(text: string | null): Json {
  return text === null ? null : (JSON.parse(text) as Json)
}
