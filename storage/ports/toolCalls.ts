import type { ToolCallReader, ToolCallRecord } from '../../spec/tools/audit.ts'

/**
 * What is kept of tool calls: no lifecycle, by the month. What `append` was given is durable when it resolves; appends of one moment
 * are written together.
 */
export interface ToolCalls extends ToolCallReader {
  append(call: ToolCallRecord): Promise<void>
}
