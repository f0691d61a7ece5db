/** The audit, newest first: what has come since is put before, what is older is read when somebody scrolls there. */
import { useEffect, useState } from 'preact/hooks'
import { ask, type Refusal, refusalOf } from '../data/ask.ts'
import { useQuery } from '../data/useQuery.ts'

export interface Call {
  readonly at: string
  readonly durationMs: number
  readonly caller: string
  readonly source: 'MCP' | 'MCP_PRESET' | 'MCP_RUN' | 'TOOLS_API'
  readonly scopeId: string | null
  readonly tool: string | null
  readonly serverId: string | null
  readonly rawName: string | null
  readonly argumentsSha256: string
  readonly requestId: string
  readonly outcome: string
  readonly code: string | null
}

/** Each that is given must hold. */
export interface CallFilter {
  readonly caller: string | null
  readonly tool: string | null
  readonly scopeId: string | null
  readonly serverId: string | null
  readonly requestId: string | null
  readonly outcomes: readonly string[] | null
  readonly from: string | null
  readonly to: string | null
}

export interface Edge {
  readonly cursor: string
  readonly node: Call
}

interface Page {
  readonly edges: readonly Edge[]
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null }
}

const query = `query (
  $caller: String, $tool: String, $scopeId: String, $serverId: String, $requestId: String,
  $outcomes: [McpToolCallOutcome!], $from: DateTime, $to: DateTime, $after: String
) { mcpToolCalls(
  first: 100, after: $after, caller: $caller, tool: $tool, scopeId: $scopeId, serverId: $serverId, requestId: $requestId,
  outcomes: $outcomes, from: $from, to: $to
) {
  edges { cursor node {
    at durationMs caller source scopeId tool serverId rawName argumentsSha256 requestId outcome code
  } }
  pageInfo { hasNextPage endCursor }
} }`

type Answer = { readonly mcpToolCalls: Page }

/** No subscription tells of calls. */
const everyMs = 3_000

/** Pages that are read to meet what is known already; where more has come, the list begins anew. */
const mostAtOnce = 5

export interface Calls {
  /** Undefined until they are known. */
  readonly edges: readonly Edge[] | undefined
  readonly hasMore: boolean
  readonly refusal: Refusal | undefined
  more(): void
}

export function useCalls(filter: CallFilter): Calls {
  const { data, refusal } = useQuery<Answer>(query, { ...filter, after: null }, everyMs)
  const [known, setKnown] = useState<Page>()
  const [reading, setReading] = useState(false)
  const [failed, setFailed] = useState<Refusal>()
  const read = async (after: string | null) => (await ask<Answer>(query, { ...filter, after })).mcpToolCalls
  // Each answer is the newest page; who has read further keeps the rest.
  useEffect(() => {
    if (data === undefined) return
    let current = true
    newest(data.mcpToolCalls, known, read).then(
      (page) => {
        if (!current) return
        setFailed(undefined)
        setKnown((before) => (before === undefined || !meets(page, before) ? page : joined(page, before)))
      },
      (error: unknown) => current && setFailed(refusalOf(error)),
    )
    return () => {
      current = false
    }
  }, [data])
  const more = () => {
    const after = known?.pageInfo.endCursor
    if (reading || !known?.pageInfo.hasNextPage || !after) return
    setReading(true)
    read(after)
      .then(
        (older) => setKnown((before) => before && { ...joined(older, before), pageInfo: older.pageInfo }),
        (error: unknown) => setFailed(refusalOf(error)),
      )
      .finally(() => setReading(false))
  }
  return {
    edges: known?.edges,
    hasMore: known?.pageInfo.hasNextPage ?? false,
    refusal: refusal ?? failed,
    more,
  }
}

function meets(page: Page, known: Page): boolean {
  const cursors = new Set(known.edges.map(({ cursor }) => cursor))
  return known.edges.length === 0 || page.edges.some(({ cursor }) => cursors.has(cursor))
}

async function newest(
  first: Page,
  known: Page | undefined,
  read: (after: string | null) => Promise<Page>,
): Promise<Page> {
  let page = first
  for (let count = 1; known && count < mostAtOnce && !meets(page, known) && page.pageInfo.hasNextPage; count++) {
    const { edges, pageInfo } = await read(page.pageInfo.endCursor)
    page = { edges: [...page.edges, ...edges], pageInfo }
  }
  return page
}

/** A call that took long comes after younger ones, and stands where it began. */
function joined(one: Page, known: Page): Page {
  const all = new Map([...one.edges, ...known.edges].map((edge) => [edge.cursor, edge]))
  const edges = [...all.values()].sort((a, b) => (a.node.at < b.node.at ? 1 : a.node.at > b.node.at ? -1 : 0))
  return { edges, pageInfo: known.edges.length === 0 ? one.pageInfo : known.pageInfo }
}
