/** External servers, for the views that share them. */
import { graphql, type ResultOf } from '../data/graphql.ts'

export const serversQuery = graphql(`{ mcpServers(first: 100) { totalCount nodes {
  id status enabled name catalogPrefix url transport headerNames toolCount discoveredAt problem { message at } retryAt
} } }`)

export type McpServer = ResultOf<typeof serversQuery>['mcpServers']['nodes'][number]

/** The result is part of the server's state, so its transitions report it. */
export const refreshMutation = graphql(
  'mutation ($id: ID!) { refreshMcpServer(input: { serverId: $id }) { mcpServer { id } } }',
)
