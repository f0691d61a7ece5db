/** The tools that MCP and Tools REST serve, built-in and external: a definition and the function that calls the tool. */

import type { ExternalProgress, ExternalResult } from '../../../spec/tools/external.ts'
import type { ToolDefinition } from '../../../spec/tools/tool.ts'
import type { RequestContext } from '../requestContext.ts'

export type ToolArguments = Readonly<Record<string, unknown>>
export type ToolResult = ExternalResult
export type ToolProgress = ExternalProgress

const logLevels = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'] as const

export interface ToolCall {
  readonly context: RequestContext
  /** It aborts when the caller cancels or disconnects. */
  readonly signal: AbortSignal
  /** Undefined if the caller did not request progress. */
  readonly progress?: ((progress: ToolProgress) => void) | undefined
  /** Sends a log message to the client. */
  readonly log?: ((level: (typeof logLevels)[number], data: unknown) => void) | undefined
}

export interface ServedTool {
  readonly definition: ToolDefinition
  /** The origin of an external tool, for the audit. */
  readonly external?: { readonly serverId: string; readonly rawName: string }
  /** Whether it answers quickly and sends no progress. */
  readonly isQuick?: boolean
  /** @throws Failure, ExternalCallFailed, and the signal's reason */
  call(given: ToolArguments, call: ToolCall): Promise<ToolResult>
}
