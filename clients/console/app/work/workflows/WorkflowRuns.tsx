/** The runs of a workflow, newest first, updated live. */
import { graphql } from '../../data/graphql.ts'
import { usePagedList } from '../../data/usePagedList.ts'
import { useSubscription } from '../../data/useSubscription.ts'
import { messages } from '../../messages.ts'
import { ObjectList } from '../../parts/lists/ObjectList.tsx'
import { EmptyState } from '../../parts/notices/EmptyState.tsx'
import { RelativeTime } from '../../parts/RelativeTime.tsx'
import { StatusBadge } from '../../parts/StatusBadge.tsx'

const texts = messages.workflows

const runsQuery = graphql(`query ($workflowId: ID!, $after: String) {
  runs(first: 20, after: $after, workflowId: $workflowId) {
    totalCount nodes { id title displayNumber status createdAt agent { name } worktree { branch path } }
    pageInfo { hasNextPage endCursor }
  }
}`)
const runSubscription = graphql('subscription { runStatusChanged { id ... on WorkflowRun { workflowId } } }')

export function WorkflowRuns({ workflowId }: { readonly workflowId: string }) {
  const list = usePagedList(runsQuery, 'runs', { workflowId }, ({ id }) => id, { pauseMs: 1_000 })
  useSubscription(
    runSubscription,
    {},
    {
      onStart: () => void list.refresh(),
      onData: ({ runStatusChanged: run }) => {
        if ('workflowId' in run && run.workflowId === workflowId) list.refresh()
      },
    },
  )
  return (
    <>
      <h2>
        {messages.work.tabs.runs} <span class="count">{list.items === undefined ? '' : list.totalCount}</span>
      </h2>
      <ObjectList
        label={texts.runs}
        list={list}
        getId={({ id }) => id}
        isFiltered={false}
        empty={<EmptyState title={texts.noRuns} />}
        columns={[
          {
            name: texts.columns.run,
            render: ({ id, title, displayNumber }) => (
              <a class="item-name" href={`/runs/${id}`}>
                {title} {displayNumber}
              </a>
            ),
          },
          { name: texts.columns.status, render: ({ status }) => <StatusBadge status={status} /> },
          {
            name: messages.work.worktree,
            isWide: true,
            render: ({ agent, worktree }) => `${agent.name} · ${worktree.branch ?? worktree.path ?? ''}`,
          },
          { name: messages.work.created, render: ({ createdAt }) => <RelativeTime at={createdAt} /> },
        ]}
      />
    </>
  )
}
