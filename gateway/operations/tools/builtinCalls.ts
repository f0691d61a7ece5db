/**
 * Calls built-in tools: executes the tool's operation. The catalog of the caller's tools replaces the check of access; input and what a run may
 * touch are checked as on the other surfaces.
 */
import { Failure } from '../../../spec/core/failure.ts'
import { countRows } from '../core/connections.ts'
import type { Executor } from '../execute.ts'
import type { RequestContext } from '../requestContext.ts'
import type { OperationTool } from './builtin.ts'
import type { ServedTool, ToolArguments, ToolResult } from './servedTool.ts'

export function serveBuiltin(tool: OperationTool, executor: Executor): ServedTool {
  const { name, title, description, inputSchema, outputSchema, annotations } = tool
  return {
    definition: { name, title, description, inputSchema, outputSchema, annotations },
    // A tool that reaches other systems may be slow.
    isQuick: !annotations.openWorldHint,
    call: async (given, { context }) => makeResult(await callOperation(tool, given, context, executor)),
  }
}

/** @returns the tool's result as an object */
async function callOperation(
  { operation, wrapping, name }: OperationTool,
  given: ToolArguments,
  context: RequestContext,
  executor: Executor,
): Promise<Readonly<Record<string, unknown>>> {
  const answer = await executor.executeTool(operation, given, context)
  if (answer === null || answer === undefined)
    throw new Failure('NOT_FOUND', `${name} found no object with that ID, or the object has no such data yet.`)
  const counted = hasCount(answer) ? { ...answer, totalCount: await countRows(answer.totalCount) } : answer
  const object = wrapping === 'none' ? counted : { [wrapping]: counted }
  return withoutTypeNames(object) as Readonly<Record<string, unknown>>
}

/** A tool returns all fields, so the rows of a list are counted. GraphQL counts them only if `totalCount` is selected. */
function hasCount(answer: unknown): answer is { readonly totalCount: unknown } {
  return typeof answer === 'object' && answer !== null && 'totalCount' in answer
}

/** The result as an object for programs, and as JSON text for models that read only text. */
function makeResult(object: Readonly<Record<string, unknown>>): ToolResult {
  return { content: [{ type: 'text', text: JSON.stringify(object) }], structuredContent: object }
}

/** Removes `__typename`, which only GraphQL clients use. */
function withoutTypeNames(value: unknown): unknown {
  if (value === null || typeof value !== 'object') return value
  if (Array.isArray(value)) return value.map(withoutTypeNames)
  const plain: Record<string, unknown> = {}
  for (const [key, own] of Object.entries(value)) if (key !== '__typename') plain[key] = withoutTypeNames(own)
  return plain
}
