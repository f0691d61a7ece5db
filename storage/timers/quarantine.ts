import type { QuarantinedActor, QuarantineStore } from '../../actors/ports/quarantineStore.ts'
import type { ActorKind } from '../../spec/core/ids.ts'
import { numberArray, type Sql, textArray } from '../sql/sql.ts'

interface QuarantineRecord {
  readonly actor: string
  readonly kind: ActorKind
  readonly seq: number
  readonly problem: string
  readonly since: number
  readonly retry_at: number
  readonly attempts: number
}

/** One statement writes the entry and moves `next_due`, so that the page of due timers begins with those that can be processed. */
export class PostgresQuarantine implements QuarantineStore {
  readonly #sql: Sql

  constructor(sql: Sql) {
    this.#sql = sql
  }

  /** In the order of IDs, as commits lock actors. A row that a commit is writing is passed over: it leaves `seq`. */
  async put(entries: readonly QuarantinedActor[]): Promise<void> {
    const ids = textArray(entries.map(({ ref }) => ref.id))
    const kinds = textArray(entries.map(({ ref }) => ref.kind))
    const seqs = numberArray(entries.map(({ seq }) => seq))
    const problems = JSON.stringify(entries.map(({ problem }) => problem.replaceAll('\0', '')))
    const since = numberArray(entries.map((entry) => entry.since))
    const retryAt = numberArray(entries.map((entry) => entry.retryAt))
    const attempts = numberArray(entries.map((entry) => entry.attempts))
    await this.#sql`
      with given as materialized (
        select g.*, p.problem
        from unnest(${ids}::text[], ${kinds}::text[], ${seqs}::integer[], ${since}::bigint[], ${retryAt}::bigint[],
            ${attempts}::integer[]) with ordinality g(id, kind, seq, since, retry_at, attempts, ord)
          join json_array_elements_text(${problems}::text::json) with ordinality p(problem, ord) on p.ord = g.ord
      ), put as (
        insert into quarantine as q (actor, kind, seq, problem, since, retry_at, attempts)
        select id, kind, seq, problem, since, retry_at, attempts from given order by id
        on conflict (actor) do update set seq = excluded.seq, problem = excluded.problem, retry_at = excluded.retry_at,
          attempts = excluded.attempts, since = case when q.seq = excluded.seq then q.since else excluded.since end
      ), standing as materialized (
        select a.id, a.kind, g.retry_at
        from given g join actor a on a.id = g.id and a.kind = g.kind and a.seq = g.seq
        where a.next_due < g.retry_at
        order by a.id
        for update of a skip locked
      )
      update actor a set next_due = standing.retry_at
      from standing where a.id = standing.id and a.kind = standing.kind`
  }

  async release(ids: readonly string[]): Promise<void> {
    await this.#sql`delete from quarantine where actor = any(${textArray(ids)}::text[])`
  }

  async list(limit: number): Promise<readonly QuarantinedActor[]> {
    if (await isEmpty(this.#sql)) return []
    const rows = await this.#sql<QuarantineRecord[]>`
      select q.* from quarantine q join actor a on a.id = q.actor and a.kind = q.kind and a.seq = q.seq
      order by q.since limit ${limit}`
    return rows.map(quarantinedActor)
  }
}

/**
 * Whether there is no entry, which is so nearly always. The caller then has no statement over the partitions of all kinds. PostgreSQL takes up
 * to 100 ms to plan one in a new session.
 */
async function isEmpty(sql: Sql): Promise<boolean> {
  const rows = await sql`select from quarantine limit 1`
  return rows.length === 0
}

/** Entries whose actors have moved on. */
export async function removeEndedQuarantine(sql: Sql): Promise<void> {
  if (await isEmpty(sql)) return
  await sql`
    delete from quarantine q
    where not exists (select from actor a where a.id = q.actor and a.kind = q.kind and a.seq = q.seq)`
}

/** Of these actors, those that are in quarantine. */
export async function readQuarantined(
  sql: Sql,
  ids: readonly string[],
): Promise<ReadonlyMap<string, QuarantinedActor>> {
  const rows = await sql<QuarantineRecord[]>`
    select q.* from quarantine q join actor a on a.id = q.actor and a.kind = q.kind and a.seq = q.seq
    where q.actor = any(${textArray(ids)}::text[])`
  return new Map(rows.map((row) => [row.actor, quarantinedActor(row)]))
}

function quarantinedActor(record: QuarantineRecord): QuarantinedActor {
  const { actor, kind, seq, problem, since, retry_at: retryAt, attempts } = record
  return { ref: { kind, id: actor }, seq, problem, since, retryAt, attempts }
}
