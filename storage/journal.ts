/**
 * Actors at rest, in PostgreSQL. Commits go through one pipelined connection in the order in which they are called; loads
 * have connections of their own.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import {
  type ActorRef,
  CommitFailed,
  type CommitResult,
  type Journal,
  type LostReason,
  type StoredActor,
  type Write,
} from '../actors/ports.ts'
import type { Json } from '../spec/actor.ts'
import { kindOfId } from '../spec/ids.ts'
import { type FramedBatch, frameBatch } from './journal/batch.ts'
import { commitSql, type Shape } from './journal/commitSql.ts'
import { commitError, isServerError } from './journal/failures.ts'
import { openSession, type Session } from './journal/session.ts'
import type { Template } from './journal/template.ts'
import { type ActorRecord, actorColumns, storedActor } from './rows.ts'
import { numberArray, type Sql, type Target, textArray } from './sql.ts'

/** Longer than the session's own statement timeout: by then nobody is there any more. */
const answerTimeoutMs = 40_000

export interface JournalOptions {
  readonly target: Target
  /** New at each start of the process: the fence's second half. */
  readonly owner: string
  /** For loads and for ending a lost session. */
  readonly reads: Sql
  readonly log: (line: string) => void
}

export class PostgresJournal implements Journal {
  readonly #options: JournalOptions
  readonly #statements = new Map<string, Template>()
  #session: Promise<Session> | undefined
  #lost: Session[] = []
  #closed = false

  constructor(options: JournalOptions) {
    this.#options = options
  }

  async load(refs: readonly ActorRef[]): Promise<ReadonlyMap<string, StoredActor>> {
    const ids = textArray(refs.map((ref) => ref.id))
    const kinds = textArray([...new Set(refs.map((ref) => ref.kind))])
    const records = await this.#options.reads.unsafe<Loaded[]>(loadSql, [ids, kinds], { prepare: true })
    return new Map(records.map((record) => [record.id, storedActor(record, membersOf(record))]))
  }

  async commit(batch: readonly Write[], doneEffects: readonly string[]): Promise<CommitResult> {
    const framed = frameBatch(batch, doneEffects, this.#options.owner)
    const lost = new Map(framed.lost)
    if (framed.indexes.length === 0 && doneEffects.length === 0) return { lost }
    const session = await this.#ready()
    const rows = await this.#send(session, framed)
    for (const { ord, reason } of rows) lost.set(framed.indexes[ord - 1] ?? -1, reason as LostReason)
    await this.#explain(batch, lost)
    return { lost }
  }

  async settle(batch: readonly Write[]): Promise<readonly boolean[]> {
    for (let wait = 50; ; wait = Math.min(wait * 2, 2_000)) {
      try {
        await this.#endLost()
        return await this.#standing(batch)
      } catch (error) {
        if (this.#closed) throw error
        this.#options.log(`An uncertain commit can't be settled yet: ${describe(error)}`)
        await sleep(wait)
      }
    }
  }

  async idempotent(key: string): Promise<{ readonly inputHash: string; readonly ref: ActorRef } | undefined> {
    const [row] = await this.#options.reads<{ input_hash: string; actor: string }[]>`
      select input_hash, actor from idempotency where key = ${key}`
    const kind = row === undefined ? undefined : kindOfId(row.actor)
    if (row === undefined || kind === undefined) return undefined
    return { inputHash: row.input_hash, ref: { kind, id: row.actor } }
  }

  /** Waits for what is under way. */
  async close(): Promise<void> {
    this.#closed = true
    await (await this.#session?.catch(() => undefined))?.close()
  }

  async #send(session: Session, { shape, values }: FramedBatch): Promise<readonly Lost[]> {
    const { text, names } = this.#statement(shape)
    // Without an answer the connection is as good as lost: cut, so that the outcome can be found out.
    const timer = setTimeout(() => session.cut(), answerTimeoutMs)
    try {
      return await session.sql.unsafe<Lost[]>(
        text,
        names.map((name) => values[name] ?? null),
        { prepare: true },
      )
    } catch (error) {
      if (!isServerError(error)) this.#lose(session)
      throw commitError(error)
    } finally {
      clearTimeout(timer)
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

  /** A creation that met a taken ID or key, and a step that may have: a look at what stands there now tells which. */
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

  #ready(): Promise<Session> {
    if (this.#closed) throw new CommitFailed('The journal is closed.', 'invalid')
    this.#session ??= openSession(this.#options.target, this.#options.owner).catch((error: unknown) => {
      this.#session = undefined
      throw new CommitFailed(`PostgreSQL can't be reached: ${describe(error)}`, 'repeatable', { cause: error })
    })
    return this.#session.then((session) => {
      if (!session.lost) return session
      this.#lose(session)
      return this.#ready()
    })
  }

  #lose(session: Session): void {
    if (this.#lost.includes(session)) return
    this.#options.log('The connection that commits was lost.')
    session.cut()
    this.#lost.push(session)
    this.#session = undefined
    void session.close()
  }

  /** A backend may go on committing after its connection was cut: it is ended, and waited for until it is gone. */
  async #endLost(): Promise<void> {
    for (const session of [...this.#lost]) {
      for (;;) {
        const rows = await this.#options.reads<{ ended: boolean }[]>`
          select pg_terminate_backend(pid, 5000) as ended
          from pg_stat_activity
          where pid = ${session.pid} and backend_start::text = ${session.since}`
        if (rows.length === 0) break
      }
      this.#lost = this.#lost.filter((other) => other !== session)
    }
  }

  /** By sequence and owner: another process may have written a step of the same sequence. */
  async #standing(batch: readonly Write[]): Promise<readonly boolean[]> {
    const rows = await this.#options.reads.unsafe<{ ord: number }[]>(
      `select b.ord::integer as ord
      from unnest($1::text[], $2::integer[]) with ordinality b(actor, seq, ord)
      where exists (select from journal j where j.actor = b.actor and j.seq = b.seq and j.owner = $3)`,
      [textArray(batch.map(({ ref }) => ref.id)), numberArray(batch.map(({ seq }) => seq)), this.#options.owner],
      { prepare: true },
    )
    const standing = new Set(rows.map((row) => row.ord))
    return batch.map((_, index) => standing.has(index + 1))
  }
}

interface Lost {
  readonly ord: number
  readonly reason: LostReason | 'conflict'
}

type Loaded = ActorRecord & { readonly member_keys: string | null; readonly member_values: string | null }

/**
 * A probe of the primary key for each actor; the kinds let PostgreSQL leave out the other partitions when it begins. A
 * collection comes as two JSON texts, which cost less to read than rows.
 */
const loadSql = `
  select ${actorColumns}, m.member_keys, m.member_values
  from actor a
    left join lateral (
      select json_agg(member.key order by member.key)::text as member_keys,
        '[' || string_agg(member.value, ',' order by member.key) || ']' as member_values
      from member where member.actor = a.id
    ) m on true
  where a.id = any($1::text[]) and a.kind = any($2::text[])`

function membersOf(record: Loaded): readonly (readonly [string, Json])[] {
  if (record.member_keys === null || record.member_values === null) return []
  const keys = JSON.parse(record.member_keys) as string[]
  const values = JSON.parse(record.member_values) as Json[]
  return keys.map((key, index) => [key, values[index] ?? null])
}

function describe(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
