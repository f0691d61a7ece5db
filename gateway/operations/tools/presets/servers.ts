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

/** The IDs of the servers that are configured now. */
export async function loadConfiguredServerIds(views: Pick<TypedViews, 'list'>): Promise<readonly string[]> {
  return (await everyRow(views, { kind: 'mcpServer', terminal: false })).map(({ id }) => id)
}

function nameEntries(row: TypedRow<'mcpServer'>): (readonly [string, string])[] {
  const { name } = row.context
  return row.columns.terminal ? [] : [[row.id, name]]
}

/** Lists the tools of these servers concurrently, by the ID of the server. */
export async function discoverServers(
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
