/** Tools of other MCP servers, to which this server forwards calls. */
import type { ToolDefinition } from './tool.ts'

export type McpTransport = 'STREAMABLE_HTTP' | 'SSE'

/** The address of a server. A run is bound to the endpoint with which it was created. Names and credentials can change. */
export interface McpEndpoint {
  readonly url: string
  readonly transport: McpTransport
}

export interface ExternalTool {
  readonly serverId: string
  /** The name that the server gives it. */
  readonly rawName: string
  /** The definition that the server gives it. `name` is the alias under which it is advertised. */
  readonly definition: ToolDefinition
  /** SHA-256 (hexadecimal) of the canonical JSON of the raw name and both schemas. */
  readonly hash: string
}

/** The tools that a server advertises, or the reason why they cannot be listed. */
export type Discovery =
  | {
      readonly available: true
      readonly serverId: string
      readonly serverName: string
      readonly endpoint: McpEndpoint
      /** In the order of their raw names. */
      readonly tools: readonly ExternalTool[]
      /** Advertised tools that clients cannot use, or that exceed a limit. */
      readonly leftOut?: readonly LeftOut[]
    }
  | {
      readonly available: false
      readonly serverId: string
      /** Null if the server does not exist. */
      readonly serverName: string | null
      readonly problem: { readonly code: ExternalProblem; readonly message: string }
    }

export interface LeftOut {
  /** Null if the entry has no name: the rest of a list that is too long. */
  readonly rawName: string | null
  /** One sentence. */
  readonly reason: string
}

/** The reason why a server cannot be used. The message has no part of a credential. */
export type ExternalProblem =
  | 'NOT_FOUND'
  | 'DISABLED'
  /** The server cannot be reached, or its answers are not MCP. */
  | 'UNREACHABLE'
  /** Too many recent calls have failed. The server is not called until the breaker closes. */
  | 'CIRCUIT_OPEN'

export interface ExternalDiscovery {
  /**
   * Returns the tools that a server advertises, from a listing at most `maxAgeMs` old (60,000 if omitted). Never throws because
   * of the server.
   */
  discover(serverId: string, options?: { readonly maxAgeMs?: number }): Promise<Discovery>
}

export interface ExternalCall {
  readonly serverId: string
  readonly rawName: string
  readonly arguments: Readonly<Record<string, unknown>>
  /** The hash of the definition that the caller has. If the server's definition is another one by now, the call is refused. */
  readonly hash: string
  /** For a run: the endpoint with which it was created. */
  readonly endpoint?: McpEndpoint
  /** Ends the call at the server, too. */
  readonly signal: AbortSignal
  readonly onProgress?: (progress: ExternalProgress) => void
}

export interface ExternalProgress {
  readonly progress: number
  readonly total?: number
  readonly message?: string
}

/** The server's answer, unchanged: content, structured result, and whether it is an error. */
export interface ExternalResult {
  readonly content: readonly Readonly<Record<string, unknown>>[]
  readonly structuredContent?: Readonly<Record<string, unknown>>
  readonly isError?: boolean
  readonly _meta?: Readonly<Record<string, unknown>>
}

/** The reason why a call has no result. */
export class ExternalCallFailed extends Error {
  override readonly name = 'ExternalCallFailed'
  /** For the audit: `TRANSPORT_ERROR` if no message could be exchanged with the server, `PROTOCOL_ERROR` if the server refused the call. */
  readonly outcome: 'TRANSPORT_ERROR' | 'PROTOCOL_ERROR'
  readonly code: ExternalProblem | 'TIMED_OUT' | 'TOOL_GONE' | 'TOOL_CHANGED' | 'ENDPOINT_CHANGED' | 'REFUSED'

  /** @param message for the model: the problem, and what the model can do */
  constructor(outcome: ExternalCallFailed['outcome'], code: ExternalCallFailed['code'], message: string) {
    super(message)
    this.outcome = outcome
    this.code = code
  }
}

export interface ExternalTools extends ExternalDiscovery {
  /** Uses the credentials that are saved at this moment. @throws ExternalCallFailed, or the signal's reason if the signal ended the call */
  call(call: ExternalCall): Promise<ExternalResult>
  /** Ends connections. */
  close(): Promise<void>
}
