/**
 * Append-only streams. Appends of one moment are written by one statement, many streams at once; while it is in flight the next
 * ones gather. The fence is the head's `next`: entries are written only by the statement that moved it.
 */

import type { StreamEntry } from '../../spec/core/actor.ts'
import { Failure } from '../../spec/core/failure.ts'
import { textColumn, unframe } from '../journal/frame.ts'
import { type Append, StreamGap, type Streams } from '../ports/streams.ts'
import { numberArray, type Sql, textArray } from '../sql/sql.ts'
import { absentHead, admit, type Head } from './admit.ts'

interface Waiting {
  readonly append: Append
  readonly size: number
  readonly resolve: (answer: { readonly next: number }) => void
  readonly reject: (error: unknown) => void
}

/** A statement takes about this much data, at least one append. */
const batchBytes = 4 * 1024 * 1024

/** The bound of waiting data: if the disk is slower than the senders, memory stays bounded. */
const waitingBytes = 64 * 1024 * 1024
/** About the memory of an append and of each entry beside their data. */
const bytesBeside = 200

/** Heads that this process has changed. The cache is cleared at this number. */
const knownHeads = 10_000

export class PostgresStreams implements Streams {
  readonly #sql: Sql
  readonly #waitingMost: number
  readonly #known = new Map<string, Head>()
  #waiting: Waiting[] = []
  #waitingBytes = 0
  #running = false

  constructor(sql: Sql, waitingMost = waitingBytes) {
    this.#sql = sql
    this.#waitingMost = waitingMost
  }

