/** External MCP servers, whose tools presets may select. */
import * as v from 'valibot'
import { connectionOf, pageArguments } from '../core/connections.ts'
import { idempotencyKey } from '../core/idempotencyKey.ts'
import { mutation, query } from '../core/operation.ts'
import { expectedRevision, revision } from '../core/revision.ts'
import { atMost, dateTime, id, idOf, int, json, named, text } from '../core/types.ts'
import { headersToRemove, headersToSet } from './mcpServerHeaders.ts'

/** Tools of one external server in an answer. The setting LIMIT_EXTERNAL_TOOLS can only lower it. */
export const listedToolsMax = 1_000

export const transport = named(
  'McpTransport',
  'The MCP transport of a server: Streamable HTTP, or the older HTTP with server-sent events.',
  v.picklist(['STREAMABLE_HTTP', 'SSE']),
)

export const serverSchema = named(
  'McpServer',
  'An external MCP server. The values of its headers are never returned.',
  v.object({
    id,
    status: named(
      'McpServerStatus',
      'The result of the last request to the server. UNREACHABLE: too many consecutive calls failed, so the server is not called until `retryAt`.',
      v.picklist(['UNKNOWN', 'REACHABLE', 'DEGRADED', 'UNREACHABLE', 'DELETED']),
    ),
    enabled: v.pipe(
      v.boolean(),
      v.description('Whether the server is enabled. A disabled server is not called and has no tools.'),
    ),
    name: v.string(),
    catalogPrefix: v.pipe(
      v.nullable(v.string()),
      v.description('The prefix of the titles of the server’s tools. Null if there is none.'),
    ),
    url: v.string(),
    transport,
    headerNames: v.pipe(v.array(v.string()), v.description('The names of the saved headers, in lower case.')),
    toolCount: v.pipe(
      v.nullable(int),
      v.description('The number of tools in the last listing. Null if there was none.'),
    ),
    discoveredAt: v.pipe(
      v.nullable(dateTime),
      v.description('The time of the last listing. An unchanged listing updates it at most every few minutes.'),
    ),
    problem: v.pipe(
      v.nullable(
        named(
          'McpServerProblem',
          'The last reason why a server could not be used.',
          v.object({ message: v.string(), at: dateTime }),
        ),
      ),
      v.description('The last problem of the server. Null after the server has answered again.'),
    ),
    retryAt: v.pipe(
      v.nullable(dateTime),
      v.description('The time until which the server is not called. Null if it is called.'),
    ),
    revision: v.pipe(
      revision,
      v.description(
        'The number of changes of the name, catalog prefix, endpoint and headers, from 1. Pass it as `expectedRevision`.',
      ),
    ),
    createdAt: dateTime,
  }),
)

export const serverId = v.pipe(
  idOf('mcpServer'),
  v.description('The ID of the server, as `get_mcp_servers` returns it.'),
)

export const mcpServers = query({
  name: 'mcpServers',
  description: 'Returns the external MCP servers that were not deleted, newest first.',
  access: 'people',
  tool: {
    group: 'tools',
    name: 'get_mcp_servers',
    title: 'List external MCP servers',
    description:
      'Lists the external MCP servers whose tools can be in presets, newest first, each with its health and the number of its tools. `get_mcp_server_tools` returns the tools of one server.',
  },
  input: v.object(pageArguments),
  output: connectionOf('McpServer', serverSchema),
})

export const mcpServer = query({
  name: 'mcpServer',
  description: 'Returns one external MCP server, by its ID.',
  access: 'people',
  tool: {
    group: 'tools',
    name: 'get_mcp_server',
    title: 'Get an external MCP server',
    description:
      'Returns one external MCP server: its URL, whether it is enabled, the result of the last request to it, and its last problem. The values of its headers are never returned.',
  },
  input: v.object({ id: serverId }),
  output: v.nullable(serverSchema),
})

export const toolsSchema = named(
  'McpServerTools',
  'The tools that an external MCP server advertises, or the reason why they are not known.',
  v.object({
    available: v.boolean(),
    problem: v.nullable(
      named(
        'McpServerToolsProblem',
        'The reason why the tools of a server are not known.',
        v.object({
          code: named(
            'McpServerProblemCode',
            'The reason why a server could not be used.',
            v.picklist(['NOT_FOUND', 'DISABLED', 'UNREACHABLE', 'CIRCUIT_OPEN']),
          ),
          message: v.string(),
        }),
      ),
    ),
    tools: v.pipe(
      atMost(
        listedToolsMax,
        named(
          'McpServerTool',
          'A tool of an external MCP server.',
          v.object({
            name: v.pipe(v.string(), v.description('The name that the server gives the tool. Presets use it.')),
            alias: v.pipe(v.string(), v.description('The name under which Signalbox advertises and calls the tool.')),
            title: v.nullable(v.string()),
            description: v.nullable(v.string()),
            inputSchema: json,
            outputSchema: v.nullable(json),
          }),
        ),
      ),
      v.description('The tools, in the order of their names.'),
    ),
    leftOut: v.pipe(
      atMost(
        listedToolsMax,
        named(
          'McpServerToolLeftOut',
          'A tool that a server advertises and that Signalbox cannot forward.',
          v.object({
            name: v.pipe(
              v.nullable(v.string()),
              v.description('The name that the server gives the tool. Null for the rest of a list that is too long.'),
            ),
            reason: v.string(),
          }),
        ),
      ),
      v.description('The tools that clients do not accept, or that exceed the limit.'),
    ),
  }),
)

