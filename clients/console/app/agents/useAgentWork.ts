/** The jobs, the machine load and the last heartbeat of the visible agents. They change with each heartbeat, so only visible agents are queried. */
import { useEffect, useRef, useState } from 'preact/hooks'
import { graphql, type ResultOf } from '../data/graphql.ts'
import { useQuery } from '../data/useQuery.ts'

/** With the oldest job of each agent. */
const workQuery = graphql(`query ($ids: [ID!]!) { agents(ids: $ids) {
  id lastSeenAt vitals { load freeMemoryBytes } worktrees(first: 1) { totalCount } jobs(first: 1) { totalCount nodes { id kind runId run { title } } }
} }`)

export type AgentWork = ResultOf<typeof workQuery>['agents'][number]

/** The interval of heartbeats. */
const everyMs = 15_000
/** Milliseconds that an agent must stay visible before it is queried. */
const restMs = 200
/** The maximum number of agents in one query. */
const maxAgents = 100

/** By ID. The work of agents that are no longer visible is kept until they are visible again. */
export function useAgentWork(ids: readonly string[]): ReadonlyMap<string, AgentWork> {
  const known = useRef(new Map<string, AgentWork>())
  const visibleIds = ids.slice(0, maxAgents).join(' ')
  const [queriedIds, setQueriedIds] = useState('')
  useEffect(() => {
    const timer = setTimeout(() => setQueriedIds(visibleIds), restMs)
    return () => clearTimeout(timer)
  }, [visibleIds])
  const { data } = useQuery(workQuery, { ids: queriedIds === '' ? [] : queriedIds.split(' ') }, { everyMs })
  for (const work of data?.agents ?? []) known.current.set(work.id, work)
  return known.current
}
