/** Runs, newest first, updated live. */

import { useMemo } from 'preact/hooks'
import { runKinds, runStatuses } from '../../../../spec/runs/runEnums.ts'
import { graphql, type ResultOf } from '../data/graphql.ts'
import { useLiveObjects } from '../data/useLiveObjects.ts'
import { usePagedList } from '../data/usePagedList.ts'
import { formatCount } from '../parts/formatCount.ts'
import { formatKind, formatName } from '../parts/formatName.ts'
import { ListFilters } from '../parts/lists/ListFilters.tsx'
import { ObjectPicker } from '../parts/lists/ObjectPicker.tsx'
import { VirtualRows } from '../parts/lists/VirtualRows.tsx'
import { EmptyState } from '../parts/messages/EmptyState.tsx'
import { ErrorMessage } from '../parts/messages/ErrorMessage.tsx'
import { Loading } from '../parts/messages/Loading.tsx'
import { RelativeTime } from '../parts/RelativeTime.tsx'
import { StatusBadge } from '../parts/StatusBadge.tsx'
import { useDocumentTitle } from '../parts/useDocumentTitle.ts'
import { setFilters, useFilters } from '../router.ts'

const runRowFragment = graphql(`fragment RunRowFields on Run {
  id kind displayNumber title status phase createdAt agent { id name } worktree { id branch path }
}`)
const runsQuery = graphql(
  `query ($after: String, $statuses: [RunStatus!], $kind: RunKind, $agentId: ID, $worktreeId: ID, $from: DateTime) {
    runs(
      first: 100, after: $after, statuses: $statuses, kind: $kind, agentId: $agentId, worktreeId: $worktreeId, from: $from
    ) { totalCount nodes { ...RunRowFields } pageInfo { hasNextPage endCursor } }
  }`,
  [runRowFragment],
)
const runsSubscription = graphql('subscription { runStatusChanged { ...RunRowFields } }', [runRowFragment])

type RunRow = ResultOf<typeof runRowFragment>

const hourMs = 3_600_000
/** Filters of time, by their names in the address. */
const periods: Readonly<Record<string, { readonly label: string; readonly ms: number }>> = {
  hour: { label: 'Last hour', ms: hourMs },
  day: { label: 'Last 24 hours', ms: 24 * hourMs },
  week: { label: 'Last 7 days', ms: 7 * 24 * hourMs },
  month: { label: 'Last 30 days', ms: 30 * 24 * hourMs },
}

/** The filters of the list, as the server receives them. */
interface RunFilter {
  readonly status: RunRow['status'] | null
  readonly kind: RunRow['kind'] | null
  readonly agent: string
  readonly worktree: string
  /** RFC 3339, or null for any time. */
  readonly from: string | null
}

export function RunsPage() {
  useDocumentTitle(['Runs'])
  const { q = '', status = '', kind = '', agent = '', worktree = '', time = '' } = useFilters()
  // Fixed at selection, so the list stays the same until the filter is selected again.
  const from = useMemo(() => {
    const ms = periods[time]?.ms
    return ms === undefined ? null : new Date(Date.now() - ms).toISOString()
  }, [time])
  const filter: RunFilter = {
    status: runStatuses.find((candidate) => candidate === status) ?? null,
    kind: runKinds.find((candidate) => candidate === kind) ?? null,
    agent,
    worktree,
    from,
  }
  return (
    <section>
      <h1>Runs</h1>
      <ListFilters placeholder="Title, agent or branch" statuses={runStatuses} allLabel="Any status">
        <select
          aria-label="Kind"
          value={kind}
          onChange={({ currentTarget }) => setFilters({ kind: currentTarget.value })}
        >
          <option value="">Any kind</option>
          {runKinds.map((choice) => (
            <option key={choice} value={choice}>
              {formatKind(choice)} runs
            </option>
          ))}
        </select>
        <select
          aria-label="Time"
          value={time}
          onChange={({ currentTarget }) => setFilters({ time: currentTarget.value })}
        >
          <option value="">Any time</option>
          {Object.entries(periods).map(([name, { label }]) => (
            <option key={name} value={name}>
              {label}
            </option>
          ))}
        </select>
        <ObjectPicker name="agent" label="Agent" kind="AGENT" id={agent} />
        <ObjectPicker name="worktree" label="Worktree" kind="WORKTREE" id={worktree} />
      </ListFilters>
      <RunList key={JSON.stringify(filter)} filter={filter} searchText={q.toLowerCase()} />
    </section>
  )
}

