/** Calls built-in tools: executes the tool's operation, with the same checks as on the other surfaces. */
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
  if (answer === null || answer === undefined) throw new Failure('NOT_FOUND', `${name} found no object with that ID.`)
  const counted = hasCount(answer) ? { ...answer, totalCount: await countRows(answer.totalCount) } : answer
  const object = wrapping === 'none' ? counted : { [wrapping]: counted }
  return withoutTypeNames(object) as Readonly<Record<string, unknown>>
}

/** The answer of a tool has all fields, so a list is counted. */
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
