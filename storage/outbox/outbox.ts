import { type NextAttempt, type Outbox, silentMs, type UnreadableEffect } from '../../actors/ports/outbox.ts'
import type { Json, PendingEffect } from '../../spec/core/actor.ts'
import { idPrefixes, kindOfId } from '../../spec/core/ids.ts'
import { bornClaimedMs } from '../journal/batch.ts'
import { numberArray, type Sql, textArray } from '../sql/sql.ts'
import { effectId, effectKey } from './effectId.ts'

const knownPrefixes = textArray(Object.values(idPrefixes))

export interface OutboxRecord {
  readonly actor: string
  readonly seq: number
  readonly n: number
  readonly type: string
  readonly params: string
  readonly attempts: number
  readonly failures: number
  readonly due: number
  readonly problem: string | null
  readonly failed_at: number | null
}

/** Effects that wait. The journal's commit inserts the rows, already claimed by its process. This class does everything after that. */
export class PostgresOutbox implements Outbox {
  readonly #sql: Sql

  constructor(sql: Sql) {
    this.#sql = sql
  }

  /**
   * Records the heartbeat in the table `process`, frees the claims of silent processes, and deletes their rows. A process without a row, or
   * with an old one, has no valid claims.
   */
  async beat(owner: string, now: number): Promise<void> {
    const dead = await this.#sql<{ owner: string }[]>`
      with me as (
        insert into process (owner, seen_at) values (${owner}, ${now})
        on conflict (owner) do update set seen_at = excluded.seen_at
      )
      select owner from process where seen_at < ${now - silentMs} and owner <> ${owner}`
    await this.#free(now)
    if (dead.length > 0) await this.#removeSilent(now)
  }

  /** Frees all claims: their processes have ended. Call it before anything is committed, in the only process of the database. */
  async inherit(): Promise<void> {
    await this.#sql`delete from process`
    await this.#sql`
      update outbox set claimed_by = null, claimed_until = due where failed_at is null and claimed_by is not null`
  }

  /** Skips a process that sends its heartbeat at this moment, so that two calls cannot wait for each other in a circle. */
  async #removeSilent(now: number): Promise<void> {
    await this.#sql`
      delete from process
      where owner in (select owner from process where seen_at < ${now - silentMs} for update skip locked)`
  }

  /**
   * Frees the claims of processes without a recent heartbeat: they have ended, or have committed after they were declared dead. A plain scan of
   * the index of claims finds them. With a million deleted rows before a vacuum it takes 10 ms, and a bitmap scan 350 ms.
   */
  async #free(now: number): Promise<void> {
    await this.#sql`
      with old as materialized (
        select o.actor, o.seq, o.n, o.claimed_by
        from outbox o
        where o.failed_at is null and o.claimed_until > ${now} and o.claimed_until <= ${now + bornClaimedMs - silentMs}
          and o.claimed_by is not null
          and not exists (select from process p where p.owner = o.claimed_by and p.seen_at >= ${now - silentMs})
        order by o.claimed_until
        limit 1000
      ), theirs as materialized (
        select o.actor, o.seq, o.n
        from outbox o join old on o.actor = old.actor and o.seq = old.seq and o.n = old.n
        where o.claimed_by = old.claimed_by
        order by o.actor, o.seq, o.n
        for update of o
      )
      update outbox o set claimed_by = null, claimed_until = ${now}
      from theirs where o.actor = theirs.actor and o.seq = theirs.seq and o.n = theirs.n`
  }

  /**
   * `claimed_until` is the time from which a row may be claimed: the end of a claim, or the time at which a retry is due. So one partial index
   * finds these rows. `skip locked` leaves out the rows that another process claims at this moment.
   */
  async claim(
    owner: string,
    now: number,
    forMs: number,
    limit: number,
  ): Promise<readonly (PendingEffect | UnreadableEffect)[]> {
    const rows = await this.#sql<OutboxRecord[]>`
      with free as materialized (
        select actor, seq, n from outbox
        where failed_at is null and claimed_until <= ${now}
        order by claimed_until
        limit ${limit}
        for update skip locked
      )
      update outbox o set claimed_by = ${owner}, claimed_until = ${now + forMs},
        attempts = o.attempts + case when o.claimed_by = ${owner} then 0 else 1 end
      from free where o.actor = free.actor and o.seq = free.seq and o.n = free.n
      returning o.actor, o.seq, o.n, o.type, o.params, o.attempts, o.failures, o.due, o.problem, o.failed_at`
    return rows.sort((a, b) => a.due - b.due).map(readEffect)
  }

  async retry(id: string, owner: string, next: NextAttempt): Promise<void> {
    const { attempts, failures, due, problem } = next
    const key = effectKey(id)
    if (key === undefined) return
    await this.#sql`
      update outbox
      set attempts = ${attempts}, failures = ${failures}, due = ${due}, problem = ${problem}, claimed_by = null, claimed_until = ${due}
      where actor = ${key.actor} and seq = ${key.seq} and n = ${key.n} and failed_at is null and claimed_by = ${owner}`
  }

  async fail(id: string, owner: string, problem: string): Promise<boolean> {
    const key = effectKey(id)
    if (key === undefined) return false
    const rows = await this.#sql`
      update outbox
      set problem = ${problem}, claimed_by = null, failed_at = extract(epoch from clock_timestamp()) * 1000
      where actor = ${key.actor} and seq = ${key.seq} and n = ${key.n} and failed_at is null and claimed_by = ${owner}
      returning true as failed`
    return rows.length > 0
  }

  async unreported(limit: number): Promise<readonly Omit<PendingEffect, 'params'>[]> {
    const rows = await this.#sql<Omit<OutboxRecord, 'params'>[]>`
      select actor, seq, n, type, attempts, failures, due, problem, failed_at from outbox
      where failed_at is not null and not told and split_part(actor, '_', 1) = any(${knownPrefixes}::text[])
      order by failed_at limit ${limit}`
    return rows.flatMap((row) => pendingRow(row) ?? [])
  }

  async markReported(id: string): Promise<void> {
    const key = effectKey(id)
    if (key === undefined) return
    await this.#sql`
      update outbox set told = true
      where actor = ${key.actor} and seq = ${key.seq} and n = ${key.n} and failed_at is not null`
  }

  /** Locks the rows in the same order as the journal's deletions, so that they cannot wait for each other in a circle. */
  async done(ids: readonly string[]): Promise<void> {
    const keys = ids.flatMap((id) => effectKey(id) ?? [])
    if (keys.length === 0) return
    await this.#sql.unsafe(
      `with gone as materialized (
        select o.actor, o.seq, o.n
        from outbox o join unnest($1::text[], $2::integer[], $3::integer[]) d(actor, seq, n)
          on o.actor = d.actor and o.seq = d.seq and o.n = d.n
        where coalesce(o.failed_at, 0) = 0
        order by o.actor, o.seq, o.n
        for update of o
      )
      delete from outbox o using gone where o.actor = gone.actor and o.seq = gone.seq and o.n = gone.n`,
      [
        textArray(keys.map((key) => key.actor)),
        numberArray(keys.map((key) => key.seq)),
        numberArray(keys.map((key) => key.n)),
      ],
      { prepare: true },
    )
  }
}

/** A row that can't be read is returned as unreadable. The rows that are read with it are not affected. */
function readEffect(record: OutboxRecord): PendingEffect | UnreadableEffect {
  const row = pendingRow(record)
  const { type, attempts, failures } = record
  const unreadable = (why: string) => ({ id: effectId(record), type, attempts, failures, unreadable: why })
  if (row === undefined) {
    return unreadable(
      `The effect is of ${record.actor}, an actor of a kind that this version of Signalbox does not know.`,
    )
  }
  try {
    return { ...row, params: JSON.parse(record.params) as Json }
  } catch (error) {
    return unreadable(`The effect's parameters are not JSON: ${String(error)}`)
  }
}

/** For display: parameters that are not JSON are returned as text. */
export function shownEffect(record: OutboxRecord): readonly PendingEffect[] {
  const effect = readEffect(record)
  if (!('unreadable' in effect)) return [effect]
  const row = pendingRow(record)
  return row === undefined ? [] : [{ ...row, params: record.params }]
}

/** Undefined for an actor of a kind that this program does not know. */
function pendingRow(record: Omit<OutboxRecord, 'params'>): Omit<PendingEffect, 'params'> | undefined {
  const kind = kindOfId(record.actor)
  if (kind === undefined) return undefined
  return {
    id: effectId(record),
    actor: { kind, id: record.actor },
    type: record.type,
    attempts: record.attempts,
    failures: record.failures,
    due: record.due,
    ...(record.failed_at === null ? {} : { failure: record.problem ?? '' }),
  }
}
