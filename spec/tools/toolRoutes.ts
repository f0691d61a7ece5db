/** Tools over REST, for sessions only: the list of tools, and a call of one. */
import * as v from 'valibot'
import { json, named, text } from '../core/types.ts'
import { restRoute } from '../rest/restRoute.ts'
import { toolGroups } from './groups.ts'

const groupId = named('ToolGroupId', 'The group of a tool.', v.picklist(toolGroups.map(({ id }) => id)))

const jsonSchema = v.pipe(v.looseObject({}), v.description('A JSON schema, draft 2020-12, of an object.'))

const tool = named(
  'Tool',
  'A tool that can be called.',
  v.object({
    groupId,
    name: v.string(),
    title: v.string(),
    description: v.string(),
    inputSchema: jsonSchema,
    outputSchema: jsonSchema,
    annotations: named(
      'ToolAnnotations',
      'The effects of a call: whether it only reads, destroys data, has no further effect when repeated, or reaches systems outside of this service.',
      v.object({
        readOnlyHint: v.boolean(),
        destructiveHint: v.boolean(),
        idempotentHint: v.boolean(),
        openWorldHint: v.boolean(),
      }),
    ),
  }),
)

const group = named(
  'ToolGroup',
  'The tool catalog.',
  v.object({ id: groupId, title: v.string(), description: v.string() }),
)

const cause = named(
  'ToolCallCause',
  'The reason why a call failed: the code and the message of the tool’s operation.',
  v.looseObject({ code: v.string(), message: v.string(), retryable: v.boolean() }),
)

export const toolRoutes = {
  getToolCatalog: restRoute({
    name: 'getToolCatalog',
    method: 'GET',
    path: '/api/tools/catalog',
    tag: 'Tools',
    summary: 'List the built-in tools',
    description:
      'Returns the tools with the JSON schemas of their input and output. MCP serves the same tools at `/api/mcp`.',
    access: 'sessions',
    credentialRefusal: 'TOOL_API_UNAUTHORIZED',
    noInternalError: true,
    answers: {
      200: {
        description: 'The groups in the order in which they are shown, and the tools by name.',
        body: v.object({ groups: v.array(group), tools: v.array(tool) }),
      },
    },
    refusals: [],
  }),
  callTool: restRoute({
    name: 'callTool',
    method: 'POST',
    path: '/api/tools/call',
    tag: 'Tools',
    summary: 'Call a tool',
    description:
      'Calls one built-in tool. The audit stores the call without its arguments. `x-request-id` is its correlation ID.',
    access: 'sessions',
    credentialRefusal: 'TOOL_API_UNAUTHORIZED',
    noInternalError: true,
    body: {
      schema: v.strictObject({
        groupId: v.pipe(text({ min: 1, max: 100 }), v.description('The group of the tool.')),
        name: v.pipe(text({ min: 1, max: 100 }), v.description('The name of the tool.')),
        arguments: v.optional(
          v.pipe(v.looseObject({}), v.description('The arguments, by the input schema of the tool.')),
          {},
        ),
      }),
      limit: 'toolBodyBytes',
    },
    bodyRefusal: 'INVALID_TOOL_CALL',
    answers: {
      200: {
        description: 'The output of the tool, by its output schema.',
        body: v.object({ result: json, requestId: v.string() }),
        headers: {
          'RateLimit-Limit': 'The maximum number of calls of the caller in a minute.',
          'RateLimit-Remaining': 'The number of calls that are left in the current minute.',
          'RateLimit-Reset': 'The number of seconds until the minute ends.',
        },
      },
    },
    refusals: [
      { code: 'INVALID_TOOL_CALL', extras: { field: v.optional(v.string()), problem: v.optional(v.string()) } },
      'CODEBASE_NOT_FOUND',
      { code: 'AMBIGUOUS_PATH', extras: { matches: v.optional(v.array(v.looseObject({}))) } },
      { code: 'TOOL_CALL_FAILED', extras: { cause } },
    ],
  }),
} as const