export const mcpServerTools = query({
  name: 'mcpServerTools',
  description: 'Returns the tools that an external MCP server advertises, from a listing that is at most a minute old.',
  access: 'people',
  cost: 100,
  tool: {
    openWorld: true,
    group: 'tools',
    name: 'get_mcp_server_tools',
    title: "List an external MCP server's tools",
    description:
      'Lists the tools of an external MCP server, from a listing that is at most a minute old: raw name (for presets), alias ' +
      '(the name to call here), description and schemas. If the tools are not known, it returns the reason.',
  },
  input: v.object({ serverId }),
  output: toolsSchema,
})

export const url = v.pipe(
  text({ min: 1, max: 2_000 }),
  // Before the transformation, since the description is of the value that is sent, not of the value that is stored.
  v.description(
    'The URL of the MCP endpoint, or of the stream for SSE. It is visible to all users: put credentials into headers.',
  ),
  v.check(isEndpoint, 'must be an http or https URL without user name, password and fragment'),
  v.transform((given) => new URL(given).href),
)

function isEndpoint(given: string): boolean {
  if (!URL.canParse(given)) return false
  const { protocol, username, password, hash } = new URL(given)
  return /^https?:$/.test(protocol) && `${username}${password}${hash}` === ''
}

export const name = v.pipe(text({ min: 1, max: 100 }), v.description('The name of the server, for users.'))
export const catalogPrefix = v.pipe(
  v.nullish(text({ min: 1, max: 40 })),
  v.description('The prefix of the titles of the server’s tools. The names of the tools do not depend on it.'),
)

const payload = (typeName: string) =>
  named(typeName, 'The server after the change.', v.object({ mcpServer: serverSchema }))

export const createMcpServer = mutation({
  name: 'createMcpServer',
  description:
    'Adds an external MCP server. `setMcpServerHeaders` sets its headers. Its tools are listed when they are first needed.',
  access: 'people',
  tool: {
    group: 'tools',
    title: 'Add an external MCP server',
    description:
      'Adds an external MCP server by its URL. Call `refresh_mcp_server` next, to check whether it answers. Tools cannot set ' +
      'headers with credentials: a user sets them with the GraphQL mutation `setMcpServerHeaders`.',
  },
  input: v.object({
    name,
    catalogPrefix,
    url,
    transport: v.pipe(v.nullish(transport), v.description('The MCP transport. Default: STREAMABLE_HTTP.')),
    idempotencyKey,
  }),
  output: payload('CreateMcpServerPayload'),
})

export const updateMcpServer = mutation({
  name: 'updateMcpServer',
  description:
    'Changes an external MCP server. Omitted fields do not change. A new host removes the saved headers. With a new URL or transport, existing runs can no longer call the server.',
  access: 'people',
  tool: {
    group: 'tools',
    title: 'Change an external MCP server',
    description:
      'Changes the name, catalog prefix, URL or transport of an external MCP server. Omitted fields do not change. The names ' +
      'of its tools do not change. A new host removes the saved headers. With a new URL or transport, existing runs can no ' +
      'longer call the server.',
    idempotent: true,
  },
  input: v.object({
    serverId,
    name: v.nullish(name),
    catalogPrefix: v.pipe(
      v.optional(v.nullable(text({ min: 1, max: 40 }))),
      v.description('The prefix of the titles of the server’s tools. Null removes it.'),
    ),
    url: v.pipe(v.nullish(url), v.description('The URL of the server. A new host removes the saved headers.')),
    transport: v.nullish(transport),
    expectedRevision,
  }),
  output: payload('UpdateMcpServerPayload'),
})

// Not a tool: the arguments and answers of tools are in the model's transcript.
export const setMcpServerHeaders = mutation({
  name: 'setMcpServerHeaders',
  description:
    'Sets and removes headers that are sent to an external MCP server. Their values are encrypted, bound to its host, and never returned. The next call sends them.',
  access: 'people',
  input: v.object({ serverId: idOf('mcpServer'), set: headersToSet, remove: headersToRemove, expectedRevision }),
  output: payload('SetMcpServerHeadersPayload'),
})

export const enableMcpServer = mutation({
  name: 'enableMcpServer',
  description: 'Enables a disabled external MCP server.',
  access: 'people',
  tool: { group: 'tools', title: 'Enable an external MCP server', idempotent: true },
  input: v.object({ serverId }),
  output: payload('EnableMcpServerPayload'),
})

export const disableMcpServer = mutation({
  name: 'disableMcpServer',
  description: 'Disables an external MCP server: its tools are not listed and not called until it is enabled.',
  access: 'people',
  tool: { group: 'tools', title: 'Disable an external MCP server', idempotent: true },
  input: v.object({ serverId }),
  output: payload('DisableMcpServerPayload'),
})

export const deleteMcpServer = mutation({
  name: 'deleteMcpServer',
  description:
    'Deletes an external MCP server and its headers. Presets keep the entries for its tools, which are no longer available.',
  access: 'people',
  tool: { group: 'tools', title: 'Delete an external MCP server', destroys: true, idempotent: true },
  input: v.object({ serverId, expectedRevision }),
  output: payload('DeleteMcpServerPayload'),
})

export const refreshMcpServer = mutation({
  name: 'refreshMcpServer',
  description:
    'Lists the tools of an external MCP server now, even if the server is not called after failures, and returns the result.',
  access: 'people',
  tool: {
    openWorld: true,
    group: 'tools',
    title: 'Refresh an external MCP server',
    description:
      'Lists the tools of an external MCP server now, even if the server is not called after failures, and returns the server ' +
      'with the result. Use it after the server or its headers were changed. `get_mcp_server_tools` then returns its tools.',
    idempotent: true,
  },
  input: v.object({ serverId }),
  output: payload('RefreshMcpServerPayload'),
})
