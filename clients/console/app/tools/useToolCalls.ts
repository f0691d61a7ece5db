/** The audit, newest first. New calls are added at the top, and older ones are read when the user scrolls to them. */
import { graphql, type ReadonlyDeep, type ResultOf, type VariablesOf } from '../data/graphql.ts'
import { type PagedList, usePagedList } from '../data/usePagedList.ts'

const callsQuery = graphql(`query (
  $caller: String, $tool: String, $scopeId: String, $serverId: String, $requestId: String,
  $outcomes: [McpToolCallOutcome!], $from: DateTime, $to: DateTime, $after: String
) { mcpToolCalls(
  first: 100, after: $after, caller: $caller, tool: $tool, scopeId: $scopeId, serverId: $serverId, requestId: $requestId,
  outcomes: $outcomes, from: $from, to: $to
) {
  nodes: edges { cursor node {
    at durationMs caller source scopeId tool serverId rawName argumentsSha256 requestId outcome code
  } }
  pageInfo { hasNextPage endCursor }
} }`)

/** All values that are not null must match. */
export type ToolCallFilter = ReadonlyDeep<Required<Omit<VariablesOf<typeof callsQuery>, 'after'>>>

/** A call has no ID except its cursor. */
export type ToolCallEdge = ResultOf<typeof callsQuery>['mcpToolCalls']['nodes'][number]

export type ToolCall = ToolCallEdge['node']

/** The page polls, because no subscription reports calls. */
const everyMs = 3_000

export function useToolCalls(filter: ToolCallFilter): PagedList<ToolCallEdge> {
  return usePagedList(callsQuery, 'mcpToolCalls', filter, ({ cursor }) => cursor, { everyMs })
}
