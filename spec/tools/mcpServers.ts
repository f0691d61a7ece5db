/** External MCP servers, whose tools presets may select. */
import * as v from 'valibot'
import { idempotencyKey } from '../agents/enrollments.ts'
import { connectionOf, pageArguments } from '../core/connections.ts'
import { mutation, query } from '../core/operation.ts'
import { expectedRevision, revision } from '../core/revision.ts'
import { atMost, dateTime, id, idOf, int, json, named, text } from '../core/types.ts'
import { headersToRemove, headersToSet } from './mcpServerHeaders.ts'

/** Tools of one external server in an answer. The setting LIMIT_EXTERNAL_TOOLS can only lower it. */
export const listedToolsMax = 1_000

export const transport = named(
  'McpTransport',
  'How a server is spoken with: Streamable HTTP, or the HTTP with server-sent events that came before it.',
  v.picklist(['STREAMABLE_HTTP', 'SSE']),
)

export const serverSchema = named(
  'McpServer',
  'An external MCP server. The values of its headers are never shown.',
  v.object({
    id,
    status: named(
      'McpServerStatus',
      'How it was found when it was last asked. UNREACHABLE: too many calls failed in a row, so it is left alone until `retryAt`.',
      v.picklist(['UNKNOWN', 'REACHABLE', 'DEGRADED', 'UNREACHABLE', 'DELETED']),
    ),
    enabled: v.pipe(v.boolean(), v.description('A disabled one is not called, and has no tools.')),
    name: v.string(),
    catalogPrefix: v.pipe(v.nullable(v.string()), v.description('Stands before the titles of its tools.')),
    url: v.string(),
    transport,
    headerNames: v.pipe(v.array(v.string()), v.description('Of the headers that are saved for it, in lower case.')),
    toolCount: v.pipe(v.nullable(int), v.description('How many tools it had when they were last looked for.')),
    discoveredAt: v.pipe(
      v.nullable(dateTime),
      v.description('When they were looked for. What has not changed is noted every few minutes at most.'),
    ),
    problem: v.pipe(
      v.nullable(
        named(
          'McpServerProblem',
          'Why a server could not be used when it last was.',
          v.object({ message: v.string(), at: dateTime }),
        ),
      ),
      v.description('Null once it has answered again.'),
    ),
    retryAt: v.pipe(v.nullable(dateTime), v.description('Until when it is left alone.')),
    revision: v.pipe(
      revision,
      v.description(
        'Counts the changes of its name, catalog prefix, endpoint and headers, from 1. Give it back as `expectedRevision`.',
      ),
    ),
    createdAt: dateTime,
  }),
)

export const serverId = v.pipe(idOf('mcpServer'), v.description('As `get_mcp_servers` gives it.'))

export const mcpServers = query({
  name: 'mcpServers',
  description: 'The external MCP servers that were not deleted, newest first.',
  access: 'people',
  tool: {
    group: 'tools',
    name: 'get_mcp_servers',
    title: 'List external MCP servers',
    description:
      'Lists the external MCP servers whose tools can be put into presets, newest first, each with its health and the number of its tools. Call `get_mcp_server_tools` with an ID for the tools themselves.',
  },
  input: v.object(pageArguments),
  output: connectionOf('McpServer', serverSchema),
})

export const mcpServer = query({
  name: 'mcpServer',
  description: 'One external MCP server, by its ID.',
  access: 'people',
  tool: {
    group: 'tools',
    name: 'get_mcp_server',
    title: 'Show an external MCP server',
    description:
      'Gives one external MCP server: where it is, whether it may be used, how it was found when it was last asked, and the last problem with it. The values of its headers are never shown.',
  },
  input: v.object({ id: serverId }),
  output: v.nullable(serverSchema),
})

export const toolsSchema = named(
  'McpServerTools',
  'What an external MCP server advertises, or why that is not known.',
  v.object({
    available: v.boolean(),
    problem: v.nullable(
      named(
        'McpServerToolsProblem',
        'Why the tools of a server are not known.',
        v.object({
          code: named(
            'McpServerProblemCode',
            'Why a server was of no use.',
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
            name: v.pipe(v.string(), v.description('As its server calls it, and as presets name it.')),
            alias: v.pipe(v.string(), v.description('As Signalbox advertises it, and as it is called here.')),
            title: v.nullable(v.string()),
            description: v.nullable(v.string()),
            inputSchema: json,
            outputSchema: v.nullable(json),
          }),
        ),
      ),
      v.description('In the order of their names.'),
    ),
    leftOut: v.pipe(
      atMost(
        listedToolsMax,
        named(
          'McpServerToolLeftOut',
          'What a server advertises and cannot be passed on.',
          v.object({
            name: v.pipe(
              v.nullable(v.string()),
              v.description('Null where it is the rest of a list that is too long.'),
            ),
            reason: v.string(),
          }),
        ),
      ),
      v.description('Tools that no client would take, or that are too many.'),
    ),
  }),
)

export const mcpServerTools = query({
  name: 'mcpServerTools',
  description: 'What an external MCP server advertises, from a listing at most a minute old.',
  access: 'people',
  cost: 100,
  tool: {
    openWorld: true,
    group: 'tools',
    name: 'get_mcp_server_tools',
    title: "List an external MCP server's tools",
    description:
      'Asks an external MCP server for its tools, or answers from a listing at most a minute old: raw name (for presets), alias (under which it is called here), description and schemas; or why they are not known.',
  },
  input: v.object({ serverId }),
  output: toolsSchema,
})

