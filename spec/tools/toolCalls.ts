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
  'How a tool call ended. TOOL_ERROR: the tool said that it failed. PROTOCOL_ERROR: the call was refused. TRANSPORT_ERROR: an external server could not be spoken with. CANCELED: the caller went away.',
  v.picklist(toolCallOutcomes),
)

export const toolCall = named(
  'McpToolCall',
  'What is kept of a tool call. Its arguments are not.',
  v.object({
    at: v.pipe(dateTime, v.description('When it began.')),
    durationMs: v.pipe(v.number(), v.description('Until its result was there.')),
    caller: v.pipe(
      v.string(),
      v.description('The ID of a user or of an API key; `agent:<agentId>@<address>` of a run.'),
    ),
    requestedById: v.pipe(id, v.description('The ID of the user, API key or run that called.')),
    source: named(
      'McpToolCallSource',
      'By which way a tool was called: /api/mcp by itself, with ?preset= or with ?run=, or /api/tools/call.',
      v.picklist(toolCallSources),
    ),
    scopeId: v.pipe(v.nullable(id), v.description('The preset or the run under which it was called.')),
    tool: v.pipe(nullableText, v.description('The name that was called; null where it could be no tool’s.')),
    serverId: v.pipe(v.nullable(id), v.description('Of an external tool: its server.')),
    rawName: v.pipe(nullableText, v.description('Of an external tool: how its server calls it.')),
    argumentsSha256: v.pipe(v.string(), v.description('SHA-256 of the arguments as canonical JSON (RFC 8785).')),
    requestId: v.pipe(v.string(), v.description('The correlation ID: `x-request-id` of the request.')),
    outcome,
    code: v.pipe(nullableText, v.description('Of a call that failed: the error’s code.')),
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
    v.description('Who called, as `caller` shows it: `usr_…`, `key_…` or `agent:agt_…@<address>`.'),
  ),
  tool: v.pipe(v.nullish(text({ min: 1, max: 64 })), v.description('The name under which it was called.')),
  scopeId: v.pipe(v.nullish(text({ min: 1, max: 100 })), v.description('The ID of a preset or a run.')),
  serverId: v.pipe(v.nullish(text({ min: 1, max: 100 })), v.description('The ID of an external MCP server.')),
  requestId: v.pipe(v.nullish(text({ min: 1, max: 128 })), v.description('The `x-request-id` of the request.')),
  outcomes: v.pipe(
    v.nullish(v.pipe(v.array(outcome), v.minLength(1), v.maxLength(toolCallOutcomes.length))),
    v.description('How they ended.'),
  ),
  from: v.pipe(v.nullish(instant), v.description('The earliest time at which a call began.')),
  to: v.pipe(v.nullish(instant), v.description('The time before which they began.')),
}

export const input = v.object({
  ...filters,
  first: pageArguments.first,
  after: pageArguments.after,
})

export const mcpToolCalls = query({
  name: 'mcpToolCalls',
  description: 'The audit of tool calls, newest first. The list goes forward only.',
  access: 'people',
  tool: {
    group: 'tools',
    name: 'get_mcp_tool_calls',
    title: 'List tool calls',
    description:
      'The audit of tool calls, newest first: who called which tool, by which way, how long it took and how it ended. Arguments are ' +
      'never kept, only their hash. Ask for `outcomes` to find what failed, for `requestId` to follow one request, for `scopeId` to ' +
      'see what a run did; go on with `after: pageInfo.endCursor`.',
  },
  cost: 100,
  input,
  output: connection,
})
