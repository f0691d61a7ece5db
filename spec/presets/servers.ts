/** External MCP servers, as presets speak of them. */
import type { ActorRow } from '../actor.ts'
import { everyRow } from '../everyRow.ts'
import type { Discovery, ExternalDiscovery } from '../tools/external.ts'
import { idOf } from '../types.ts'
import type { Views } from '../views.ts'

export const serverId = idOf('mcpServer')

/** By ID; one that was removed has no name any more. */
export async function serverNames(
  views: Pick<Views, 'getMany'>,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const rows = ids.length === 0 ? new Map<string, ActorRow>() : await views.getMany([...new Set(ids)])
  return new Map([...rows.values()].flatMap((row) => nameOf(row)))
}

/** Those that are configured now. */
export async function configuredServers(views: Pick<Views, 'list'>): Promise<readonly string[]> {
  return (await everyRow(views, { kind: 'mcpServer', terminal: false })).map(({ id }) => id)
}

function nameOf(row: ActorRow): (readonly [string, string])[] {
  const { name } = row.context
  return row.columns.terminal || typeof name !== 'string' ? [] : [[row.id, name]]
}

/** What each server advertises, asked at once. */
export async function discoverAll(
  externalTools: ExternalDiscovery,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Discovery>> {
  const found = await Promise.all([...new Set(ids)].map((id) => externalTools.discover(id)))
  return new Map(found.map((discovery) => [discovery.serverId, discovery]))
}

/** As messages name it. */
export function called({ serverId, serverName }: Discovery): string {
  return serverName === null ? serverId : `“${serverName}” (${serverId})`
}