function RunList({ filter, searchText }: { readonly filter: RunFilter; readonly searchText: string }) {
  const { status, kind, agent, worktree, from } = filter
  const variables = {
    statuses: status && [status],
    kind,
    agentId: agent === '' ? null : agent,
    worktreeId: worktree === '' ? null : worktree,
    from,
  }
  const { items, totalCount, error, loadMore } = usePagedList(runsQuery, 'runs', variables, ({ id }) => id)
  const { objects: changed } = useLiveObjects(runsSubscription, 'runStatusChanged', {})
  const shown = useMemo(() => {
    const byId = new Map((items ?? []).map((run) => [run.id, run]))
    for (const run of changed.values()) byId.set(run.id, run)
    return [...byId.values()]
      .filter((run) => matchesFilter(run, filter))
      .filter(
        (run) =>
          searchText === '' ||
          `${run.title} ${run.agent.name} ${run.worktree.branch ?? ''}`.toLowerCase().includes(searchText),
      )
      .sort((a, b) => (a.id < b.id ? 1 : -1))
  }, [items, changed, searchText])
  if (items === undefined)
    return error ? <ErrorMessage error={error} retriesAutomatically /> : <Loading what="the runs" />
  return (
    <>
      {error && <ErrorMessage error={error} retriesAutomatically />}
      <p class="note" role="status">
        {formatCount(totalCount, 'run')}
        {searchText !== '' && `, ${shown.length.toLocaleString()} of the loaded runs match`}
      </p>
      {shown.length === 0 && <NoRuns isFiltered={searchText !== '' || Object.values(filter).some(Boolean)} />}
      <VirtualRows
        label="Runs"
        rows={shown}
        rowHeight={56}
        getId={({ id }) => id}
        onNearEnd={loadMore}
        // `.run-row` in `clients/console/look/lists.css` sets the columns. Below 100rem the phase is hidden, and on narrow screens all
        // but the title, the status and the agent with the branch.
        renderRow={(run) => (
          <div class="run-row">
            <a class="item-name" href={`/runs/${run.id}`}>
              {run.title}
            </a>
            <StatusBadge status={run.status} />
            <span class="hint">{run.phase && formatName(run.phase)}</span>
            <span class="hint run-location">
              {run.agent.name} · {run.worktree.branch ?? run.worktree.path}
            </span>
            <span class="hint">
              {run.kind.toLowerCase()} {run.displayNumber}
            </span>
            <RelativeTime at={run.createdAt} />
          </div>
        )}
      />
    </>
  )
}

function NoRuns({ isFiltered }: { readonly isFiltered: boolean }) {
  return isFiltered ? (
    <EmptyState title="No matches">
      <p>
        <a href="/runs">Clear the filters</a> to see all runs.
      </p>
    </EmptyState>
  ) : (
    <EmptyState title="No runs yet">
      <p>
        <a href="/runs/new">Start a run</a>, here or over GraphQL, REST or MCP. It appears here automatically.
      </p>
    </EmptyState>
  )
}

/** Returns whether a changed run belongs to the list. The server applies the filters only to queries. */
function matchesFilter(run: RunRow, { status, kind, agent, worktree, from }: RunFilter): boolean {
  return (
    (status === null || run.status === status) &&
    (kind === null || run.kind === kind) &&
    (agent === '' || run.agent.id === agent) &&
    (worktree === '' || run.worktree.id === worktree) &&
    (from === null || run.createdAt >= from)
  )
}
