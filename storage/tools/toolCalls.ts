/**
 * The audit of tool calls on PostgreSQL. A call is answered only after its record is durable, so the records of one moment are
 * written by one statement, and the next ones gather while it is in flight.
 */

import { Failure } from '../../spec/core/failure.ts'
import type {
  StoredToolCall,
  ToolCallOutcome,
  ToolCallQuery,
  ToolCallRecord,
  ToolCallSource,
} from '../../spec/tools/audit.ts'
import { isServerError } from '../connections/errors.ts'
import type { ToolCalls } from '../ports/toolCalls.ts'
import { groupCommit } from '../sql/groupCommit.ts'
import { type Sql, textArray } from '../sql/sql.ts'
import { Values } from '../sql/values.ts'
import { storable } from './storable.ts'

export class PostgresToolCalls implements ToolCalls {
  readonly #reads: Sql
  readonly #append: (row: string) => Promise<void>

  /** @param reads of connections whose statements end after some seconds */
  constructor(sql: Sql, reads: Sql) {
    this.#reads = reads
    this.#append = groupCommit<string, void>({
      async write(rows) {
        await sql.unsafe(appendSql, [`[${rows.join(',')}]`], { prepare: true })
        return []
      },
      sizeOf: (row) => row.length,
      batchCharacters: 1024 * 1024,
      // Some ten thousand calls.
      waitingCharacters: 8 * 1024 * 1024,
      full: () =>
        new Failure('UNAVAILABLE', 'More tools are called than the audit can be written for. Call again.', {
          retryAfterMs: 1_000,
        }),
    })
  }

  append(call: ToolCallRecord): Promise<void> {
    return this.#append(rowText(storable(call)))
  }

  async list(query: ToolCallQuery): Promise<readonly StoredToolCall[]> {
    const values = new Values()
    const text = `
      select at, number, duration_ms, caller, source, scope_id, tool, server_id, raw_name, arguments_sha256, request_id,
        outcome, code
      from tool_call
      where ${conditionsOf(query, values).join(' and ')}
      order by at desc, number desc limit ${values.place(query.limit, 'bigint')}`
    try {
      return (await this.#reads.unsafe<Row[]>(text, values.list, { prepare: true })).map(recordOf)
    } catch (error) {
      if (!isServerError(error) || error.code !== '57014') throw error
      throw new Failure(
        'COST_LIMIT_EXCEEDED',
        'This looks at too many tool calls: ask for a shorter time, by from and to.',
      )
    }
  }
}

function conditionsOf(query: ToolCallQuery, values: Values): readonly string[] {
  const { caller, tool, scopeId, serverId, requestId, outcomes, from, to, after } = query
  const all = ['true']
  const equals = { caller, tool, scope_id: scopeId, server_id: serverId, request_id: requestId }
  for (const [column, value] of Object.entries(equals)) {
    if (value !== undefined) all.push(`${column} = ${values.place(value, 'text')}`)
  }
  if (outcomes !== undefined) {
    all.push(`outcome = any(${values.place(textArray(outcomes), 'text[]')})`)
    // The condition of the partial index: PostgreSQL does not derive it from a parameter.
    if (!outcomes.includes('SUCCESS')) all.push(`outcome <> 'SUCCESS'`)
  }
  if (from !== undefined) all.push(`at >= ${values.place(from, 'bigint')}`)
  if (to !== undefined) all.push(`at < ${values.place(to, 'bigint')}`)
  if (after !== undefined) {
    const at = values.place(after.at, 'bigint')
    all.push(`at <= ${at} and (at, number) < (${at}, ${values.place(after.number, 'bigint')})`)
  }
  return all
}

interface Row {
  readonly at: number
  readonly number: number
  readonly duration_ms: number
  readonly caller: string
  readonly source: ToolCallSource
  readonly scope_id: string | null
  readonly tool: string | null
  readonly server_id: string | null
  readonly raw_name: string | null
  readonly arguments_sha256: string
  readonly request_id: string
  readonly outcome: ToolCallOutcome
  readonly code: string | null
}

function recordOf(row: Row): StoredToolCall {
  return {
    at: row.at,
    number: row.number,
    durationMs: row.duration_ms,
    caller: row.caller,
    source: row.source,
    scopeId: row.scope_id,
    tool: row.tool,
    serverId: row.server_id,
    rawName: row.raw_name,
    argumentsSha256: row.arguments_sha256,
    requestId: row.request_id,
    outcome: row.outcome,
    code: row.code,
  }
}

function rowText(call: ToolCallRecord): string {
  return JSON.stringify({
    at: call.at,
    duration_ms: call.durationMs,
    caller: call.caller,
    source: call.source,
    scope_id: call.scopeId,
    tool: call.tool,
    server_id: call.serverId,
    raw_name: call.rawName,
    arguments_sha256: call.argumentsSha256,
    request_id: call.requestId,
    outcome: call.outcome,
    code: call.code,
  } satisfies Record<keyof Omit<Row, 'number'>, string | number | null>)
}

/**
 * One parameter, whatever the number of rows, so that there is one prepared statement. Sorted by their place in it, since numbers
 * are given to rows as they come.
 */
const appendSql = `
  insert into tool_call (at, duration_ms, caller, source, scope_id, tool, server_id, raw_name, arguments_sha256, request_id,
    outcome, code)
  select at, duration_ms, caller, source, scope_id, tool, server_id, raw_name, arguments_sha256, request_id, outcome, code
  from rows from (
    json_to_recordset($1::text::json) as (
      at bigint, duration_ms double precision, caller text, source text, scope_id text, tool text, server_id text,
      raw_name text, arguments_sha256 text, request_id text, outcome text, code text
    )
  ) with ordinality as r(at, duration_ms, caller, source, scope_id, tool, server_id, raw_name, arguments_sha256, request_id,
    outcome, code, ord)
  order by ord`
