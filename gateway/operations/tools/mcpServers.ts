import type * as v from 'valibot'
import type { TypedRow } from '../../../machines/rows.ts'
import type { ActorEvent } from '../../../spec/core/actor.ts'
import { principalName } from '../../../spec/core/principal.ts'
import { expecting } from '../../../spec/core/revision.ts'
import { toDateTime } from '../../../spec/core/types.ts'
import type { Discovery } from '../../../spec/tools/external.ts'
import {
  createMcpServer,
  deleteMcpServer,
  disableMcpServer,
  enableMcpServer,
  mcpServer,
  mcpServers,
  mcpServerTools,
  refreshMcpServer,
  serverSchema,
  setMcpServerHeaders,
  type toolsSchema,
  updateMcpServer,
} from '../../../spec/tools/mcpServers.ts'
import { pageOfRows } from '../core/connections.ts'
import { oneMessage, rowAt } from '../core/replies.ts'
import { requireRow } from '../core/rows.ts'
import { handle } from '../handler.ts'
import type { ObjectType } from '../objectType.ts'
import type { RequestContext } from '../requestContext.ts'
import { readHeaderChanges } from './mcpServerHeaders.ts'

const dateTimeOrNull = (at: number | null): string | null => (at === null ? null : toDateTime(at))

function toServerObject(row: TypedRow<'mcpServer'>): v.InferInput<typeof serverSchema> {
  const { name, catalogPrefix, url, transport, headers, toolCount, discoveredAt, problem, openUntil, revision } =
    row.context
  return {
    id: row.id,
    status: row.columns.status as v.InferInput<typeof serverSchema>['status'],
    enabled: (row.value as { readonly use?: unknown }).use === 'ENABLED',
    name,
    catalogPrefix,
    url,
    transport,
    headerNames: Object.keys(headers).sort(),
    toolCount,
    discoveredAt: dateTimeOrNull(discoveredAt),
    problem: problem && { message: problem.message, at: toDateTime(problem.at) },
    retryAt: dateTimeOrNull(openUntil),
    revision,
    createdAt: toDateTime(row.createdAt),
  }
}

export const mcpServerType: ObjectType<'mcpServer', typeof serverSchema> = {
  name: 'McpServer',
  kind: 'mcpServer',
  schema: serverSchema,
  relations: {},
  fromRow: toServerObject,
}

function toToolsObject(discovery: Discovery): v.InferInput<typeof toolsSchema> {
  if (!discovery.available) return { available: false, problem: discovery.problem, tools: [], leftOut: [] }
  return {
    available: true,
    problem: null,
    tools: discovery.tools.map(({ rawName, definition }) => ({
      name: rawName,
      alias: definition.name,
      title: definition.title ?? null,
      description: definition.description ?? null,
      inputSchema: definition.inputSchema,
      outputSchema: definition.outputSchema ?? null,
    })),
    leftOut: (discovery.leftOut ?? []).map(({ rawName: name, reason }) => ({ name, reason })),
  }
}

const sendToServer = (id: string, event: ActorEvent) =>
  oneMessage({ to: { kind: 'mcpServer', id }, event }, (row) => ({ mcpServer: toServerObject(row) }))

function encryptHeaders(
  values: ReadonlyMap<string, string>,
  owner: string,
  origin: string,
  { secrets }: RequestContext<'secrets'>,
): Record<string, string> {
  const binding = { owner, origin }
  return Object.fromEntries(
    [...values].map(([name, value]) => [name, secrets.seal('externalCredential', value, binding)]),
  )
}

export const mcpServerHandlers = [
  handle(mcpServers, ['views'], {
    read: (page, { views }) => pageOfRows(views, { kind: 'mcpServer', terminal: false }, page, toServerObject),
  }),
  handle(mcpServer, ['views'], {
    read: async (input, { views }) => {
      const row = await views.get('mcpServer', input.id)
      return row === undefined ? null : toServerObject(row)
    },
  }),
  handle(mcpServerTools, ['views', 'externalTools'], {
    read: async (input, { views, externalTools }) => {
      await requireRow(views, 'mcpServer', input.serverId)
      return toToolsObject(await externalTools.discover(input.serverId))
    },
  }),
  handle(createMcpServer, ['ids'], {
    translate: ({ name, catalogPrefix, url, transport }, { ids, now, principal }) => {
      const create = {
        name,
        catalogPrefix: catalogPrefix ?? null,
        url,
        transport: transport ?? 'STREAMABLE_HTTP',
        createdBy: principalName(principal),
        createdAt: now,
      }
      return oneMessage(
        { to: { kind: 'mcpServer', id: ids.newId('mcpServer') }, event: { type: 'create' }, create },
        (row) => ({ mcpServer: toServerObject(row) }),
      )
    },
  }),
  handle(updateMcpServer, [], {
    translate: ({ serverId, name, catalogPrefix, url, transport, expectedRevision }) =>
      sendToServer(serverId, {
        type: 'configure',
        ...expecting(expectedRevision),
        ...(name ? { name } : {}),
        ...(catalogPrefix === undefined ? {} : { catalogPrefix }),
        ...(url ? { url } : {}),
        ...(transport ? { transport } : {}),
      }),
  }),
  handle(setMcpServerHeaders, ['views', 'secrets'], {
    translate: async (input, context) => {
      const { set, remove } = readHeaderChanges(input)
      const row = await requireRow(context.views, 'mcpServer', input.serverId)
      const { origin } = new URL(row.context.url)
      return sendToServer(input.serverId, {
        type: 'setHeaders',
        origin,
        set: encryptHeaders(set, row.id, origin, context),
        remove,
        ...expecting(input.expectedRevision),
      })
    },
  }),
  handle(enableMcpServer, [], {
    translate: ({ serverId }) => sendToServer(serverId, { type: 'enable' }),
  }),
  handle(disableMcpServer, [], {
    translate: ({ serverId }) => sendToServer(serverId, { type: 'disable' }),
  }),
  handle(deleteMcpServer, [], {
    translate: ({ serverId, expectedRevision }) =>
      sendToServer(serverId, { type: 'delete', ...expecting(expectedRevision) }),
  }),
  handle(refreshMcpServer, ['views', 'externalTools'], {
    translate: ({ serverId }, { views, externalTools }) => ({
      messages: [{ to: { kind: 'mcpServer', id: serverId }, event: { type: 'refresh' } }],
      answer: async (replies) => {
        await externalTools.discover(rowAt('mcpServer', replies).id, { maxAgeMs: 0 })
        return { mcpServer: toServerObject(await requireRow(views, 'mcpServer', serverId)) }
      },
    }),
  }),
]
