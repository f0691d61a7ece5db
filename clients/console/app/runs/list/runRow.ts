/** A run in the list. */
import { graphql, type ResultOf } from '../../data/graphql.ts'

export const runRowFragment = graphql(`fragment RunRowFields on Run {
  id kind displayNumber title status phase cli createdAt queuedAt admittedAt startedAt endedAt queueWaitMs durationMs
  agent { id name } worktree { id branch path }
  requestedBy {
    ... on User { id name } ... on ApiKey { id name }
    ... on PlanRun { id title } ... on SessionRun { id title } ... on WorkflowRun { id title } ... on Schedule { id } ... on Integration { id }
  }
}`)

export type RunRow = ResultOf<typeof runRowFragment>

/** Returns the name of the requester. Undefined for a schedule, and for a user who was removed. */
export function getRequesterName({ requestedBy }: RunRow): string | undefined {
  if (requestedBy === null) return undefined
  if ('title' in requestedBy) return requestedBy.title
  return 'name' in requestedBy ? requestedBy.name : undefined
}
