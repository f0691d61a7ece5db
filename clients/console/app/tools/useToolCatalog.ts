/** The tools for presets: the built-in ones, and those of external servers. */
import { useEffect } from 'preact/hooks'
import type * as v from 'valibot'
import type { toolRoutes } from '../../../../spec/tools/toolRoutes.ts'
import { ApiError, toApiError } from '../data/apiError.ts'
import { graphql, type ResultOf } from '../data/graphql.ts'
import { requestGraphql } from '../data/request.ts'
import { useOnTransition } from '../data/useOnTransition.ts'
import { useAsyncData, useQuery } from '../data/useQuery.ts'
import { format, messages } from '../messages.ts'
import { useLocalStore } from '../state/useLocalStore.ts'
import { getToolKey, type PresetTool } from './preset.ts'
import { type CatalogTool, createServerListingsStore, type ServerListing, toolsQuery } from './serverListingsStore.ts'

const { reasons } = messages.tools.presets

export interface ToolGroup {
  readonly title: string
  /** Null for the built-in tools. */
  readonly serverId: string | null
  /** Undefined until they are loaded. */
  readonly tools: readonly CatalogTool[] | undefined
  /** The reason why they are missing. */
  readonly problem: NonNullable<ServerListing['problem']> | undefined
}

export interface ToolCatalog {
  readonly groups: readonly ToolGroup[]
  /** The configured servers. */
  readonly servers: readonly CatalogServer[]
  /** Whether these are all servers. */
  readonly isComplete: boolean
  readonly error: ApiError | undefined
}

const serversQuery = graphql('{ mcpServers(first: 100) { totalCount nodes { id name enabled status } } }')

type CatalogServer = ResultOf<typeof serversQuery>['mcpServers']['nodes'][number]

type BuiltInCatalog = v.InferOutput<(typeof toolRoutes)['getToolCatalog']['answers'][200]['body']>

/** @param isNeeded returns whether a server's tools are read. No other code reads them, and each read is a call */
export function useToolCatalog(isNeeded: (serverId: string) => boolean): ToolCatalog {
  const { data, error, refresh } = useQuery(serversQuery, {})
  useOnTransition('MCP_SERVER', refresh)
  const { data: builtIn, error: builtInError } = useAsyncData('built-in tools', readBuiltInTools)
  const servers = data?.mcpServers.nodes ?? []
  const listings = useServerListings(servers.filter(({ id }) => isNeeded(id)))
  const builtInGroups = builtIn?.groups.map(
    ({ id, title }): ToolGroup => ({
      title,
      serverId: null,
      tools: builtIn.tools.filter(({ groupId }) => groupId === id),
      problem: undefined,
    }),
  )
  const serverGroups = servers.map(({ id, name }): ToolGroup => {
    const listing = listings.get(id)
    return {
      title: name,
      serverId: id,
      tools: listing?.available ? listing.tools : undefined,
      problem: listing?.problem ?? undefined,
    }
  })
  return {
    groups: [...(builtInGroups ?? []), ...serverGroups],
    servers,
    isComplete: data !== undefined && builtInGroups !== undefined && data.mcpServers.totalCount <= servers.length,
    error: error ?? builtInError,
  }
}

/** GraphQL does not list built-in tools. The REST catalog does. */
async function readBuiltInTools(): Promise<BuiltInCatalog> {
  const response = await fetch('/api/tools/catalog')
  if (!response.ok) throw new ApiError(String(response.status), messages.tools.catalogFailed)
  return await response.json()
}

/** Adds each listing when it arrives. A slow server does not delay the others. */
function useServerListings(servers: readonly CatalogServer[]): ReadonlyMap<string, ServerListing> {
  const [{ listings }, { trigger }] = useLocalStore(createServerListingsStore)
  const key = servers.map(({ id, enabled, status }) => `${id} ${enabled} ${status === 'REACHABLE'}`).join()
  // The key contains the servers and all values that affect their responses.
  useEffect(() => {
    let isCurrent = true
    const add = (id: string, listing: ServerListing) => {
      if (isCurrent) trigger.listed({ id, listing })
    }
    for (const { id } of servers)
      requestGraphql(toolsQuery, { serverId: id }).then(
        ({ mcpServerTools }) => add(id, mcpServerTools),
        (cause: unknown) => add(id, { available: false, problem: toApiError(cause), tools: [] }),
      )
    return () => {
      isCurrent = false
    }
  }, [key])
  return listings
}

export interface ToolAvailability {
  /** `removed`: the tool no longer exists. `unknown`: this cannot be determined now. */
  readonly status: 'available' | 'removed' | 'unknown'
  readonly reason: string
}

/** Returns whether a tool of a preset still exists. */
export function checkAvailability(
  { source, name, serverId, serverName }: PresetTool,
  { groups, isComplete }: ToolCatalog,
): ToolAvailability {
  const candidates = groups.filter((group) => group.serverId === serverId)
  if (
    candidates.some(({ tools }) =>
      tools?.some((tool) => getToolKey({ serverId, name: tool.name }) === getToolKey({ serverId, name })),
    )
  )
    return { status: 'available', reason: '' }
  if (source === 'BUILTIN')
    return candidates.length > 0
      ? { status: 'removed', reason: reasons.toolRemoved }
      : { status: 'unknown', reason: reasons.loading }
  const [group] = candidates
  if (serverName === null || (group === undefined && isComplete))
    return { status: 'removed', reason: reasons.serverRemoved }
  const server = { server: serverName }
  if (group?.tools !== undefined) return { status: 'removed', reason: format(reasons.noLongerListed, server) }
  if (group?.problem?.code === 'DISABLED') return { status: 'unknown', reason: format(reasons.serverDisabled, server) }
  if (group?.problem !== undefined) return { status: 'unknown', reason: format(reasons.serverUnavailable, server) }
  return { status: 'unknown', reason: reasons.loading }
}
