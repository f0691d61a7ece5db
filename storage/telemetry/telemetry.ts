/**
 * Telemetry on PostgreSQL. Appends of one moment are written by one statement; while it is in flight the next ones gather, so that
 * the disk is waited for by all of them together.
 */

import { Failure } from '../../spec/core/failure.ts'
import type {
  StoredTelemetry,
  TelemetryKind,
  TelemetryPosition,
  TelemetryQuery,
  TelemetryRecord,
} from '../../spec/telemetry/record.ts'
import { isServerError } from '../connections/errors.ts'
import type { Telemetry, TelemetryPage, TelemetryStreamPosition } from '../ports/telemetry.ts'
import { groupCommit } from '../sql/groupCommit.ts'
import type { Sql } from '../sql/sql.ts'
import { Values } from '../sql/values.ts'
import { keyOf } from './key.ts'
import { recordOf, type TelemetryRow, telemetryColumns } from './telemetryRow.ts'
import { readAfter, streamEnd } from './telemetryStream.ts'

interface Kept {
  readonly kept: number
  readonly duplicates: number
}

interface Append {
  readonly records: readonly TelemetryRecord[]
  /** Them as they travel. */
  readonly rows: readonly string[]
}

/** A statement takes about this much, at least one append. */
const batchCharacters = 4 * 1024 * 1024

/** The bound of waiting records: if the disk is slower than the senders, memory stays bounded. */
const waitingCharacters = 64 * 1024 * 1024

export class PostgresTelemetry implements Telemetry {
  readonly #reads: Sql
  readonly #append: (append: Append) => Promise<Kept>

  /** @param reads of connections whose statements end after some seconds */
  constructor(sql: Sql, reads: Sql) {
    this.#reads = reads
    this.#append = groupCommit<Append, Kept>({
      write: (batch) => write(sql, batch),
      sizeOf: ({ rows }) => rows.reduce((sum, row) => sum + row.length, 0),
      batchCharacters,
      waitingCharacters,
      full: tooMuch,
    })
  }

  append(records: readonly TelemetryRecord[]): Promise<Kept> {
    return this.#append({ records, rows: records.map(rowText) })
  }

  async read(
    query: TelemetryQuery,
    after: TelemetryPosition | undefined,
    limit: number,
  ): Promise<readonly StoredTelemetry[]> {
    const values = new Values()
    const text = `
      select ${telemetryColumns}
      from telemetry_record
      where ${conditionsOf(query, after, values).join(' and ')}
      order by at desc, number desc limit ${values.place(limit, 'bigint')}`
    try {
      return (await this.#reads.unsafe<TelemetryRow[]>(text, values.list, { prepare: true })).map(recordOf)
    } catch (error) {
      if (!isServerError(error) || error.code !== '57014') throw error
      throw new Failure(
        'COST_LIMIT_EXCEEDED',
        'This looks at too many records: ask for a shorter time, by from and to.',
      )
    }
  }

  readAfter(kind: TelemetryKind, after: TelemetryStreamPosition, limit: number): Promise<TelemetryPage> {
    return readAfter(this.#reads, kind, after, limit)
  }

  streamEnd(): Promise<TelemetryStreamPosition> {
    return streamEnd(this.#reads)
  }
}

function conditionsOf(query: TelemetryQuery, after: TelemetryPosition | undefined, values: Values): readonly string[] {
  const { kind, from, to, severityMin, text, sessionId, eventName, traceId } = query
  const all = [`kind = ${values.place(kind, 'text')}`]
  if (from !== undefined) all.push(`at >= ${values.place(from, 'bigint')}`)
  if (to !== undefined) all.push(`at < ${values.place(to, 'bigint')}`)
  if (severityMin !== undefined) all.push(`severity >= ${values.place(severityMin, 'smallint')}`)
  if (sessionId !== undefined) all.push(`session_id = ${values.place(sessionId, 'text')}`)
  if (eventName !== undefined) all.push(`event_name = ${values.place(eventName, 'text')}`)
  if (traceId !== undefined) all.push(`trace_id = ${values.place(traceId, 'text')}`)
  if (text !== undefined) {
    const pattern = values.place(`%${text.replace(/[\\%_]/g, '\\$&')}%`, 'text')
    all.push(`(body ilike ${pattern} or event_name ilike ${pattern})`)
  }
  if (after !== undefined) {
    const at = values.place(after.observedTimestamp, 'bigint')
    all.push(`at <= ${at} and (at, number) < (${at}, ${values.place(after.number, 'bigint')})`)
  }
  return all
}

async function write(sql: Sql, batch: readonly Append[]): Promise<readonly Kept[]> {
  const rows = batch.flatMap((one) => one.rows)
  const found = await sql.unsafe<{ ord: number }[]>(appendSql, [`[${rows.join(',')}]`], { prepare: true })
  // Ordinalities begin at 1.
  const known = new Set(found.map(({ ord }) => ord - 1))
  let first = 0
  return batch.map(({ records }) => {
    const duplicates = records.filter((_, index) => known.has(first + index)).length
    first += records.length
    return { kept: records.length - duplicates, duplicates }
  })
}

function tooMuch(): Failure {
  return new Failure('UNAVAILABLE', 'More telemetry comes than can be written. Ask again.', { retryAfterMs: 1_000 })
}

/** One record as `appendSql` reads it: JSON, which has no trouble with what a text may hold. */
function rowText(record: TelemetryRecord): string {
  const { body } = record
  const isText = typeof body === 'string'
  return JSON.stringify({
    key: keyOf(record),
    at: record.observedTimestamp,
    kind: record.kind,
    happened: record.timestamp,
    severity: record.severityNumber,
    severity_text: record.severityText,
    event_name: record.eventName,
    body: body === null || isText ? body : JSON.stringify(body),
    body_json: body !== null && !isText,
    attributes: JSON.stringify(record.attributes),
    resource: JSON.stringify(record.resource),
    session_id: record.sessionId,
    trace_id: record.traceId,
    span_id: record.spanId,
    record_id: record.recordId,
  } satisfies Record<string, string | number | boolean | null | undefined>)
}

/**
 * Names first, in their order, so that two processes never wait for each other in a circle: a name that another transaction is
 * just writing is waited for. Of a name that is new, the first record with it is kept. Answers the others, by their place.
 */
const appendSql = `
  with r as materialized (
    select * from rows from (
      json_to_recordset($1::text::json) as (
        key uuid, at bigint, kind text, happened bigint, severity smallint, severity_text text, event_name text, body text,
        body_json boolean, attributes text, resource text, session_id text, trace_id text, span_id text, record_id text
      )
    ) with ordinality as r(key, at, kind, happened, severity, severity_text, event_name, body, body_json, attributes,
      resource, session_id, trace_id, span_id, record_id, ord)
  ), named as materialized (
    select distinct on (key) key, at, ord from r where key is not null order by key, ord
  ), k as (
    insert into telemetry_key (key, at) select key, at from named order by key on conflict do nothing returning key
  ), fresh as materialized (
    select ord from r where key is null
    union all select named.ord from named join k on k.key = named.key
  ), e as (
    insert into telemetry_record (at, kind, happened, severity, severity_text, event_name, body, body_json, attributes,
      resource, session_id, trace_id, span_id, record_id, tx)
    select at, kind, happened, severity, severity_text, event_name, body, body_json, attributes,
      resource, session_id, trace_id, span_id, record_id,
      (select pg_current_xact_id()::text::bigint + shift from journal_position)
    from r where ord in (select ord from fresh) order by ord
  )
  select ord from r where ord not in (select ord from fresh)`
