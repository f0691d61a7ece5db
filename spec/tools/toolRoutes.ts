/** Tools over REST, for sessions only: the list of tools, and a call of one. */
import * as v from 'valibot'
import { json, named, text } from '../core/types.ts'
import { restRoute } from '../rest/restRoute.ts'
import { toolGroups } from './groups.ts'

const groupId = named('ToolGroupId', 'Where a tool stands.', v.picklist(toolGroups.map(({ id }) => id)))

const jsonSchema = v.pipe(v.looseObject({}), v.description('A JSON schema, draft 2020-12, of an object.'))

const tool = named(
  'Tool',
  'Something that can be called.',
  v.object({
    groupId,
    name: v.string(),
    title: v.string(),
    description: v.string(),
    inputSchema: jsonSchema,
    outputSchema: jsonSchema,
    annotations: named(
      'ToolAnnotations',
      'What a call does: whether it only reads, destroys something, changes nothing more when repeated, or reaches beyond this service.',
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
  'A shelf of tools.',
  v.object({ id: groupId, title: v.string(), description: v.string() }),
)

const cause = named(
  'ToolCallCause',
  'Why a call failed: the code and the words of the operation behind the tool.',
  v.looseObject({ code: v.string(), message: v.string(), retryable: v.boolean() }),
)

export const toolRoutes = {
  getToolCatalog: restRoute({
    name: 'getToolCatalog',
    method: 'GET',
    path: '/api/tools/catalog',
    tag: 'Tools',
    summary: 'All built-in tools',
    description: 'With the JSON schemas of what they take and answer. MCP serves the same tools at `/api/mcp`.',
    access: 'sessions',
    credentialRefusal: 'TOOL_API_UNAUTHORIZED',
    noInternalError: true,
    answers: {
      200: {
        description: 'Groups in the order in which people see them, tools by name.',
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
      'Carries out one built-in tool. A record of the call is kept, without its arguments. `x-request-id` is its correlation ID.',
    access: 'sessions',
    credentialRefusal: 'TOOL_API_UNAUTHORIZED',
    noInternalError: true,
    body: {
      schema: v.strictObject({
        groupId: v.pipe(text({ min: 1, max: 100 }), v.description('The group that the tool stands in.')),
        name: v.pipe(text({ min: 1, max: 100 }), v.description("The tool's name.")),
        arguments: v.optional(v.pipe(v.looseObject({}), v.description('As its input schema says.')), {}),
      }),
      limit: 'toolBodyBytes',
    },
    bodyRefusal: 'INVALID_TOOL_CALL',
    answers: {
      200: {
        description: 'What the tool answered, as its output schema says.',
        body: v.object({ result: json, requestId: v.string() }),
        headers: {
          'RateLimit-Limit': 'Calls that the caller may make in a minute.',
          'RateLimit-Remaining': 'How many of them are left.',
          'RateLimit-Reset': 'Seconds until the minute is over.',
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
