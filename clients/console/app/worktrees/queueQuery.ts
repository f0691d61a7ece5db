/** The queue of a worktree, live. */
import { graphql, type ResultOf } from '../data/graphql.ts'

export const queueSubscription = graphql(`subscription ($id: ID!) { worktreeRunQueueChanged(worktreeId: $id) {
  worktreeQueue {
    id draining queued reservedByRunId
    pause { since reason pausedBy { __typename ... on User { name } ... on ApiKey { name } ... on PlanRun { title } ... on SessionRun { title } ... on WorkflowRun { title } } }
    slotHolders { id kind sharesSlot run { title status } }
  }
  entries {
    id position kind queuedAt exclusiveWorktree worktreeConcurrencyLimit run { title }
    blockedBy { reason runIds runCount }
  }
} }`)

export type QueueState = ResultOf<typeof queueSubscription>['worktreeRunQueueChanged']
export type QueueEntry = QueueState['entries'][number]
export type SlotHolder = QueueState['worktreeQueue']['slotHolders'][number]
export type QueuePause = NonNullable<QueueState['worktreeQueue']['pause']>
