/** The runs of a filter in their order, updated live. */
import { useEffect, useMemo } from 'preact/hooks'
import { graphql } from '../../data/graphql.ts'
import { useLiveObjects } from '../../data/useLiveObjects.ts'
import { usePagedList } from '../../data/usePagedList.ts'
import { compareRuns, matchesFilter, type RunFilter, type RunOrder, sortColumns } from './runFilters.ts'
import { type RunRow, runRowFragment } from './runRow.ts'

/** Rows are not counted here: a count may take longer than a page. */
const runsQuery = graphql(
  `query (
    $after: String, $text: String, $statuses: [RunStatus!], $kind: RunKind, $agentId: ID, $worktreeId: ID,
    $repositoryId: ID, $requestedBy: ID, $cli: String, $from: DateTime, $orderBy: RunOrderInput
  ) {
    runs(
      first: 100, after: $after, text: $text, statuses: $statuses, kind: $kind, agentId: $agentId, worktreeId: $worktreeId,
      repositoryId: $repositoryId, requestedBy: $requestedBy, cli: $cli, from: $from, orderBy: $orderBy
    ) { nodes { ...RunRowFields } pageInfo { hasNextPage endCursor } }
  }`,
  [runRowFragment],
)
const runsSubscription = graphql('subscription { runStatusChanged { ...RunRowFields } }', [runRowFragment])

/** While many runs change, the first page is read again at most this often. */
const pauseMs = 2_000

export function useRunList(filter: RunFilter, order: RunOrder) {
  const variables = {
    ...filter,
    orderBy: { field: sortColumns[order.column], direction: order.isAscending ? 'ASC' : 'DESC' } as const,
  }
  const { items, error, hasMore, loadMore, refresh } = usePagedList(runsQuery, 'runs', variables, ({ id }) => id, {
    pauseMs,
  })
  const { objects: changed } = useLiveObjects(runsSubscription, 'runStatusChanged', {})
  const { rows, hasUndecided } = useMemo(() => {
    const byId = new Map((items ?? []).map((run) => [run.id, run]))
    let hasUndecided = false
    for (const run of changed.values()) {
      const belongs = matchesFilter(run, filter, order)
      if (belongs === false) byId.delete(run.id)
      else if (belongs || byId.has(run.id)) byId.set(run.id, run)
      else hasUndecided = true
    }
    const rows: readonly RunRow[] = [...byId.values()].sort((a, b) => compareRuns(order, a, b))
    return { rows: withoutGap(rows, items, hasMore, order), hasUndecided }
  }, [items, changed, hasMore])
  useEffect(() => {
    if (hasUndecided) refresh()
  }, [changed, hasUndecided])
  return { rows: items === undefined ? undefined : rows, error, hasMore, loadMore, refresh }
}

/** A run that changed may be beyond the loaded pages. It is shown when its page is loaded, so that no row before it is missing. */
function withoutGap(
  rows: readonly RunRow[],
  items: readonly RunRow[] | undefined,
  hasMore: boolean,
  order: RunOrder,
): readonly RunRow[] {
  const last = items?.at(-1)
  return last === undefined || !hasMore ? rows : rows.filter((run) => compareRuns(order, run, last) <= 0)
}
