import type { TimerCheck, TimerIndex } from '../../actors/ports/timerIndex.ts'
import type { ActorKind } from '../../spec/core/ids.ts'
import { numberArray, type Sql, textArray } from '../sql/sql.ts'

/** Timers are in snapshots; `next_due` is the earliest of each actor's, or before it. */
export class PostgresTimerIndex implements TimerIndex {
  readonly #sql: Sql

  constructor(sql: Sql) {
    this.#sql = sql
  }

  /** A merge of the partitions' partial indexes: it reads `limit` entries and one of each partition more. */
  due(now: number, limit: number, kinds: readonly ActorKind[]) {
    return this.#sql<{ id: string; kind: ActorKind; next_due: number }[]>`
      select id, kind, next_due from actor
      where next_due is not null and next_due <= ${now} and kind = any(${textArray(kinds)}::text[])
      order by next_due
      limit ${limit}`.then((rows) => rows.map(({ id, kind, next_due }) => ({ ref: { kind, id }, due: next_due })))
  }

  /** A row that a commit is writing is passed over: that writes its own time, or the next look finds it again. */
  async rearm(checks: readonly TimerCheck[], now: number) {
    const ids = textArray(checks.map(({ ref }) => ref.id))
    const kinds = textArray(checks.map(({ ref }) => ref.kind))
    const seqs = numberArray(checks.map(({ seq }) => seq))
    const times = numberArray(checks.map(({ nextDue }) => nextDue))
    await this.#sql`
      with looked as (
        select a.id, a.kind, l.next_due
        from unnest(${ids}::text[], ${kinds}::text[], ${seqs}::integer[], ${times}::bigint[]) l(id, kind, seq, next_due)
          join actor a on a.id = l.id and a.kind = l.kind and a.seq = l.seq
        where a.next_due <= ${now}
        for update of a skip locked
      )
      update actor a set next_due = looked.next_due
      from looked
      where a.id = looked.id and a.kind = looked.kind`
  }
}
