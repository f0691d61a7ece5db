/**
 * Lists that are requested again and again. Concurrent callers share one query, and the last result is cached. PostgreSQL
 * compares it with the current one, and only changed rows are read and converted again. Every answer comes from a query that
 * began after the request, so a caller that was notified of a write sees it.
 */
import { LRUCache } from 'lru-cache'
import type { ActorRow } from '../../spec/core/actor.ts'
import type { RowQuery } from '../ports/views.ts'
import { type ActorRecord, actorRow } from '../sql/rows.ts'
import type { Sql } from '../sql/sql.ts'
import { digestOf, listActors, listChangedActors } from './list.ts'

type Rows = readonly ActorRow[]

interface Kept {
  readonly rows: Rows
  readonly digest: string
}

interface Asked {
  readonly query: RowQuery
  /** Callers that wait for the next query, because the query in flight began before their request. */
  waiting: PromiseWithResolvers<Rows> | undefined
  running: boolean
}

/** Cached rows over all lists; one has some KiB. */
const keptRows = 4_000

export class RepeatedLists {
  readonly #sql: Sql
  readonly #kept = new LRUCache<string, Kept>({ maxSize: keptRows, sizeCalculation: ({ rows }) => rows.length + 1 })
  readonly #asked = new Map<string, Asked>()

  constructor(sql: Sql) {
    this.#sql = sql
  }

  list(query: RowQuery): Promise<Rows> {
    const key = JSON.stringify(query)
    let asked = this.#asked.get(key)
    if (asked === undefined) {
      asked = { query, waiting: undefined, running: false }
      this.#asked.set(key, asked)
    }
    if (asked.waiting === undefined) {
      asked.waiting = Promise.withResolvers<Rows>()
      if (!asked.running) this.#beginSoon(key, asked)
    }
    return asked.waiting.promise
  }

  /** Begins at the end of this iteration of the event loop, so that more callers can request the same list. */
  #beginSoon(key: string, asked: Asked): void {
    asked.running = true
    setImmediate(() => void this.#answer(key, asked))
  }

  async #answer(key: string, asked: Asked): Promise<void> {
    const { waiting } = asked
    asked.waiting = undefined
    await this.#read(key, asked.query).then(waiting?.resolve, waiting?.reject)
    asked.running = false
    if (asked.waiting === undefined) this.#asked.delete(key)
    else this.#beginSoon(key, asked)
  }

  async #read(key: string, query: RowQuery): Promise<Rows> {
    const kept = this.#kept.get(key)
    if (kept === undefined) return this.#keep(key, await listActors(this.#sql, query))
    const found = await listChangedActors(this.#sql, query, kept.digest)
    return found === 'unchanged' ? kept.rows : this.#keep(key, madeOf(found, kept.rows))
  }

  #keep(key: string, rows: Rows): Rows {
    this.#kept.set(key, { rows, digest: digestOf(rows) })
    return rows
  }
}

/** A row changes only together with its sequence, so rows with a known sequence are not converted again. */
function madeOf(records: readonly ActorRecord[], known: Rows): Rows {
  const byId = new Map(known.map((row) => [row.id, row]))
  return records.map((record) => {
    const row = byId.get(record.id)
    return row?.seq === record.seq ? row : actorRow(record)
  })
}