  append(append: Append): Promise<{ readonly next: number }> {
    if (this.#waitingBytes > this.#waitingMost) return Promise.reject(tooMuch())
    const { promise, resolve, reject } = Promise.withResolvers<{ readonly next: number }>()
    const size = append.entries.reduce((sum, { data }) => sum + data.length + bytesBeside, bytesBeside)
    this.#waitingBytes += size
    this.#waiting.push({ append, size, resolve, reject })
    if (!this.#running) {
      this.#running = true
      setImmediate(() => void this.#run())
    }
    return promise
  }

  async read(stream: string, after: number, limit: number): Promise<readonly StreamEntry[]> {
    return readEntries(this.#sql, stream, after, limit)
  }

  async head(stream: string): Promise<Head> {
    return (await readHeads(this.#sql, [stream])).get(stream) ?? absentHead
  }

  async #run(): Promise<void> {
    while (this.#waiting.length > 0) {
      const batch = this.#take()
      try {
        await this.#write(batch)
      } catch (error) {
        // Whether it was written is not known: the sender repeats, and what is known is passed over.
        for (const { append, reject } of batch) {
          this.#known.delete(append.stream)
          reject(error)
        }
      }
    }
    this.#running = false
  }

  #take(): Waiting[] {
    let bytes = 0
    const end = this.#waiting.findIndex(({ size }, index) => {
      bytes += size
      return index > 0 && bytes > batchBytes
    })
    const taken = this.#waiting.splice(0, end === -1 ? this.#waiting.length : end)
    for (const { size } of taken) this.#waitingBytes -= size
    return taken
  }

  /** Decides on the cached heads. If another process has changed one, it is read again and decided again. */
  async #write(batch: readonly Waiting[]): Promise<void> {
    let open = batch
    for (let tries = 0; open.length > 0; tries++) {
      if (tries > 100) throw new Failure('UNAVAILABLE', 'Others write to the same streams without pause.')
      const fresh = await this.#learn(open.map(({ append }) => append.stream))
      const plan = new Plan(this.#known)
      for (const waiting of open) plan.add(waiting)
      const lost = await this.#send(plan)
      for (const [name, { head, waiting }] of plan.moves) {
        if (lost.has(name)) continue
        this.#known.set(name, head)
        for (const { resolve, next } of waiting) resolve({ next })
      }
      open = open.filter((waiting) => {
        const name = waiting.append.stream
        const refusal = plan.refused.get(waiting)
        // Another process may have filled an apparent gap since this one read the head.
        const again = lost.has(name) || (refusal instanceof StreamGap && !fresh.has(name))
        if (refusal !== undefined && !again) waiting.reject(refusal)
        return again
      })
      for (const { append } of open) this.#known.delete(append.stream)
    }
  }

  /** Reads the heads that are not cached, and returns their names. */
  async #learn(names: readonly string[]): Promise<ReadonlySet<string>> {
    if (this.#known.size > knownHeads) this.#known.clear()
    const unknown = new Set(names.filter((name) => !this.#known.has(name)))
    if (unknown.size === 0) return unknown
    const heads = await readHeads(this.#sql, [...unknown])
    for (const name of unknown) this.#known.set(name, heads.get(name) ?? absentHead)
    return unknown
  }

  /** The streams whose head was not as expected, of which nothing was written. */
  async #send(plan: Plan): Promise<ReadonlySet<string>> {
    const moves = [...plan.moves].filter(([, move]) => move.changed).sort(([a], [b]) => (a < b ? -1 : 1))
    if (moves.length === 0) return new Set()
    const entries = moves.flatMap(([, move], index) => move.entries.map((entry) => ({ index, entry })))
    const rows = await this.#sql.unsafe<{ name: string }[]>(
      appendSql,
      [
        textArray(moves.map(([name]) => name)),
        numberArray(moves.map(([, move]) => (move.before.exists ? move.before.next : undefined))),
        numberArray(moves.map(([, move]) => move.head.next)),
        `{${moves.map(([, move]) => (move.head.ended ? 't' : 'f')).join(',')}}`,
        numberArray(entries.map(({ index }) => index + 1)),
        numberArray(entries.map(({ entry }) => entry.sequence)),
        numberArray(entries.map(({ entry }) => entry.at)),
        textColumn(
          'kind',
          entries.map(({ entry }) => entry.kind),
        ),
        textColumn(
          'data',
          entries.map(({ entry }) => hex(entry.data)),
        ),
      ],
      { prepare: true },
    )
    return new Set(rows.map((row) => row.name))
  }
}

/** The changes of a batch to the heads, by stream. */
class Plan {
  readonly moves = new Map<string, Move>()
  readonly refused = new Map<Waiting, Error>()
  readonly #known: ReadonlyMap<string, Head>

  constructor(known: ReadonlyMap<string, Head>) {
    this.#known = known
  }

  add(waiting: Waiting): void {
    const { append } = waiting
    const move = this.moves.get(append.stream) ?? newMove(this.#known.get(append.stream) ?? absentHead)
    const answer = admit(move.head, append)
    if (answer.type === 'gap') {
      this.refused.set(waiting, new StreamGap(answer.next))
      return
    }
    if (answer.type === 'ended') {
      this.refused.set(waiting, new Failure('FAILED_PRECONDITION', 'The stream has ended.'))
      return
    }
    this.moves.set(append.stream, move)
    move.changed ||= answer.head !== move.head
    move.head = answer.head
    move.entries.push(...answer.entries)
    move.waiting.push({ resolve: waiting.resolve, next: answer.head.next })
  }
}

interface Move {
  readonly before: Head
  head: Head
  changed: boolean
  readonly entries: StreamEntry[]
  readonly waiting: { readonly resolve: Waiting['resolve']; readonly next: number }[]
}

function newMove(before: Head): Move {
  return { before, head: before, changed: false, entries: [], waiting: [] }
}

function tooMuch(): Failure {
  return new Failure('UNAVAILABLE', 'More comes for streams (logs, events, webhooks) than can be written. Ask again.', {
    retryAfterMs: 1_000,
  })
}

function hex(data: Uint8Array): string {
  return Buffer.from(data.buffer, data.byteOffset, data.byteLength).toString('hex')
}

/**
 * Changes heads in order of their names, so that two processes never deadlock. A head changes only if it is the expected one, and
 * entries are written only for changed heads. Data is sent as hexadecimal, since postgres.js sends text only.
 */
const appendSql = `
  with s as materialized (
    select * from unnest($1::text[], $2::bigint[], $3::bigint[], $4::boolean[])
      with ordinality s(name, expected, next, ended, ord)
  ), u as (
    update stream h set next = s.next, ended = s.ended
    from s where h.name = s.name and h.next = s.expected and not h.ended
    returning s.ord
  ), c as (
    insert into stream (name, next, ended)
    select s.name, s.next, s.ended from s where s.expected is null
    on conflict do nothing
    returning name
  ), passed as materialized (
    select u.ord from u union all select s.ord from c join s on s.name = c.name
  ), e as (
    insert into stream_entry (at, stream, sequence, kind, data)
    select e.at, s.name, e.sequence, e.kind, decode(e.data, 'hex')
    from unnest($5::bigint[], $6::bigint[], $7::bigint[], ${unframe('$8')}, ${unframe('$9')})
        e(ord, sequence, at, kind, data)
      join passed on passed.ord = e.ord
      join s on s.ord = e.ord
  )
  select s.name from s where s.ord not in (select passed.ord from passed)`

async function readHeads(sql: Sql, names: readonly string[]): Promise<ReadonlyMap<string, Head>> {
  const rows = await sql.unsafe<{ name: string; first: number; next: number; ended: boolean }[]>(
    'select name, first, next, ended from stream where name = any($1::text[])',
    [textArray(names)],
    { prepare: true },
  )
  return new Map(rows.map(({ name, first, next, ended }) => [name, { first, next, ended, exists: true }]))
}

/** By (stream, sequence) in each partition, merged. */
async function readEntries(sql: Sql, stream: string, after: number, limit: number): Promise<readonly StreamEntry[]> {
  const rows = await sql<StreamEntry[]>`
    select sequence, at, kind, data from stream_entry
    where stream = ${stream} and sequence > ${after}
    order by sequence limit ${limit}`
  return [...rows]
}
