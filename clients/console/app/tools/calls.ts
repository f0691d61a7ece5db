/** The audit, newest first. New calls are added at the top, and older ones are read when the user scrolls to them. */
import { type List, useList } from '../data/useList.ts'

export interface Call {
  readonly at: string
  readonly durationMs: number
  readonly caller: string
  readonly source: 'MCP' | 'MCP_PRESET' | 'MCP_RUN' | 'TOOLS_API'
  readonly scopeId: string | null
  readonly tool: string | null
  readonly serverId: string | null
  readonly rawName: string | null
  readonly argumentsSha256: string
  readonly requestId: string
  readonly outcome: string
  readonly code: string | null
}

/** All values that are not null must match. */
export interface CallFilter {
  readonly caller: string | null
  readonly tool: string | null
  readonly scopeId: string | null
  readonly serverId: string | null
  readonly requestId: string | null
  readonly outcomes: readonly string[] | null
  readonly from: string | null
  readonly to: string | null
}

/** A call has no ID except its cursor. */
export interface Edge {
  readonly cursor: string
  readonly node: Call
}

const query = `query (
  $caller: String, $tool: String, $scopeId: String, $serverId: String, $requestId: String,
  $outcomes: [McpToolCallOutcome!], $from: DateTime, $to: DateTime, $after: String
) { mcpToolCalls(
  first: 100, after: $after, caller: $caller, tool: $tool, scopeId: $scopeId, serverId: $serverId, requestId: $requestId,
  outcomes: $outcomes, from: $from, to: $to
) {
  nodes: edges { cursor node {
    at durationMs caller source scopeId tool serverId rawName argumentsSha256 requestId outcome code
  } }
  pageInfo { hasNextPage endCursor }
} }`

/** The page polls, because no subscription reports calls. */
const everyMs = 3_000

export function useCalls(filter: CallFilter): List<Edge> {
  return useList<Edge>(query, 'mcpToolCalls', { ...filter }, ({ cursor }) => cursor, { everyMs })
}
