/**
 * Queries the database every second for four facts: its time, whether this process's release is still registered, whether the
 * server continues from an earlier state, and whether a long transaction holds back the history of kinds.
 */

import type { Sql } from '../sql/sql.ts'
import type { DatabaseHealth } from '../storage.ts'
import { followTimeline } from './transactionShift.ts'

const lookMs = 1_000
/** The accepted difference between the clocks of a process and of the database. */
const allowedSkewMs = 2_000
/** If history has been held back for this long, it is reported. */
const defaultStalledMs = 10_000
const reportAgainMs = 60_000

interface WatchOptions {
  readonly sql: Sql
  readonly release: string
  readonly log: (line: string) => void
  /** For how many milliseconds history may be held back before it is reported. */
  readonly stalledMs?: number
  /** The release of this process was replaced. */
  superseded(): void
}

interface Looked {
  readonly at: number
  readonly release: string | null
  readonly xmin: number
  readonly held_back: boolean
}

export class DatabaseWatch {
  readonly #options: WatchOptions
  /** Added to the monotonic clock, this is the database's time. */
  #offset: number | undefined
  #heldBack: { readonly xmin: number; readonly since: number } | undefined
  #stalledBy: string | null = null
  #hasTimelines = true
  readonly #reported = new Map<string, number>()
  #timer: NodeJS.Timeout | undefined
  #looking: Promise<void> | undefined

  constructor(options: WatchOptions) {
    this.#options = options
  }

  /**
   * Resolves when the time is known. Rejects if a query fails. The first query also connects, so by it alone the time could be wrong by half of
   * what that takes. The second one corrects it.
   */
  async begin(): Promise<void> {
    await this.#look()
    await this.#look()
    this.#timer = setInterval(() => {
      this.#looking ??= this.#look()
        .catch((error: unknown) => this.#report('look', `The database could not be looked at: ${String(error)}`))
        .finally(() => {
          this.#looking = undefined
        })
    }, lookMs)
    this.#timer.unref()
  }

  async end(): Promise<void> {
    clearInterval(this.#timer)
    await this.#looking
  }

  /** The database's time, milliseconds since 1970. It does not depend on the wall clock of this machine. */
  now(): number {
    if (this.#offset === undefined) throw new Error('The time of the database is asked for before it was looked at.')
    return Math.round(performance.now() + this.#offset)
  }

  get health(): DatabaseHealth {
    const since = this.#stalledSince
    return {
      clockSkewMs: Math.round(Date.now() - this.now()),
      historyStalledMs: since === undefined ? 0 : Math.round(performance.now() - since),
      historyStalledBy: since === undefined ? null : this.#stalledBy,
    }
  }

  get #stalledSince(): number | undefined {
    const since = this.#heldBack?.since
    return since !== undefined && performance.now() - since >= (this.#options.stalledMs ?? defaultStalledMs)
      ? since
      : undefined
  }

  async #look(): Promise<void> {
    const { sql, release } = this.#options
    const asked = performance.now()
    // The largest `tx` is one entry of an index. For `exists` with a condition on `tx`, PostgreSQL 18 reads the whole journal.
    const [row] = await sql<Looked[]>`
      select extract(epoch from clock_timestamp())::double precision * 1000 as at, p.release,
        pg_snapshot_xmin(pg_current_snapshot())::text::bigint as xmin,
        coalesce(
          (select max(tx) from journal) >= pg_snapshot_xmin(pg_current_snapshot())::text::bigint + p.shift, false
        ) as held_back
      from journal_position p`
    if (row === undefined) throw new Error('journal_position has lost its row.')
    this.#setTime(row.at, asked, performance.now())
    if (row.release !== release) this.#options.superseded()
    await this.#followTimeline()
    await this.#watchHistory(row)
  }

  /**
   * The database read its clock at some time between the query and the answer. The previous offset is kept if it is possible for
   * that interval. So the time does not jitter, and a slow answer changes nothing.
   */
  #setTime(at: number, asked: number, answered: number): void {
    const [least, most] = [at - answered, at - asked]
    this.#offset = Math.min(Math.max(this.#offset ?? (least + most) / 2, least), most)
    const skew = this.health.clockSkewMs
    if (Math.abs(skew) <= allowedSkewMs) return
    this.#report(
      'skew',
      `The clock of this machine is ${Math.abs(skew)} ms ${skew > 0 ? 'ahead of' : 'behind'} the database's; ${allowedSkewMs} ms are allowed. Deadlines and times follow the database's clock: have both set theirs by NTP.`,
    )
  }

  /** Some services that support PostgreSQL's protocol have no timelines. */
  async #followTimeline(): Promise<void> {
    if (!this.#hasTimelines) return
    const { sql, log } = this.#options
    let timeline: number
    try {
      const [row] = await sql<{ timeline: string }[]>`
        select substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8) as timeline`
      timeline = Number.parseInt(row?.timeline ?? '', 16)
    } catch (error) {
      const { code } = error as { readonly code?: unknown }
      // The function does not exist or is not allowed. That does not change later.
      if (code !== '42883' && code !== '42501' && code !== '0A000') throw error
      this.#hasTimelines = false
      return
    }
    if (Number.isNaN(timeline)) return
    if (await followTimeline(sql, timeline)) {
      log(
        `The database server is on timeline ${timeline}: it has failed over or was recovered. Cursors from before are answered HISTORY_GONE.`,
      )
    }
  }

  async #watchHistory({ xmin, held_back: heldBack }: Looked): Promise<void> {
    if (!heldBack) this.#heldBack = undefined
    else if (this.#heldBack?.xmin !== xmin) this.#heldBack = { xmin, since: performance.now() }
    const since = this.#stalledSince
    if (since === undefined) return
    this.#stalledBy = await this.#findHolder(xmin)
    this.#report(
      'history',
      `Subscriptions to the transitions of a kind have received nothing for ${Math.round((performance.now() - since) / 1_000)} s because of ${this.#stalledBy}: commit it, roll it back, or end it with pg_terminate_backend.`,
    )
  }

  async #findHolder(xmin: number): Promise<string> {
    const [row] = await this.#options.sql<{ holder: string }[]>`
      select holder from (
        select 'the prepared transaction ' || quote_literal(gid) || ' of ' || prepared::timestamptz(0) as holder
        from pg_prepared_xacts where transaction::text::bigint = ${xmin} % 4294967296
        union all
        select 'the transaction of process ' || pid || ' (' || coalesce(nullif(application_name, ''), 'no name') || ', '
          || coalesce(state, 'state unknown') || ') of ' || coalesce(xact_start::timestamptz(0)::text, 'unknown time')
        from pg_stat_activity where backend_xid::text::bigint = ${xmin} % 4294967296
      ) holders limit 1`
    return row?.holder ?? `transaction ${xmin}, whose owner this role can't see`
  }

  /** A repeated report is logged at most once a minute. */
  #report(what: string, line: string): void {
    const last = this.#reported.get(what) ?? Number.NEGATIVE_INFINITY
    if (performance.now() - last < reportAgainMs) return
    this.#reported.set(what, performance.now())
    this.#options.log(line)
  }
}
