/** The stored record of a tool call. It never contains the arguments, only their hash. */

export const toolCallSources = ['MCP', 'MCP_PRESET', 'MCP_RUN', 'TOOLS_API'] as const
export type ToolCallSource = (typeof toolCallSources)[number]

export const toolCallOutcomes = ['SUCCESS', 'TOOL_ERROR', 'PROTOCOL_ERROR', 'TRANSPORT_ERROR', 'CANCELED'] as const
export type ToolCallOutcome = (typeof toolCallOutcomes)[number]

export interface ToolCallRecord {
  /** The start of the call, milliseconds since 1970. */
  readonly at: number
  readonly durationMs: number
  /** A user's or a key's ID; `agent:<agentId>@<address>` for a run's calls. */
  readonly caller: string
  readonly source: ToolCallSource
  /** The preset or the run whose endpoint received the call. */
  readonly scopeId: string | null
  /** The name in the call; null if no tool could have that name. */
  readonly tool: string | null
  /** Set for an external tool. */
  readonly serverId: string | null
  readonly rawName: string | null
  /** SHA-256 (hexadecimal) of the arguments as canonical JSON (RFC 8785). */
  readonly argumentsSha256: string
  /** The correlation ID: the ID of the request. */
  readonly requestId: string
  readonly outcome: ToolCallOutcome
  /** The code of the refusal or failure. The message is not stored, since it may quote the arguments. */
  readonly code: string | null
}

export interface StoredToolCall extends ToolCallRecord {
  /** Orders calls with the same time. */
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
  /** The last call of the previous page. */
  readonly after?: { readonly at: number; readonly number: number }
  readonly limit: number
}

export interface ToolCallReader {
  /** Newest first. */
  list(query: ToolCallQuery): Promise<readonly StoredToolCall[]>
}
