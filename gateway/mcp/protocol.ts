/**
 * Speaks MCP, statelessly: 2025-11-25 and older, and 2026-07-28, by the SDK's handler. Each request has a server of its own, which
 * serves the tools of that request's scope and lives as long as it.
 */
import {
  type AuthInfo,
  type CallToolResult,
  createMcpHandler,
  type McpHttpHandler,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  type ServerContext,
  type Tool,
} from '@modelcontextprotocol/server'
import type { Logger } from 'pino'
import type { ToolCallSource } from '../../spec/tools/audit.ts'
import type { MessageContext } from '../operations/requestContext.ts'
import { type AuditParts, callAudited } from '../operations/tools/audited.ts'
import type { ToolArguments, ToolCall, ToolResult } from '../operations/tools/served.ts'
import type { Shelf } from './shelf.ts'
import { toolError } from './toolError.ts'

/** What one request is about; travels through the SDK beside it. */
export interface Exchange {
  readonly shelf: Shelf
  readonly context: MessageContext
  readonly address: string
  /** The caller has gone. */
  readonly signal: AbortSignal
}

export interface ProtocolParts extends AuditParts {
  readonly version: string
  readonly log: Logger
}

/** What a model is told before it has seen the tools; under a preset or a run there may be any of them. */
const instructions: Partial<Record<ToolCallSource, string>> = {
  MCP:
    'Signalbox runs AI coding agents on managed machines. Begin with get_action_center for what waits for a person, global_search to ' +
    'find anything by name, get_agents and get_codebases for where work can be done. create_agent_run starts AI work in a worktree; ' +
    'follow it with get_run and get_run_log. Errors say what is wrong and what would be right.',
  MCP_RUN:
    'You work within one run of Signalbox. These are the tools that it was given. They touch no run but those that you start with them. ' +
    'Errors say what is wrong and what would be right.',
}
const usualInstructions =
  'Tools of Signalbox, which runs AI coding agents on managed machines. Errors say what is wrong and what would be right.'

export function mcpProtocol(parts: ProtocolParts): McpHttpHandler {
  return createMcpHandler(
    ({ authInfo }) => serverOf(exchangeOf(authInfo), parts),
    // What is refused is told to the caller; it is no affair of the log.
    { legacy: 'stateless', responseMode: 'auto', onerror: (error) => parts.log.debug({ err: error }, 'MCP') },
  )
}

/** How an exchange goes through the SDK: as what a caller's credential would stand in, which nothing here reads. */
export function withExchange(exchange: Exchange): AuthInfo {
  return { token: '', clientId: '', scopes: [], extra: { exchange } }
}

function exchangeOf(authInfo: AuthInfo | undefined): Exchange {
  return authInfo?.extra?.exchange as Exchange
}

export function serverInfo(version: string) {
  return { name: 'signalbox', title: 'Signalbox', version }
}

function serverOf(exchange: Exchange, parts: ProtocolParts): Server {
  const { source } = exchange.shelf
  const server = new Server(serverInfo(parts.version), {
    capabilities: { tools: {}, logging: {} },
    instructions: instructions[source] ?? usualInstructions,
  })
  server.setRequestHandler('tools/list', () => ({ tools: exchange.shelf.definitions as Tool[] }))
  server.setRequestHandler('tools/call', async ({ params }, context) => {
    return await called({ name: params.name, given: params.arguments ?? {} }, context, exchange, parts)
  })
  return server
}

interface Asked {
  readonly name: string
  readonly given: ToolArguments
}

async function called(asked: Asked, { mcpReq }: ServerContext, exchange: Exchange, parts: ProtocolParts) {
  const result = await resultOfCall(
    asked,
    {
      signal: AbortSignal.any([exchange.signal, mcpReq.signal]),
      progress: progressOf(mcpReq),
      log: (level, data) => void mcpReq.log(level, data).catch(() => {}),
    },
    exchange,
    parts,
  )
  return result as CallToolResult
}

/** @throws ProtocolError where there is no such tool */
export async function resultOfCall(
  { name, given }: Asked,
  how: Omit<ToolCall, 'context'>,
  { shelf, context, address }: Exchange,
  parts: ProtocolParts,
): Promise<ToolResult> {
  const { source, scopeId } = shelf
  const tool = shelf.tools.get(name)
  const outcome = await callAudited(tool, given, { context, ...how }, { source, scopeId, address }, parts)
  if (outcome.ok) return outcome.result
  if (tool === undefined) throw new ProtocolError(ProtocolErrorCode.InvalidParams, outcome.problem.message)
  return toolError(outcome.problem, context.requestId)
}

/** Where the caller has named a token it is told of progress under that. */
function progressOf({ _meta, notify }: ServerContext['mcpReq']): ToolCall['progress'] {
  const progressToken = _meta?.progressToken
  if (progressToken === undefined) return undefined
  return (progress) =>
    void notify({ method: 'notifications/progress', params: { progressToken, ...progress } }).catch(() => {})
}
