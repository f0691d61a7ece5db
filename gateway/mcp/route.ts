/** `/api/mcp`: credential → scope → kind of caller → preset or run → rate limit → MCP. */
import type { McpHttpHandler } from '@modelcontextprotocol/server'
import { Failure } from '../../spec/core/failure.ts'
import { type Principal, principalName } from '../../spec/core/principal.ts'
import { checkJsonHeaders } from '../http/jsonBody.ts'
import type { HttpRequest } from '../http/request.ts'
import type { Answer, Route, RouteCall } from '../http/route.ts'
import { rateLimitHeaders } from '../limits/rateLimiter.ts'
import type { RequestContext } from '../operations/requestContext.ts'
import { loadRunScope } from '../operations/tools/runScope.ts'
import type { ToolRates } from '../operations/tools/toolRates.ts'
import type { ContextOf } from '../operations/worktrees/codebaseRoutes.ts'
import { answeredDirectly } from './direct.ts'
import { type McpRequest, type ProtocolParts, passMcpRequest } from './protocol.ts'
import { mcpRefusal } from './refusal.ts'
import { authorizeScope, type NamedScope, namedScope } from './scope.ts'
import type { ToolCatalog } from './toolCatalog.ts'
import type { ToolCatalogs } from './toolCatalogs.ts'

export interface McpServices {
  readonly protocol: McpHttpHandler
  readonly parts: ProtocolParts
  readonly toolCatalogs: ToolCatalogs
  readonly rates: ToolRates
  readonly bodyBytes: number
  readonly contextOf: ContextOf
}

export function mcpRoute(services: McpServices): Route {
  return {
    method: 'POST',
    path: '/api/mcp',
    access: 'mcp',
    // No page of another site may call it, whatever the credential.
    checksOrigin: 'always',
    refuse: mcpRefusal,
    handle: (call) => handle(call, services),
  }
}

async function handle({ request, principal }: RouteCall, services: McpServices): Promise<Answer> {
  const { rates, bodyBytes } = services
  const scope = namedScope(request.query)
  authorizeScope(scope, principal)
  const { catalog, context } = await opened(scope, request, principal, services)
  const name = principalName(context.principal)
  const single = rates.begin(name)
  request.lifetime.onOver(single.end)
  checkJsonHeaders(request.headers)
  const body = parsed(await request.body.read(bodyBytes))
  const batch = beginBatch(body, name, rates)
  if (batch) request.lifetime.onOver(batch.end)
  const mcpRequest = { catalog, context, address: request.address, signal: request.lifetime.signal }
  const answer =
    (await answeredDirectly(request.headers, body, mcpRequest, services.parts)) ??
    (await exchanged(request, body, mcpRequest, services))
  return { ...answer, headers: { ...answer.headers, ...rateLimitHeaders((batch ?? single).budget) } }
}

/** Begins the calls of a batch beyond the first, which began before the body was read. @throws Failure */
function beginBatch(body: unknown, principal: string, rates: ToolRates) {
  if (!Array.isArray(body) || body.length < 2) return undefined
  if (body.length > rates.largestBatch)
    throw new Failure(
      'BAD_USER_INPUT',
      `The batch has ${body.length} messages, and at most ${rates.largestBatch} calls may be in flight. Send smaller batches.`,
      { details: { messages: body.length, limit: rates.largestBatch } },
    )
  return rates.begin(principal, body.length - 1)
}

async function opened(
  scope: NamedScope,
  request: HttpRequest,
  principal: Principal,
  { toolCatalogs, contextOf }: McpServices,
): Promise<{ readonly catalog: ToolCatalog; readonly context: RequestContext }> {
  const context = contextOf(request, principal)
  if (scope.type === 'all') return { catalog: toolCatalogs.all, context }
  if (scope.type === 'preset') return { catalog: await toolCatalogs.ofPreset(scope.presetId, context.views), context }
  const run = await loadRunScope(scope.runId, principal, context.views)
  // With either of the two credentials, the calls act as the run.
  return { catalog: toolCatalogs.ofRun(run), context: { ...context, principal: run.principal } }
}

function parsed(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString())
  } catch {
    throw new Failure('BAD_USER_INPUT', 'The body is not JSON.', { details: { parseError: true } })
  }
}

/** Selects the headers that the protocol reads. */
const isOfProtocol = (name: string): boolean => name === 'content-type' || name === 'accept' || name.startsWith('mcp-')

async function exchanged(
  { headers, lifetime }: HttpRequest,
  parsedBody: unknown,
  mcpRequest: McpRequest,
  { protocol }: McpServices,
): Promise<Answer> {
  const given = [...headers].filter(([name]) => isOfProtocol(name))
  const request = new Request('http://localhost/api/mcp', { method: 'POST', headers: given, signal: lifetime.signal })
  return await answerOf(await protocol.fetch(request, { parsedBody, authInfo: passMcpRequest(mcpRequest) }))
}

async function answerOf(response: Response): Promise<Answer> {
  const { status, body } = response
  const headers = Object.fromEntries(response.headers)
  if (body === null) return { status, headers }
  if (headers['content-type']?.startsWith('text/event-stream')) return { status, headers, stream: body }
  return { status, headers, body: await response.text() }
}
