/** What is kept of each tool call. Never its arguments: only their hash. */

export const toolCallSources = ['MCP', 'MCP_PRESET', 'MCP_RUN', 'TOOLS_API'] as const
export type ToolCallSource = (typeof toolCallSources)[number]

export const toolCallOutcomes = ['SUCCESS', 'TOOL_ERROR', 'PROTOCOL_ERROR', 'TRANSPORT_ERROR', 'CANCELED'] as const
export type ToolCallOutcome = (typeof toolCallOutcomes)[number]

export interface ToolCallRecord {
  /** Begin of the call, milliseconds since 1970. */
  readonly at: number
  readonly durationMs: number
  /** A user's or a key's ID; `agent:<agentId>@<address>` for a run's calls. */
  readonly caller: string
  readonly source: ToolCallSource
  /** The preset or the run that the call came under. */
  readonly scopeId: string | null
  /** As it was called; null where it was no name that a tool could have. */
  readonly tool: string | null
  /** Of an external tool. */
  readonly serverId: string | null
  readonly rawName: string | null
  /** SHA-256 (hexadecimal) of the arguments as canonical JSON (RFC 8785). */
  readonly argumentsSha256: string
  /** The correlation ID: the request's. */
  readonly requestId: string
  readonly outcome: ToolCallOutcome
  /** Of the refusal or failure; never a message, which may quote what was given. */
  readonly code: string | null
}

export interface StoredToolCall extends ToolCallRecord {
  /** Orders calls of one moment. */
  readonly number: number
}

export interface ToolCallQuery {
  readonly caller?: string
  readonly tool?: string
  readonly scopeId?: string
  readonly serverId?: string
  readonly requestId?: string
  readonly outcomes?: readonly ToolCallOutcome[]
  /** Milliseconds since 1970, inclusive and exclusive. */
  readonly from?: number
  readonly to?: number
  /** The last one of the page before. */
  readonly after?: { readonly at: number; readonly number: number }
  readonly limit: number
}

export interface ToolCallReader {
  /** Newest first. */
  list(query: ToolCallQuery): Promise<readonly StoredToolCall[]>
}
