/** The tools that external servers have listed, by the server's ID. */
import { createStore } from '@xstate/store'
import { graphql, type ReadonlyDeep, type ResultOf } from '../data/graphql.ts'

export const toolsQuery = graphql(`query ($serverId: ID!) { mcpServerTools(serverId: $serverId) {
  available problem { code message } tools { name title }
} }`)

type ListedTools = ReadonlyDeep<ResultOf<typeof toolsQuery>['mcpServerTools']>

/** The server's response, or the problem of a request without a response. */
export interface ServerListing extends Omit<ListedTools, 'problem'> {
  readonly problem: { readonly code: string; readonly message: string } | null
}
export type CatalogTool = ServerListing['tools'][number]

interface ServerListingsContext {
  readonly listings: ReadonlyMap<string, ServerListing>
}

const initial: ServerListingsContext = { listings: new Map() }

export function createServerListingsStore() {
  return createStore({
    context: initial,
    on: {
      listed: ({ listings }, { id, listing }: { id: string; listing: ServerListing }): ServerListingsContext => ({
        listings: new Map(listings).set(id, listing),
      }),
    },
  })
}
