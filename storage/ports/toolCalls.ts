import type { ToolCallReader, ToolCallRecord } from '../../spec/tools/audit.ts'

/**
 * The log of tool calls. It has no lifecycle and is stored by month. A call is durable when `append` resolves. Concurrent appends
 * are written together.
 */
export interface ToolCalls extends ToolCallReader {
  append(call: ToolCallRecord): Promise<void>
}
