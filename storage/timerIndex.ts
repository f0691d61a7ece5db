import type { TimerIndex } from '../actors/ports.ts'
import type { ActorKind } from '../spec/ids.ts'
import type { Sql } from './sql.ts'

/** Timers are in snapshots; `next_due` is the earliest of each actor's. */
export class PostgresTimerIndex implements TimerIndex {
  readonly #sql: Sql

  constructor(sql: Sql) {
    this.#sql = sql
  }

  /** A merge of the partitions' partial indexes: it reads `limit` entries and one of each partition more. */
  due(now: number, limit: number) {
    return this.#sql<{ id: string; kind: ActorKind; next_due: number }[]>`
      select id, kind, next_due from actor
      where next_due is not null and next_due <= ${now}
      order by next_due
      limit ${limit}`.then((rows) => rows.map(({ id, kind, next_due }) => ({ ref: { kind, id }, due: next_due })))
  }
}
