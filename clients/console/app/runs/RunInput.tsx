/** The task of a run, its requester, and its times. */
import { graphql, type ResultOf } from '../data/graphql.ts'
import { useQuery } from '../data/useQuery.ts'
import { formatDuration } from '../parts/formatDuration.ts'
import { useNow } from '../parts/RelativeTime.tsx'

const inputQuery = graphql(`query ($id: ID!) { run(id: $id) {
  cli model requestedById task { prompt command }
  requestedBy {
    ... on User { name } ... on ApiKey { name }
    ... on PlanRun { title } ... on SessionRun { title } ... on WorkflowRun { title } ... on Schedule { name }
  }
  attachments { id name }
} }`)

type RunInputDetails = NonNullable<ResultOf<typeof inputQuery>['run']>

interface RunTimes {
  readonly queuedAt: string | null
  readonly admittedAt: string | null
  readonly startedAt: string | null
  readonly endedAt: string | null
}

/** The input never changes, so it is read once. Undefined until it is loaded. */
export function useRunInput(id: string): RunInputDetails | undefined {
  return useQuery(inputQuery, { id }).data?.run ?? undefined
}

export function RunInput({ run, times }: { readonly run: RunInputDetails; readonly times: RunTimes }) {
  const { task, cli, model, attachments } = run
  return (
    <section class="run-input" aria-label="Task">
      {task && <pre class={`run-task${task.command === null ? '' : ' code'}`}>{task.prompt ?? task.command}</pre>}
      <dl class="facts">
        <Fact name="Requested by">{<Requester run={run} />}</Fact>
        {cli && <Fact name="Coding CLI">{cli}</Fact>}
        {model && <Fact name="Model">{model}</Fact>}
        <Times {...times} />
        {attachments.length > 0 && (
          <Fact name="Files">
            {attachments.map(({ id: attachmentId, name }, index) => (
              <span key={attachmentId}>
                {index > 0 && ', '}
                <a href={`/api/run-attachments/${attachmentId}`}>{name}</a>
              </span>
            ))}
          </Fact>
        )}
      </dl>
    </section>
  )
}

function Fact({ name, children }: { readonly name: string; readonly children: preact.ComponentChildren }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}

function Requester({ run: { requestedBy, requestedById } }: { readonly run: RunInputDetails }) {
  if (requestedBy === null) return <span class="id">{requestedById}</span>
  if ('title' in requestedBy) return <a href={`/runs/${requestedById}`}>{requestedBy.title}</a>
  return <>{requestedBy.name}</>
}

function Times({ queuedAt, admittedAt, startedAt, endedAt }: RunTimes) {
  const now = useNow()
  const elapsed = (from: string, to: string | null) => formatDuration((to ? Date.parse(to) : now) - Date.parse(from))
  return (
    <>
      {queuedAt && <Fact name="In the queue">{elapsed(queuedAt, admittedAt ?? endedAt)}</Fact>}
      {startedAt && <Fact name={endedAt ? 'Took' : 'Running for'}>{elapsed(startedAt, endedAt)}</Fact>}
    </>
  )
}
