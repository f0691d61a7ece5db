/** The number of runs of a filter. It is read after the rows, because on a million runs a count takes longer than a page. */
import { useEffect, useState } from 'preact/hooks'
import { graphql } from '../../data/graphql.ts'
import { requestGraphql } from '../../data/request.ts'
import { format, messages } from '../../messages.ts'
import type { RunFilter } from './runFilters.ts'

const countQuery = graphql(`query (
  $text: String, $statuses: [RunStatus!], $kind: RunKind, $agentId: ID, $worktreeId: ID,
  $repositoryId: ID, $requestedBy: ID, $cli: String, $from: DateTime
) { runs(
  first: 1, text: $text, statuses: $statuses, kind: $kind, agentId: $agentId, worktreeId: $worktreeId,
  repositoryId: $repositoryId, requestedBy: $requestedBy, cli: $cli, from: $from
) { totalCount } }`)

interface RunTotalProps {
  readonly filter: RunFilter
  /** Whether the list has all runs of the filter. A list in the order of their ends has only ended ones. */
  readonly isCounted: boolean
  /** The number of loaded rows. */
  readonly shown: number
  readonly hasMore: boolean
}

export function RunTotal({ filter, isCounted, shown, hasMore }: RunTotalProps) {
  const [total, setTotal] = useState<number>()
  useEffect(() => {
    if (!isCounted || !hasMore) return
    let isCurrent = true
    // Without the number the list is still complete, so an error is not shown.
    requestGraphql(countQuery, filter).then(
      ({ runs }) => isCurrent && setTotal(runs.totalCount),
      () => {},
    )
    return () => {
      isCurrent = false
    }
  }, [hasMore])
  return (
    <p class="note run-total" role="status">
      {!hasMore
        ? format(messages.runs.total, { count: shown })
        : total === undefined
          ? messages.runs.more
          : format(messages.parts.firstOf, { shown, total: Math.max(total, shown) })}
    </p>
  )
}
