/** Tools of other MCP servers, which this one passes on. */
import type { ToolDefinition } from './tool.ts'

export type McpTransport = 'STREAMABLE_HTTP' | 'SSE'

/** Where a server is called. A run is bound to the endpoint that it was made with; names and credentials may change. */
export interface McpEndpoint {
  readonly url: string
  readonly transport: McpTransport
}

export interface ExternalTool {
  readonly serverId: string
  /** As its server calls it. */
  readonly rawName: string
  /** As its server describes it; `name` is the alias under which it is advertised. */
  readonly definition: ToolDefinition
  /** SHA-256 (hexadecimal) of the canonical JSON of the raw name and both schemas. */
  readonly hash: string
}

/** What a server advertises, or why that can't be known. */
export type Discovery =
  | {
      readonly available: true
      readonly serverId: string
      readonly serverName: string
      readonly endpoint: McpEndpoint
      /** In the order of their raw names. */
      readonly tools: readonly ExternalTool[]
      /** What it advertises and no client would take, or is too much of it. */
      readonly leftOut?: readonly LeftOut[]
    }
  | {
      readonly available: false
      readonly serverId: string
      /** Null where there is no such server. */
      readonly serverName: string | null
      readonly problem: { readonly code: ExternalProblem; readonly message: string }
    }

export interface LeftOut {
  /** Null where it is about what has no name: the rest of a list that is too long. */
  readonly rawName: string | null
  /** A sentence. */
  readonly reason: string
}

/** Why a server was of no use; nothing in the message comes from a credential. */
export type ExternalProblem =
  | 'NOT_FOUND'
  | 'DISABLED'
  /** It can't be reached, or answers no MCP. */
  | 'UNREACHABLE'
  /** Too many calls have failed lately: it is not even tried, until the breaker closes. */
  | 'CIRCUIT_OPEN'

export interface ExternalDiscovery {
  /** What a server advertises, from a listing at most `maxAgeMs` old (60,000 where omitted). Never throws for the server's sake. */
  discover(serverId: string, options?: { readonly maxAgeMs?: number }): Promise<Discovery>
}

export interface ExternalCall {
  readonly serverId: string
  readonly rawName: string
  readonly arguments: Readonly<Record<string, unknown>>
  /** What the caller was told of the tool: where the server's own is another by now, the call is refused. */
  readonly hash: string
  /** Of a run: the endpoint that it was made with. */
  readonly endpoint?: McpEndpoint
  /** Ends the call there, too. */
  readonly signal: AbortSignal
  readonly onProgress?: (progress: ExternalProgress) => void
}

export interface ExternalProgress {
  readonly progress: number
  readonly total?: number
  readonly message?: string
}

/** What the server answered, passed through: content, structured result, and whether it is an error. */
export interface ExternalResult {
  readonly content: readonly Readonly<Record<string, unknown>>[]
  readonly structuredContent?: Readonly<Record<string, unknown>>
  readonly isError?: boolean
  readonly _meta?: Readonly<Record<string, unknown>>
}

/** Why a call has no result. */
export class ExternalCallFailed extends Error {
  override readonly name = 'ExternalCallFailed'
  /** For the audit: `TRANSPORT_ERROR` where the server could not be spoken with, `PROTOCOL_ERROR` where it refused the call. */
  readonly outcome: 'TRANSPORT_ERROR' | 'PROTOCOL_ERROR'
  readonly code: ExternalProblem | 'TIMED_OUT' | 'TOOL_GONE' | 'TOOL_CHANGED' | 'ENDPOINT_CHANGED' | 'REFUSED'

  /** @param message for the model: what is wrong, and what it can do */
  constructor(outcome: ExternalCallFailed['outcome'], code: ExternalCallFailed['code'], message: string) {
    super(message)
    this.outcome = outcome
    this.code = code
  }
}

export interface ExternalTools extends ExternalDiscovery {
  /** The credentials are those that are saved at this moment. @throws ExternalCallFailed; the signal's reason where that ended it */
  call(call: ExternalCall): Promise<ExternalResult>
  /** Ends connections. */
  close(): Promise<void>
}
