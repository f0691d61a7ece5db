/**
 * The journal in PostgreSQL. Commits use one pipelined connection, in the order of the calls. Loads use a pool. An uncertain
 * commit is settled on a connection that is opened for it.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import {
  CommitFailed,
  type CommitResult,
  CommitUncertain,
  type Journal,
  type LoadRequest,
  type LostReason,
  type StoredActor,
  type Write,
} from '../../actors/ports/journal.ts'
import { type BackOffPolicy, backOffMs } from '../../spec/core/backOff.ts'
import { type Connection, openConnection } from '../connections/connection.ts'
import { isServerError } from '../connections/errors.ts'
import { type ResolvedTarget, resolveTarget } from '../connections/target.ts'
import { numberArray, type Sql, type Target, textArray } from '../sql/sql.ts'
import { bornClaimedMs, type FramedBatch, frameBatch } from './batch.ts'
import { commitSql } from './commitSql.ts'
import { commitError, isOfAnotherRelease } from './failures.ts'
import { type Known, loadChanged, loadWhole } from './load.ts'
import type { Shape } from './shape.ts'
import type { Template } from './template.ts'

/**
 * Settings that make the planner expect look-ups of few rows by key, whatever the sizes of the tables are when it makes a plan.
 * Without them, the commit statement is 16 % slower.
 */
const commitSettings = {
  plan_cache_mode: 'force_generic_plan',
  enable_seqscan: 'off',
  enable_mergejoin: 'off',
  work_mem: '32MB',
  statement_timeout: '4s',
}

/** Longer than the statement timeout of the session: after that time the server does not answer any more. */
const commitAnswerWithinMs = 5_000

const settlePolicy: BackOffPolicy = { firstMs: 50, factor: 2, mostMs: 2_000, jitter: 0 }

/** A batch has up to a few hundred kB. */
const writableHighWaterMark = 64 * 1024 * 1024

export interface JournalOptions {
  readonly target: Target
  /** New at each start of the process. It is the second half of the fence. */
  readonly owner: string
  /** A commit fails while another release is registered. */
  readonly release: string
  /** The claims of new effects use this clock. No process sets it. */
  readonly databaseTime: { now(): number }
  /** Called when a commit failed because another release is registered. */
  superseded(): void
  /** For loads. */
  readonly reads: Sql
  readonly log: (line: string) => void
}

export class PostgresJournal implements Journal {
  readonly #options: JournalOptions
  readonly #target: ResolvedTarget
  readonly #statements = new Map<string, Template>()
  #session: Promise<Connection> | undefined
  /** The connection of `#session`, after it has opened. */
  #current: Connection | undefined
  /** Connections that were lost during a commit. Their backends may still be running. */
  #lost: Connection[] = []
  #isFailing = false
  #closed = false

  constructor(options: JournalOptions) {
    this.#options = options
    this.#target = resolveTarget(options.target)
  }

  /** Whether the last batch failed for a reason that would stop any other batch too. The runtime repeats such a batch. */
  get isFailing(): boolean {
    return this.#isFailing
  }

