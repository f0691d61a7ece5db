/** Tools over REST: the catalog, and single calls with the same checks and the same audit as over MCP. */
import { Failure } from '../../spec/core/failure.ts'
import { principalName } from '../../spec/core/principal.ts'
import { toolGroups } from '../../spec/tools/groups.ts'
import { toolRoutes } from '../../spec/tools/toolRoutes.ts'
import { json } from '../http/answer.ts'
import type { Answer } from '../http/route.ts'
import { rateLimitHeaders } from '../limits/rateLimiter.ts'
import type { ToolServices } from '../mcp/services.ts'
import { type RestCall, type ServedRoute, serve } from '../operations/restHandler.ts'
import { callWithAudit } from '../operations/tools/callWithAudit.ts'

export function servedTools(services: ToolServices): readonly ServedRoute[] {
  return [
    serve(toolRoutes.getToolCatalog, () => answerCatalog(services)),
    serve(toolRoutes.callTool, (call) => answerCall(call, services)),
  ]
}

function answerCatalog({ builtin }: ToolServices): Answer {
  const tools = [...builtin.values()].map(
    ({ group: groupId, name, title, description, inputSchema, outputSchema, annotations }) => {
      return { groupId, name, title, description, inputSchema, outputSchema, annotations }
    },
  )
  return json(200, { groups: toolGroups, tools })
}

interface ToolCallInput {
  readonly groupId: string
  readonly name: string
  readonly arguments: Readonly<Record<string, unknown>>
}

async function answerCall(
  { request, principal, input }: RestCall<ToolCallInput>,
  services: ToolServices,
): Promise<Answer> {
  const { builtin, toolCatalogs, rates, audit, contextOf } = services
  const { budget, end } = rates.begin(principalName(principal))
  request.lifetime.onOver(end)
  const tool = builtin.get(input.name)
  const served = tool?.group === input.groupId ? toolCatalogs.all.tools.get(input.name) : undefined
  const origin = { source: 'TOOLS_API', scopeId: null, address: request.address } as const
  const call = { context: contextOf(request, principal), signal: request.lifetime.signal }
  // A call of an unknown tool has a record too.
  const outcome = await callWithAudit(served, input.arguments, call, origin, audit)
  if (served === undefined) throw unknownTool(input)
  if (!outcome.ok) throw asToolFailure(outcome.problem)
  const { structuredContent } = outcome.result
  return json(200, { result: structuredContent, requestId: request.requestId }, rateLimitHeaders(budget))
}

function unknownTool({ groupId, name }: ToolCallInput): Failure {
  return new Failure('INVALID_TOOL_CALL', `There is no tool ${name} in the group ${groupId}: see /api/tools/catalog.`, {
    details: { field: 'name' },
  })
}

/**
 * Wrong arguments are INVALID_TOOL_CALL. Errors of a path keep their code. All others are TOOL_CALL_FAILED, with the operation's code as the
 * cause.
 */
function asToolFailure(problem: Error & { readonly code: string }): Failure {
  if (!(problem instanceof Failure)) return toolCallFailed(problem.code, problem.message, false)
  const { code, message, details } = problem
  if (code === 'BAD_USER_INPUT') return new Failure('INVALID_TOOL_CALL', message, { details: prefixed(details) })
  if (code === 'CODEBASE_NOT_FOUND' || code === 'AMBIGUOUS_PATH') return problem
  return toolCallFailed(code, message, problem.retryable, details)
}

function toolCallFailed(code: string, message: string, retryable: boolean, details: object = {}): Failure {
  return new Failure('TOOL_CALL_FAILED', message, { details: { cause: { ...details, code, message, retryable } } })
}

/** Adds the prefix of the arguments to a field's path, so that it is the path in the body. */
function prefixed(details: Failure['details'] = {}): Readonly<Record<string, unknown>> {
  return typeof details.field === 'string' ? { ...details, field: `arguments.${details.field}` } : details
}
