/** What MCP and Tools REST serve: a tool with what calls it, wherever it comes from. */

import type { ExternalProgress, ExternalResult } from '../../../spec/tools/external.ts'
import type { ToolDefinition } from '../../../spec/tools/tool.ts'
import type { RequestContext } from '../requestContext.ts'

export type ToolArguments = Readonly<Record<string, unknown>>
export type ToolResult = ExternalResult
export type ToolProgress = ExternalProgress

const logLevels = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'] as const

export interface ToolCall {
  readonly context: RequestContext
  /** The caller has gone. */
  readonly signal: AbortSignal
  /** Undefined where the caller did not ask for it. */
  readonly progress?: ((progress: ToolProgress) => void) | undefined
  /** A word for whoever watches the client. */
  readonly log?: ((level: (typeof logLevels)[number], data: unknown) => void) | undefined
}

export interface ServedTool {
  readonly definition: ToolDefinition
  /** Of an external tool, for the audit. */
  readonly external?: { readonly serverId: string; readonly rawName: string }
  /** It answers at once, and tells nothing meanwhile. */
  readonly isQuick?: boolean
  /** @throws Failure, ExternalCallFailed; the reason of the signal */
  call(given: ToolArguments, call: ToolCall): Promise<ToolResult>
}
