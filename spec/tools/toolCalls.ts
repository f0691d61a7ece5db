/** The audit log of tool calls, as users see it. */
import * as v from 'valibot'
import { pageArguments, pageInfo } from '../core/connections.ts'
import { query } from '../core/operation.ts'
import { dateTime, id, named, text } from '../core/types.ts'
import { instant } from '../telemetry/instant.ts'
import { toolCallOutcomes, toolCallSources } from './audit.ts'

const nullableText = v.nullable(v.string())

const outcome = named(
  'McpToolCallOutcome',
  'The outcome of a tool call. TOOL_ERROR: the tool reported an error. PROTOCOL_ERROR: the call was refused. TRANSPORT_ERROR: ' +
    'the connection to an external server failed. CANCELED: the caller disconnected or canceled the call.',
  v.picklist(toolCallOutcomes),
)

export const toolCall = named(
  'McpToolCall',
  'The audit record of a tool call. It does not contain the arguments.',
  v.object({
    at: v.pipe(dateTime, v.description('The time at which the call began.')),
    durationMs: v.pipe(v.number(), v.description('The milliseconds from the beginning of the call to its result.')),
    caller: v.pipe(
      v.string(),
      v.description(
        'The ID of the user or of the API key that called. For a call of a run: `agent:<agentId>@<address>`.',
      ),
    ),
    requestedById: v.pipe(id, v.description('The ID of the user, API key or run that called.')),
    source: named(
      'McpToolCallSource',
      'The endpoint of a call: /api/mcp without parameters, with ?preset= or with ?run=, or /api/tools/call.',
      v.picklist(toolCallSources),
    ),
    scopeId: v.pipe(
      v.nullable(id),
      v.description('The ID of the preset or the run of the endpoint. Null if there is none.'),
    ),
    tool: v.pipe(
      nullableText,
      v.description('The name of the called tool. Null if the name could not be that of a tool.'),
    ),
    serverId: v.pipe(v.nullable(id), v.description('The ID of the external MCP server. Null for a built-in tool.')),
    rawName: v.pipe(
      nullableText,
      v.description('The name that the external server gives the tool. Null for a built-in tool.'),
    ),
    argumentsSha256: v.pipe(v.string(), v.description('The SHA-256 of the arguments as canonical JSON (RFC 8785).')),
    requestId: v.pipe(v.string(), v.description('The correlation ID: the `x-request-id` of the request.')),
    outcome,
    code: v.pipe(nullableText, v.description('The code of the error. Null if the call succeeded.')),
  }),
)

/** The connection has no count, because counting would read all rows. */
const connection = named(
  'McpToolCallConnection',
  'A page of tool calls.',
  v.object({
    edges: v.array(
      named('McpToolCallEdge', 'One tool call of a list.', v.object({ cursor: v.string(), node: toolCall })),
    ),
    nodes: v.array(toolCall),
    pageInfo,
  }),
)

/** The filters of a list. A call must match all given ones. */
const filters = {
  caller: v.pipe(
    v.nullish(text({ min: 1, max: 300 })),
    v.description('Returns only calls of this caller: `usr_…`, `key_…` or `agent:agt_…@<address>`.'),
  ),
  tool: v.pipe(v.nullish(text({ min: 1, max: 64 })), v.description('Returns only calls of the tool with this name.')),
  scopeId: v.pipe(
    v.nullish(text({ min: 1, max: 100 })),
    v.description('Returns only calls under this preset or run, by its ID.'),
  ),
  serverId: v.pipe(
    v.nullish(text({ min: 1, max: 100 })),
    v.description('Returns only calls to this external MCP server, by its ID.'),
  ),
  requestId: v.pipe(
    v.nullish(text({ min: 1, max: 128 })),
    v.description('Returns only calls of the request with this `x-request-id`.'),
  ),
  outcomes: v.pipe(
    v.nullish(v.pipe(v.array(outcome), v.minLength(1), v.maxLength(toolCallOutcomes.length))),
    v.description('Returns only calls with one of these outcomes.'),
  ),
  from: v.pipe(v.nullish(instant), v.description('Returns only calls that began at or after this time.')),
  to: v.pipe(v.nullish(instant), v.description('Returns only calls that began before this time.')),
}

export const input = v.object({
  ...filters,
  first: pageArguments.first,
  after: pageArguments.after,
})

export const mcpToolCalls = query({
  name: 'mcpToolCalls',
  description: 'Returns the audit records of tool calls, newest first. The list can only be read forward.',
  access: 'people',
  tool: {
    group: 'tools',
    name: 'get_mcp_tool_calls',
    title: 'List tool calls',
    description:
      'Lists the audit records of tool calls, newest first: caller, tool, endpoint, duration and outcome. Arguments are never ' +
      'stored, only their hash. `outcomes` finds failed calls, `requestId` the calls of one request, and `scopeId` the calls ' +
      'of a run. `after: pageInfo.endCursor` continues the list.',
  },
  cost: 100,
  input,
  output: connection,
})
