/** Calls a tool and stores an audit record before the call is answered. The record contains only a hash of the arguments. */
import type { Logger } from 'pino'
import type { Clock } from '../../../actors/ports/clock.ts'
import { Failure } from '../../../spec/core/failure.ts'
import type { ToolCallOutcome, ToolCallRecord, ToolCallSource } from '../../../spec/tools/audit.ts'
import { ExternalCallFailed } from '../../../spec/tools/external.ts'
import type { ToolCalls } from '../../../storage/ports/toolCalls.ts'
import { asFailure } from '../../http/failures.ts'
import type { GatewayMetrics } from '../../observability/metrics.ts'
import { hashArguments } from './argumentsHash.ts'
import { callerName } from './caller.ts'
import type { ServedTool, ToolArguments, ToolCall, ToolResult } from './servedTool.ts'

export interface AuditPorts {
  readonly toolCalls: ToolCalls
  readonly clock: Clock
  readonly log: Logger
  readonly metrics: Pick<GatewayMetrics, 'toolCall'>
}

/** The surface, run and address from which a call comes. */
export interface CallOrigin {
  readonly source: ToolCallSource
  readonly scopeId: string | null
  readonly address: string
}

/** The outcome of a call: its result, or a `Failure` or `ExternalCallFailed`. */
export type ToolCallAnswer =
  | { readonly ok: true; readonly result: ToolResult }
  | { readonly ok: false; readonly problem: Failure | ExternalCallFailed }

/** @param tool undefined if no tool has the name that was called */
export async function callWithAudit(
  tool: ServedTool | undefined,
  given: ToolArguments,
  call: ToolCall,
  origin: CallOrigin,
  parts: AuditPorts,
): Promise<ToolCallAnswer> {
  const { clock, log, metrics } = parts
  const at = clock.now()
  const begunAt = clock.monotonic()
  const answer = await callTool(tool, given, call, log)
  const { serverId = null, rawName = null } = tool?.external ?? {}
  const record: ToolCallRecord = {
    at,
    durationMs: Math.round(clock.monotonic() - begunAt),
    caller: callerName(call.context.principal, origin.address),
    source: origin.source,
    scopeId: origin.scopeId,
    tool: tool?.definition.name ?? null,
    serverId,
    rawName,
    argumentsSha256: hashArguments(given),
    requestId: call.context.requestId,
    ...(tool === undefined ? unknownTool : describeOutcome(answer, call.signal)),
  }
  metrics.toolCall(record, record.durationMs / 1_000)
  const auditFailure = await storeRecord(record, recordWithinMs(tool, record.durationMs), parts)
  return auditFailure ?? answer
}

/** The longest time to store a record, in milliseconds. After it the call is answered `UNAVAILABLE`. */
const recordMs = 5_000
/** The time for the call of a built-in tool and its record together, in milliseconds. Both wait only for the database. */
const builtinMs = 10_000
const leastRecordMs = 500

function recordWithinMs(tool: ServedTool | undefined, elapsedMs: number): number {
  if (tool?.external !== undefined) return recordMs
  return Math.min(recordMs, Math.max(leastRecordMs, builtinMs - elapsedMs))
}

const unknownTool = { outcome: 'PROTOCOL_ERROR', code: 'UNKNOWN_TOOL' } as const

async function callTool(
  tool: ServedTool | undefined,
  given: ToolArguments,
  call: ToolCall,
  log: Logger,
): Promise<ToolCallAnswer> {
  if (tool === undefined)
    return {
      ok: false,
      problem: new Failure(
        'NOT_FOUND',
        'The tool is unknown at this endpoint. tools/list returns the available tools.',
      ),
    }
  try {
    return { ok: true, result: await tool.call(given, call) }
  } catch (error) {
    if (error instanceof ExternalCallFailed) return { ok: false, problem: error }
    if (call.signal.aborted)
      return { ok: false, problem: new Failure('UNAVAILABLE', 'The caller canceled the call or disconnected.') }
    return { ok: false, problem: asFailure(error, log, call.context.requestId) }
  }
}

function describeOutcome(
  called: ToolCallAnswer,
  signal: AbortSignal,
): { outcome: ToolCallOutcome; code: string | null } {
  if (called.ok) return { outcome: called.result.isError === true ? 'TOOL_ERROR' : 'SUCCESS', code: null }
  if (signal.aborted) return { outcome: 'CANCELED', code: null }
  const { problem } = called
  return { outcome: problem instanceof Failure ? 'TOOL_ERROR' : problem.outcome, code: problem.code }
}

/**
 * Stores the record. If that fails, the call is answered with a failure, although it may have taken effect, and the record is logged.
 * A late record may still be stored.
 * @returns the failure, or undefined if the record was stored
 */
async function storeRecord(
  record: ToolCallRecord,
  withinMs: number,
  { toolCalls, clock, log }: AuditPorts,
): Promise<ToolCallAnswer | undefined> {
  const late = Promise.withResolvers<never>()
  const cancel = clock.after(withinMs, () => late.reject(new Error(`the record was not stored within ${withinMs} ms`)))
  try {
    await Promise.race([toolCalls.append(record), late.promise])
    return undefined
  } catch (error) {
    log.error({ err: error, ...record }, 'tool call record not stored')
    const message = 'The call may have taken effect, but could not be recorded. Check its effect before you call again.'
    return { ok: false, problem: new Failure('UNAVAILABLE', message, { retryAfterMs: 1_000 }) }
  } finally {
    cancel()
  }
}