export const url = v.pipe(
  text({ min: 1, max: 2_000 }),
  // Before the transformation, since the description is of the value that is sent, not of the value that is stored.
  v.description('Of its MCP endpoint; for SSE, of the stream. It is shown, so credentials belong in headers.'),
  v.check(isEndpoint, 'must be an http or https URL without user name, password and fragment'),
  v.transform((given) => new URL(given).href),
)

function isEndpoint(given: string): boolean {
  if (!URL.canParse(given)) return false
  const { protocol, username, password, hash } = new URL(given)
  return /^https?:$/.test(protocol) && `${username}${password}${hash}` === ''
}

export const name = v.pipe(text({ min: 1, max: 100 }), v.description('For people.'))
export const catalogPrefix = v.pipe(
  v.nullish(text({ min: 1, max: 40 })),
  v.description('Stands before the titles of its tools. The names of tools do not depend on it.'),
)

const payload = (typeName: string) =>
  named(typeName, 'The server after the change.', v.object({ mcpServer: serverSchema }))

export const createMcpServer = mutation({
  name: 'createMcpServer',
  description:
    'Adds an external MCP server. Headers are set with `setMcpServerHeaders`; its tools are looked for when they are first needed.',
  access: 'people',
  tool: {
    group: 'tools',
    title: 'Add an external MCP server',
    description:
      'Adds an external MCP server by its URL. Call `refresh_mcp_server` next, to see whether it answers. Headers with credentials can’t be given by a tool: a person sets them, with the GraphQL mutation `setMcpServerHeaders`.',
  },
  input: v.object({
    name,
    catalogPrefix,
    url,
    transport: v.pipe(v.nullish(transport), v.description('Default: STREAMABLE_HTTP.')),
    idempotencyKey,
  }),
  output: payload('CreateMcpServerPayload'),
})

export const updateMcpServer = mutation({
  name: 'updateMcpServer',
  description:
    'Changes an external MCP server; what is left out stays. Another host drops its headers; another URL or transport is refused to the runs that there are.',
  access: 'people',
  tool: {
    group: 'tools',
    title: 'Change an external MCP server',
    description:
      'Changes the name, catalog prefix, URL or transport of an external MCP server; what is left out stays. Another host drops the headers that are saved for it, and runs that were made with another URL or transport can call it no more. The names of its tools stay.',
    idempotent: true,
  },
  input: v.object({
    serverId,
    name: v.nullish(name),
    catalogPrefix: v.pipe(v.optional(v.nullable(text({ min: 1, max: 40 }))), v.description('Null takes it away.')),
    url: v.pipe(v.nullish(url), v.description('Its endpoint. Another host drops the saved headers.')),
    transport: v.nullish(transport),
    expectedRevision,
  }),
  output: payload('UpdateMcpServerPayload'),
})

// Not a tool: the arguments and answers of tools are in the model's transcript.
export const setMcpServerHeaders = mutation({
  name: 'setMcpServerHeaders',
  description:
    'Sets and removes headers that are sent to an external MCP server. Values are sealed for its host and never shown again; the next call has them.',
  access: 'people',
  input: v.object({ serverId: idOf('mcpServer'), set: headersToSet, remove: headersToRemove, expectedRevision }),
  output: payload('SetMcpServerHeadersPayload'),
})

export const enableMcpServer = mutation({
  name: 'enableMcpServer',
  description: 'Lets a disabled external MCP server be used again.',
  access: 'people',
  tool: { group: 'tools', title: 'Enable an external MCP server', idempotent: true },
  input: v.object({ serverId }),
  output: payload('EnableMcpServerPayload'),
})

export const disableMcpServer = mutation({
  name: 'disableMcpServer',
  description:
    'Keeps an external MCP server from being used: its tools are not listed and not called until it is enabled.',
  access: 'people',
  tool: { group: 'tools', title: 'Disable an external MCP server', idempotent: true },
  input: v.object({ serverId }),
  output: payload('DisableMcpServerPayload'),
})

export const deleteMcpServer = mutation({
  name: 'deleteMcpServer',
  description:
    'Ends an external MCP server and its headers. Presets that select its tools keep their entries, which lead nowhere.',
  access: 'people',
  tool: { group: 'tools', title: 'Delete an external MCP server', destroys: true, idempotent: true },
  input: v.object({ serverId, expectedRevision }),
  output: payload('DeleteMcpServerPayload'),
})

export const refreshMcpServer = mutation({
  name: 'refreshMcpServer',
  description:
    'Looks now for the tools of an external MCP server, also where it would be left alone, and answers how it was found.',
  access: 'people',
  tool: {
    openWorld: true,
    group: 'tools',
    title: 'Ask an external MCP server again',
    description:
      'Looks now for the tools of an external MCP server, even while it is left alone after failures, and answers how it was found. Call it after the server or its headers were changed; `get_mcp_server_tools` then gives its tools.',
    idempotent: true,
  },
  input: v.object({ serverId }),
  output: payload('RefreshMcpServerPayload'),
})
