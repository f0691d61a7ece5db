/** The queue of a worktree, live. */
import { graphql, type ResultOf } from '../data/graphql.ts'

export const queueSubscription = graphql(`subscription ($id: ID!) { worktreeRunQueueChanged(worktreeId: $id) {
  worktreeQueue {
    id draining queued reservedById
    pause { since reason pausedBy { __typename ... on User { name } ... on ApiKey { name } ... on PlanRun { title } ... on SessionRun { title } ... on WorkflowRun { title } } }
    slotHolders { id kind sharesSlot run { title status } build { name displayNumber status } }
  }
  entries {
    id position kind queuedAt exclusiveWorktree worktreeConcurrencyLimit run { title } build { name displayNumber }
    blockedBy { reason runIds runCount buildIds buildCount }
  }
} }`)

export type QueueState = ResultOf<typeof queueSubscription>['worktreeRunQueueChanged']
export type QueueEntry = QueueState['entries'][number]
export type SlotHolder = QueueState['worktreeQueue']['slotHolders'][number]
interface Named {
  readonly id: string
  /** Null for a build. */
  readonly run: { readonly title: string } | null
  readonly build: { readonly name: string; readonly displayNumber: number } | null
}

/** The title of a run, or the name and the number of a build. */
export function getTitle({ id, run, build }: Named): string {
  return run?.title ?? (build === null ? id : `${build.name} ${build.displayNumber}`)
}

export type QueuePause = NonNullable<QueueState['worktreeQueue']['pause']>
