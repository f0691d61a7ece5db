/** The items of the inbox, and how runs that wait for the same reason become one entry. */
import { graphql, type ResultOf } from '../data/graphql.ts'

export const inboxQuery = graphql(`query ($unseenOnly: Boolean) {
  actionCenter(first: 100, unseenOnly: $unseenOnly) { totalCount unseenCount more items {
    id kind severity title detail since isSeen actorId actorKind runId questionId actions { operation }
  } }
}`)

/** The reasons of runs that are queued for longer than expected. */
export const waitingQuery = graphql(`query ($ids: [ID!]!) { nodes(ids: $ids) { ... on Run {
  id status worktree { id branch path } blockedBy { reason message runIds buildIds }
} } }`)

/** The times of the runs of all items. */
export const runTimesQuery = graphql(`query ($ids: [ID!]!) { nodes(ids: $ids) { ... on Run {
  id status createdAt queuedAt admittedAt startedAt endedAt
} } }`)

export type InboxItem = ResultOf<typeof inboxQuery>['actionCenter']['items'][number]

interface WaitingRun {
  readonly id: string
  readonly worktree: { readonly id: string; readonly branch: string | null; readonly path: string | null }
  readonly blockedBy: {
    readonly reason: string
    readonly message: string
    readonly runIds: readonly string[]
    readonly buildIds: readonly string[]
  } | null
}

/** Stuck runs that wait for one worktree for one reason. */
export interface WaitingGroup {
  readonly key: string
  readonly severity: InboxItem['severity']
  readonly worktree: WaitingRun['worktree']
  readonly isPaused: boolean
  readonly message: string
  /** The runs and builds that they wait for. */
  readonly holderIds: readonly string[]
  readonly items: readonly InboxItem[]
}

export type InboxEntry =
  | { readonly type: 'item'; readonly item: InboxItem }
  | { readonly type: 'waiting'; readonly group: WaitingGroup }

/** Returns the IDs of the runs whose reason must be read. */
export function listStuckRuns(items: readonly InboxItem[]): readonly string[] {
  return items.filter(isStuckRun).map(({ actorId }) => actorId)
}

/** Returns the run that an item is about. Undefined if it is about another object. */
export function getItemRunId({ actorId, actorKind, runId }: InboxItem): string | undefined {
  return actorKind === 'RUN' ? actorId : (runId ?? undefined)
}

function isStuckRun({ kind, actorKind }: InboxItem): boolean {
  return kind === 'ACTOR_STUCK' && actorKind === 'RUN'
}

/**
 * Returns the entries in the order of their first items. A run that waits for its worktree alone is an entry of its own kind too, because
 * it has the same cause and the same action.
 */
export function groupItems(items: readonly InboxItem[], runs: readonly WaitingRun[]): readonly InboxEntry[] {
  const runsById = new Map(runs.map((run) => [run.id, run]))
  const groups = new Map<string, WaitingGroup & { readonly items: InboxItem[] }>()
  return items.flatMap((item): InboxEntry[] => {
    const run = isStuckRun(item) ? runsById.get(item.actorId) : undefined
    if (run === undefined || run.blockedBy === null) return [{ type: 'item', item }]
    const { worktree, blockedBy } = run
    const key = `${worktree.id} ${blockedBy.reason}`
    const known = groups.get(key)
    if (known !== undefined) {
      known.items.push(item)
      return []
    }
    const group = {
      key,
      severity: item.severity,
      worktree,
      isPaused: blockedBy.reason === 'QUEUE_PAUSED',
      message: blockedBy.message,
      holderIds: [...blockedBy.runIds, ...blockedBy.buildIds].slice(0, 3),
      items: [item],
    }
    groups.set(key, group)
    return [{ type: 'waiting', group }]
  })
}
