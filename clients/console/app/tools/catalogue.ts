/** The tools for presets: the built-in ones, and those of external servers. */
import { useEffect, useState } from 'preact/hooks'
import { ask, Refusal, refusalOf } from '../data/ask.ts'
import { returns } from '../data/live.ts'
import { useQuery } from '../data/useQuery.ts'
import { useSteps } from '../data/useSteps.ts'
import { keyOf, type PresetTool } from './preset.ts'

export interface CatalogueTool {
  readonly name: string
  readonly title: string | null
}

export interface Shelf {
  readonly title: string
  /** Null for the built-in tools. */
  readonly serverId: string | null
  /** Undefined until they are loaded. */
  readonly tools: readonly CatalogueTool[] | undefined
  /** The reason why they are missing. */
  readonly problem: Problem | undefined
}

interface Problem {
  readonly code: string
  readonly message: string
}

export interface Catalogue {
  readonly shelves: readonly Shelf[]
  /** The configured servers. */
  readonly servers: readonly Server[]
  /** Whether these are all servers. */
  readonly whole: boolean
  readonly refusal: Refusal | undefined
}

interface Server {
  readonly id: string
  readonly name: string
  readonly enabled: boolean
  readonly status: string
}

interface Listing {
  readonly available: boolean
  readonly problem: Problem | null
  readonly tools: readonly CatalogueTool[]
}

interface BuiltIn {
  readonly groups: readonly { readonly id: string; readonly title: string }[]
  readonly tools: readonly (CatalogueTool & { readonly groupId: string })[]
}

const configured = '{ mcpServers(first: 100) { totalCount nodes { id name enabled status } } }'
const listed = `query ($serverId: ID!) { mcpServerTools(serverId: $serverId) {
  available problem { code message } tools { name title }
} }`

/** @param wanted returns whether a server's tools are read. No other code reads them, and each read is a call */
export function useCatalogue(wanted: (serverId: string) => boolean): Catalogue {
  const { data, refusal, refresh } = useQuery<{
    mcpServers: { totalCount: number; nodes: readonly Server[] }
  }>(configured)
  useSteps('MCP_SERVER', refresh)
  const [builtIn, failed] = useBuiltIn()
  const servers = data?.mcpServers.nodes ?? []
  const listings = useListings(servers.filter(({ id }) => wanted(id)))
  const own = builtIn?.groups.map(
    ({ id, title }): Shelf => ({
      title,
      serverId: null,
      tools: builtIn.tools.filter(({ groupId }) => groupId === id),
      problem: undefined,
    }),
  )
  const theirs = servers.map(({ id, name }): Shelf => {
    const listing = listings.get(id)
    return {
      title: name,
      serverId: id,
      tools: listing?.available ? listing.tools : undefined,
      problem: listing?.problem ?? undefined,
    }
  })
  return {
    shelves: [...(own ?? []), ...theirs],
    servers,
    whole: data !== undefined && own !== undefined && data.mcpServers.totalCount <= servers.length,
    refusal: refusal ?? failed,
  }
}

/** GraphQL does not list built-in tools. The REST catalog does. */
function useBuiltIn(): [BuiltIn | undefined, Refusal | undefined] {
  const [found, setFound] = useState<BuiltIn>()
  const [refusal, setRefusal] = useState<Refusal>()
  const returned = returns.value
  // After a reconnect, the server may have another version.
  useEffect(() => {
    const leaving = new AbortController()
    const read = async () => {
      const answer = await fetch('/api/tools/catalog', { signal: leaving.signal })
      if (!answer.ok) throw new Refusal(String(answer.status), 'The server did not say which tools it has.')
      setFound(await answer.json())
      setRefusal(undefined)
    }
    read().catch((error: unknown) => {
      if (!leaving.signal.aborted) setRefusal(refusalOf(error))
    })
    return () => leaving.abort()
  }, [returned])
  return [found, refusal]
}

/** Adds each listing when it arrives. A slow server does not delay the others. */
function useListings(servers: readonly Server[]): ReadonlyMap<string, Listing> {
  const [all, setAll] = useState<ReadonlyMap<string, Listing>>(new Map())
  const key = servers.map(({ id, enabled, status }) => `${id} ${enabled} ${status === 'REACHABLE'}`).join()
  // The key contains the servers and all values that affect their responses.
  useEffect(() => {
    let current = true
    const keep = (id: string, listing: Listing) => {
      if (current) setAll((before) => new Map(before).set(id, listing))
    }
    for (const { id } of servers)
      ask<{ mcpServerTools: Listing }>(listed, { serverId: id }).then(
        ({ mcpServerTools }) => keep(id, mcpServerTools),
        (error: unknown) => {
          const { code, message } = refusalOf(error)
          keep(id, { available: false, problem: { code, message }, tools: [] })
        },
      )
    return () => {
      current = false
    }
  }, [key])
  return all
}

export interface Standing {
  /** `gone`: the tool no longer exists. `unsure`: this cannot be determined now. */
  readonly is: 'there' | 'gone' | 'unsure'
  readonly why: string
}

/** Returns whether a tool of a preset still exists. */
export function standingOf(
  { source, name, serverId, serverName }: PresetTool,
  { shelves, whole }: Catalogue,
): Standing {
  const own = shelves.filter((shelf) => shelf.serverId === serverId)
  if (own.some(({ tools }) => tools?.some((one) => keyOf({ serverId, name: one.name }) === keyOf({ serverId, name }))))
    return { is: 'there', why: '' }
  if (source === 'BUILTIN')
    return own.length > 0
      ? { is: 'gone', why: 'there is no such tool any more' }
      : { is: 'unsure', why: 'it is being looked for' }
  const [shelf] = own
  if (serverName === null || (shelf === undefined && whole)) return { is: 'gone', why: 'its server was removed' }
  if (shelf?.tools !== undefined) return { is: 'gone', why: `${serverName} has it no more` }
  if (shelf?.problem?.code === 'DISABLED') return { is: 'unsure', why: `${serverName} is disabled` }
  if (shelf?.problem !== undefined) return { is: 'unsure', why: `${serverName} can’t be asked now` }
  return { is: 'unsure', why: 'it is being looked for' }
}
