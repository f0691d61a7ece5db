/** All workflows, with their last run and the next firing of their schedules, updated live. */
import { useMemo } from 'preact/hooks'
import { graphql, type ResultOf } from '../../data/graphql.ts'
import { useLiveObjects } from '../../data/useLiveObjects.ts'
import { useOnTransition } from '../../data/useOnTransition.ts'
import { usePagedList } from '../../data/usePagedList.ts'
import { useQuery } from '../../data/useQuery.ts'
import { messages } from '../../messages.ts'
import { ObjectList } from '../../parts/lists/ObjectList.tsx'
import { StatusFilter, useStatusFilter } from '../../parts/lists/StatusFilter.tsx'
import { EmptyState } from '../../parts/notices/EmptyState.tsx'
import { RelativeTime } from '../../parts/RelativeTime.tsx'
import { StatusBadge } from '../../parts/StatusBadge.tsx'
import { useDocumentTitle } from '../../parts/useDocumentTitle.ts'
import { WorkflowTabs } from '../WorkTabs.tsx'

const texts = messages.workflows

const workflowsQuery = graphql(`query ($after: String, $statuses: [WorkflowStatus!]) {
  workflows(first: 30, after: $after, statuses: $statuses) {
    totalCount nodes { id name status version runs(first: 1) { nodes { id status createdAt } } }
    pageInfo { hasNextPage endCursor }
  }
}`)
const runSubscription = graphql(
  'subscription { runStatusChanged { id status createdAt ... on WorkflowRun { workflowId } } }',
)
const firingsQuery = graphql('{ schedules(first: 100, statuses: [ACTIVE]) { nodes { workflowId nextTimes } } }')

type WorkflowRow = ResultOf<typeof workflowsQuery>['workflows']['nodes'][number]
type LastRun = WorkflowRow['runs']['nodes'][number]

const statuses = ['DRAFT', 'PUBLISHED', 'ARCHIVED'] as const

export function WorkflowsPage() {
  useDocumentTitle([messages.shell.views.workflows])
  const status = useStatusFilter(statuses)
  const list = usePagedList(workflowsQuery, 'workflows', { statuses: status && [status] }, ({ id }) => id, {
    pauseMs: 2_000,
  })
  useOnTransition('WORKFLOW', list.refresh)
  const { objects: changed } = useLiveObjects(runSubscription, 'runStatusChanged', {})
  const changedRuns = useMemo(() => findLastRuns(changed.values()), [changed])
  const nextFirings = useNextFirings()
  const lastRunOf = ({ id, runs }: WorkflowRow): LastRun | undefined => {
    const [loaded, live] = [runs.nodes[0], changedRuns.get(id)]
    return live !== undefined && (loaded === undefined || live.id >= loaded.id) ? live : loaded
  }
  return (
    <section>
      <div class="heading-row">
        <h1>{messages.shell.views.workflows}</h1>
        <a class="primary button-link" href="/workflows/new">
          {texts.newWorkflow}
        </a>
      </div>
      <WorkflowTabs current="/workflows" />
      <StatusFilter statuses={statuses} />
      <ObjectList
        label={messages.shell.views.workflows}
        list={list}
        getId={({ id }) => id}
        isFiltered={status !== null}
        empty={
          <EmptyState title={texts.none}>
            <p>{texts.noneHint}</p>
            <a href="/workflows/new">{texts.newWorkflow}</a>
          </EmptyState>
        }
        columns={[
          {
            name: texts.columns.name,
            render: ({ id, name }) => (
              <a class="item-name" href={`/workflows/${id}`}>
                {name}
              </a>
            ),
          },
          { name: texts.columns.status, render: (row) => <StatusBadge status={row.status} /> },
          {
            name: texts.columns.version,
            isWide: true,
            render: ({ version }) => (version === 0 ? '–' : version),
          },
          { name: texts.columns.lastRun, isWide: true, render: (row) => <RunOrNone run={lastRunOf(row)} /> },
          {
            name: texts.columns.nextFiring,
            isWide: true,
            render: ({ id }) => {
              const at = nextFirings.get(id)
              return at === undefined ? '–' : <RelativeTime at={at} />
            },
          },
        ]}
      />
    </section>
  )
}

function RunOrNone({ run }: { readonly run: LastRun | undefined }) {
  if (run === undefined) return <>–</>
  return (
    <a class="run-link" href={`/runs/${run.id}`}>
      <StatusBadge status={run.status} /> <RelativeTime at={run.createdAt} />
    </a>
  )
}

type ChangedRun = ResultOf<typeof runSubscription>['runStatusChanged']

/** Returns the newest of the changed runs of each workflow. */
function findLastRuns(runs: Iterable<ChangedRun>): ReadonlyMap<string, LastRun> {
  const byWorkflow = new Map<string, LastRun>()
  for (const run of runs) {
    if (!('workflowId' in run)) continue
    const known = byWorkflow.get(run.workflowId)
    if (known === undefined || run.id > known.id) byWorkflow.set(run.workflowId, run)
  }
  return byWorkflow
}

/** Returns the next time of each workflow by its schedules: of the newest 100 that are active. */
function useNextFirings(): ReadonlyMap<string, string> {
  const { data, refresh } = useQuery(firingsQuery, {}, { pauseMs: 5_000 })
  useOnTransition('SCHEDULE', refresh)
  return useMemo(() => {
    const firings = new Map<string, string>()
    for (const { workflowId, nextTimes } of data?.schedules.nodes ?? []) {
      const [next] = nextTimes
      const known = firings.get(workflowId)
      if (next !== undefined && (known === undefined || next < known)) firings.set(workflowId, next)
    }
    return firings
  }, [data])
}
