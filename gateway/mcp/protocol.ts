/**
 * Serves MCP without sessions, with the SDK's handler: versions 2025-11-25 and older, and 2026-07-28. Each request has its own server
 * object with the tools of the request's scope.
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
import type { RequestContext } from '../operations/requestContext.ts'
import { type AuditPorts, callWithAudit } from '../operations/tools/callWithAudit.ts'
import type { ToolArguments, ToolCall, ToolResult } from '../operations/tools/servedTool.ts'
import type { ToolCatalog } from './toolCatalog.ts'
import { toolError } from './toolError.ts'

/** The context of one request. It is passed through the SDK. */
export interface McpRequest {
  readonly catalog: ToolCatalog
  readonly context: RequestContext
  readonly address: string
  /** Aborted when the caller disconnects. */
  readonly signal: AbortSignal
}

export interface ProtocolParts extends AuditPorts {
  readonly version: string
  readonly log: Logger
}

/** Instructions for a model, before it reads the tools. Those of a preset or a run name no tool, because their tools differ. */
const instructions: Partial<Record<ToolCallSource, string>> = {
  MCP:
    'Signalbox runs AI coding agents on managed machines. Begin with get_action_center for the items that wait for a person, ' +
    'global_search to find objects by name, and get_agents and get_codebases for the machines and repositories. ' +
    'create_agent_run starts AI work in a worktree. Follow it with get_run and get_run_log. Errors name the wrong field and ' +
    'the accepted values.',
  MCP_RUN:
    'You work within one run of Signalbox. These are the tools of this run. They act only on runs that you start with them. ' +
    'Errors name the wrong field and the accepted values.',
}
const usualInstructions =
  'Tools of Signalbox, which runs AI coding agents on managed machines. Errors name the wrong field and the accepted values.'

export function mcpProtocol(parts: ProtocolParts): McpHttpHandler {
  return createMcpHandler(
    ({ authInfo }) => createServer(readMcpRequest(authInfo), parts),
    // The caller receives each refusal, so the log has it at debug level only.
    { legacy: 'stateless', responseMode: 'auto', onerror: (error) => parts.log.debug({ err: error }, 'MCP') },
  )
}

/** Passes a request through the SDK, which gives `AuthInfo` to the server unchanged. The fields for a credential are empty. */
export function passMcpRequest(mcpRequest: McpRequest): AuthInfo {
  return { token: '', clientId: '', scopes: [], extra: { mcpRequest } }
}

function readMcpRequest(authInfo: AuthInfo | undefined): McpRequest {
  return authInfo?.extra?.mcpRequest as McpRequest
}

export function serverInfo(version: string) {
  return { name: 'signalbox', title: 'Signalbox', version }
}

function createServer(mcpRequest: McpRequest, parts: ProtocolParts): Server {
  const { source } = mcpRequest.catalog
  const server = new Server(serverInfo(parts.version), {
    capabilities: { tools: {}, logging: {} },
    instructions: instructions[source] ?? usualInstructions,
  })
  server.setRequestHandler('tools/list', () => ({ tools: mcpRequest.catalog.definitions as Tool[] }))
  server.setRequestHandler('tools/call', async ({ params }, context) => {
    return await handleToolCall({ name: params.name, given: params.arguments ?? {} }, context, mcpRequest, parts)
  })
  return server
}

interface RequestedTool {
  readonly name: string
  readonly given: ToolArguments
}

async function handleToolCall(
  requested: RequestedTool,
  { mcpReq }: ServerContext,
  mcpRequest: McpRequest,
  parts: ProtocolParts,
) {
  const result = await callTool(
    requested,
    {
      signal: AbortSignal.any([mcpRequest.signal, mcpReq.signal]),
      progress: progressOf(mcpReq),
      log: (level, data) => void mcpReq.log(level, data).catch(() => {}),
    },
    mcpRequest,
    parts,
  )
  return result as CallToolResult
}

/** @throws ProtocolError if there is no such tool */
export async function callTool(
  { name, given }: RequestedTool,
  how: Omit<ToolCall, 'context'>,
  { catalog, context, address }: McpRequest,
  parts: ProtocolParts,
): Promise<ToolResult> {
  const { source, scopeId } = catalog
  const tool = catalog.tools.get(name)
  const outcome = await callWithAudit(tool, given, { context, ...how }, { source, scopeId, address }, parts)
  if (outcome.ok) return outcome.result
  if (tool === undefined) throw new ProtocolError(ProtocolErrorCode.InvalidParams, outcome.problem.message)
  return toolError(outcome.problem, context.requestId)
}

/** Sends progress notifications if the caller provided a progress token. */
function progressOf({ _meta, notify }: ServerContext['mcpReq']): ToolCall['progress'] {
  const progressToken = _meta?.progressToken
  if (progressToken === undefined) return undefined
  return (progress) =>
    void notify({ method: 'notifications/progress', params: { progressToken, ...progress } }).catch(() => {})
}
