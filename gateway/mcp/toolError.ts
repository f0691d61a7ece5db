/** Converts a failed tool call to a result that a model can read and act on. */
import { Failure } from '../../spec/core/failure.ts'
import type { ExternalCallFailed } from '../../spec/tools/external.ts'
import type { ToolResult } from '../operations/tools/servedTool.ts'

export function toolError(problem: Failure | ExternalCallFailed, requestId: string): ToolResult {
  const lines = [`${problem.code}: ${problem.message}`]
  if (problem instanceof Failure) {
    if (problem.details !== undefined) lines.push(`Details: ${JSON.stringify(problem.details)}`)
    if (problem.retryable)
      lines.push(`It may be called again in ${Math.ceil((problem.retryAfterMs ?? 1_000) / 1_000)} s.`)
    if (problem.code === 'INTERNAL') lines.push(`Request ID: ${requestId}`)
  }
  return { content: [{ type: 'text', text: lines.join('\n') }], isError: true }
}