  async load(requests: readonly LoadRequest[]): Promise<ReadonlyMap<string, StoredActor>> {
    const known = requests.filter(isKnown)
    const unknown = requests.filter((request) => !isKnown(request))
    const [whole, changed] = await Promise.all([
      loadWhole(this.#options.reads, unknown),
      loadChanged(this.#options.reads, known),
    ])
    return new Map([...whole, ...changed])
  }

  async commit(batch: readonly Write[], doneEffects: readonly string[]): Promise<CommitResult> {
    const framed = frameBatch(batch, doneEffects, this.#options.owner)
    const lost = new Map(framed.lost)
    if (framed.indexes.length === 0 && doneEffects.length === 0) return { lost }
    const session = await this.#ready()
    const rows = await this.#send(session, framed)
    for (const { ord, reason } of rows) lost.set(framed.indexes[ord - 1] ?? -1, reason as LostReason)
    try {
      await this.#explain(batch, lost)
    } catch (error) {
      // The other transitions of the batch are committed, so the batch must not be sent again unchanged.
      throw new CommitUncertain('The reason of a lost transition could not be read.', { cause: error })
    }
    return { lost }
  }

  /** Commits a row of its own, in the same way as batches are committed. @throws if nothing can be committed */
  async probe(): Promise<void> {
    const session = await this.#ready()
    await session.unsafe(probeSql, [], { prepare: true, simple: false })
  }

  async settle(batch: readonly Write[]): Promise<readonly boolean[]> {
    for (let failures = 1; ; failures++) {
      try {
        return await this.#readUncertain(batch)
      } catch (error) {
        if (this.#closed) throw error
        this.#options.log(`An uncertain commit can't be settled yet: ${describe(error)}`)
        await sleep(backOffMs(settlePolicy, failures))
      }
    }
  }

  async idempotent(key: string): Promise<{ readonly inputHash: string; readonly actorId: string } | undefined> {
    const [row] = await this.#options.reads<{ input_hash: string; actor: string }[]>`
      select input_hash, actor from idempotency where key = ${key}`
    return row && { inputHash: row.input_hash, actorId: row.actor }
  }

  /** Waits for commits that are in flight. */
  async close(): Promise<void> {
    this.#closed = true
    await (await this.#session?.catch(() => undefined))?.close()
  }

  async #send(session: Connection, { shape, values }: FramedBatch): Promise<readonly Lost[]> {
    const { text, names } = this.#statement(shape)
    const { release, databaseTime } = this.#options
    const own: Record<string, string> = { release, claimed_until: String(databaseTime.now() + bornClaimedMs) }
    try {
      const answer = session.unsafe<Lost[]>(
        text,
        names.map((name) => values[name] ?? own[name] ?? null),
        { prepare: true },
      )
      if (session.isFull && session === this.#current) this.#replace(session)
      const rows = await answer
      this.#isFailing = false
      return rows
    } catch (error) {
      if (session.isLost) this.#lose(session)
      if (isOfAnotherRelease(error)) this.#options.superseded()
      const failure = commitError(error)
      this.#isFailing = isServerError(error) && stopsAll.test(error.code)
      throw failure
    }
  }

  #statement(shape: Shape): Template {
    const key = Object.values(shape).join()
    let statement = this.#statements.get(key)
    if (statement === undefined) {
      statement = commitSql(shape)
      this.#statements.set(key, statement)
    }
    return statement
  }

  /**
   * Finds the reason of a creation whose ID or key was taken, and of a transition whose key may have been taken. The stored row
   * shows which.
   */
  async #explain(batch: readonly Write[], lost: Map<number, LostReason | 'conflict'>): Promise<void> {
    const open = [...lost].filter(([index, reason]) => {
      const columns = batch[index]?.columns
      const keyed = columns?.uniqueKey !== undefined || columns?.otherKey !== undefined
      return reason === 'conflict' || (reason === 'fence' && keyed)
    })
    if (open.length === 0) return
    const stored = await this.#owners(open.map(([index]) => batch[index]?.ref.id ?? ''))
    for (const [index] of open) {
      const write = batch[index]
      if (write === undefined) continue
      const found = stored.get(write.ref.id)
      if (write.expected === 'absent') lost.set(index, found === undefined ? 'unique' : 'exists')
      else if (found?.seq === write.expected.seq && found.owner === write.expected.owner) lost.set(index, 'unique')
    }
  }

  async #owners(ids: readonly string[]): Promise<ReadonlyMap<string, { seq: number; owner: string }>> {
    const rows = await this.#options.reads.unsafe<{ id: string; seq: number; owner: string }[]>(
      'select id, seq, owner from actor where id = any($1::text[])',
      [textArray(ids)],
      { prepare: true },
    )
    return new Map(rows.map((row) => [row.id, row]))
  }

  #ready(): Promise<Connection> {
    if (this.#closed) throw new CommitFailed('The journal is closed.', 'invalid')
    this.#session ??= this.#open()
    return this.#session.then((session) => {
      if (!session.isLost) return session
      this.#lose(session)
      return this.#ready()
    })
  }

  async #open(): Promise<Connection> {
    try {
      this.#current = await openConnection(this.#target, {
        name: `journal ${this.#options.owner}`,
        settings: commitSettings,
        answerWithinMs: commitAnswerWithinMs,
        writableHighWaterMark,
      })
      return this.#current
    } catch (error) {
      this.#session = undefined
      throw new CommitFailed(`PostgreSQL can't be reached: ${describe(error)}`, 'repeatable', { cause: error })
    }
  }

  #lose(session: Connection): void {
    if (this.#lost.includes(session)) return
    this.#options.log('The connection that commits was lost.')
    this.#lost.push(session)
    if (session === this.#current) this.#session = undefined
  }

  /** The next batches wait until all batches in flight are answered, so batches are still executed in order. */
  #replace(session: Connection): void {
    this.#current = undefined
    this.#session = session.close().then(() => this.#open())
    this.#session.catch(() => {})
  }

  async #readUncertain(batch: readonly Write[]): Promise<readonly boolean[]> {
    const connection = await openConnection(this.#target, {
      name: `settle ${this.#options.owner}`,
      settings: { statement_timeout: '4s' },
      answerWithinMs: commitAnswerWithinMs,
    })
    try {
      await this.#endLost(connection)
      return await this.#readStored(connection, batch)
    } finally {
      void connection.close()
    }
  }

  /** A backend may continue its commit after its connection broke. This terminates the backend and waits until it is gone. */
  async #endLost(connection: Connection): Promise<void> {
    for (const session of [...this.#lost]) {
      const { pid, since } = session.backend
      for (;;) {
        const rows = await connection.unsafe<{ ended: boolean }[]>(terminateSql, [pid, since])
        if (rows.length === 0) break
      }
      this.#lost = this.#lost.filter((other) => other !== session)
    }
  }

  /** Compares sequence and owner, since another process may have written a transition of the same sequence. */
  async #readStored(connection: Connection, batch: readonly Write[]): Promise<readonly boolean[]> {
    const rows = await connection.unsafe<{ stored: boolean }[]>(storedSql, [
      textArray(batch.map(({ ref }) => ref.id)),
      numberArray(batch.map(({ seq }) => seq)),
      this.#options.owner,
    ])
    if (rows.length !== batch.length)
      throw new Error(`PostgreSQL answered for ${rows.length} of ${batch.length} transitions`)
    return rows.map(({ stored }) => stored)
  }
}

/** Out of disk or memory, a failed device, or a server that does not accept writes. */
const stopsAll = /^(53|58|25006)/

const probeSql = 'insert into write_probe (one) values (true) on conflict (one) do update set at = now()'

/** Waits up to 2 s for the end of the backend. No row: the backend is gone. */
const terminateSql = `
  select pg_terminate_backend(pid, 2000) as ended from pg_stat_activity where pid = $1 and backend_start::text = $2`

/** Returns one row for each transition, so that an answer without rows cannot be taken for "not written". */
const storedSql = `
  select exists (select from journal j where j.actor = b.actor and j.seq = b.seq and j.owner = $3) as stored
  from unnest($1::text[], $2::integer[]) with ordinality b(actor, seq, ord)
  order by b.ord`

interface Lost {
  readonly ord: number
  readonly reason: LostReason | 'conflict'
}

function isKnown(request: LoadRequest): request is Known {
  return request.known !== undefined
}

function describe(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
