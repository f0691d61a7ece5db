/** The external MCP servers whose tools presets select. */
import type { TypedRow } from '../../../../machines/rows.ts'
import type { Discovery, ExternalDiscovery } from '../../../../spec/tools/external.ts'
import { everyRow } from '../../core/everyRow.ts'
import type { TypedViews } from '../../typedViews.ts'

/** The names of servers by ID. Deleted servers are omitted. */
export async function loadServerNames(
  views: Pick<TypedViews, 'getMany'>,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const rows =
    ids.length === 0 ? new Map<string, TypedRow<'mcpServer'>>() : await views.getMany('mcpServer', [...new Set(ids)])
  return new Map([...rows.values()].flatMap((row) => nameEntries(row)))
}

/** The IDs of all external MCP servers that were not deleted, also of those that are disabled. */
export async function loadConfiguredServerIds(views: Pick<TypedViews, 'list'>): Promise<readonly string[]> {
  return (await everyRow(views, { kind: 'mcpServer', terminal: false })).map(({ id }) => id)
}

function nameEntries(row: TypedRow<'mcpServer'>): (readonly [string, string])[] {
  const { name } = row.context
  return row.columns.terminal ? [] : [[row.id, name]]
}

/** Returns the tools of each server by the ID of the server, or why they cannot be listed. All servers are asked at the same time. */
export async function discoverToolsOfServers(
  externalTools: ExternalDiscovery,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Discovery>> {
  const found = await Promise.all([...new Set(ids)].map((id) => externalTools.discover(id)))
  return new Map(found.map((discovery) => [discovery.serverId, discovery]))
}

/** The name of a server in messages. */
export function describeServer({ serverId, serverName }: Discovery): string {
  return serverName === null ? serverId : `“${serverName}” (${serverId})`
}
