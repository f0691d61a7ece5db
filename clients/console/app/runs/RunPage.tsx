/** One run: its prompt, its questions, its output, and its lifecycle. */

import { terminalRunStatuses } from '../../../../spec/runs/runEnums.ts'
import { type EnumValue, graphql, type ResultOf } from '../data/graphql.ts'
import { requestGraphql } from '../data/request.ts'
import { useLiveObjects } from '../data/useLiveObjects.ts'
import { useQuery } from '../data/useQuery.ts'
import { ActorLifecycle } from '../operators/ActorLifecycle.tsx'
import { formatKind, formatName } from '../parts/formatName.ts'
import { ConfirmDialog } from '../parts/forms/ConfirmDialog.tsx'
import { ErrorMessage } from '../parts/messages/ErrorMessage.tsx'
import { Loading } from '../parts/messages/Loading.tsx'
import { isNotFound, NotFound } from '../parts/messages/NotFound.tsx'
import { RelativeTime } from '../parts/RelativeTime.tsx'
import { StatusBadge } from '../parts/StatusBadge.tsx'
import { useDocumentTitle } from '../parts/useDocumentTitle.ts'
import { useDialog } from '../state/dialogStore.ts'
import { FollowUpComposer } from './FollowUpComposer.tsx'
import { LogView } from './log/LogView.tsx'
import { Transcript } from './log/Transcript.tsx'
import { questionFragment } from './parsePermission.ts'
import { QuestionForm } from './QuestionForm.tsx'
import { RunActions } from './RunActions.tsx'
import { RunInput, useRunInput } from './RunInput.tsx'
import { RunSteps } from './RunSteps.tsx'

const runSubscription = graphql(
  `subscription ($runId: ID!) { runStatusChanged(runId: $runId) {
    id kind displayNumber title status phase jobId parentRunId createdAt queuedAt admittedAt startedAt endedAt questionId question { ...QuestionFields } exitCode
    problem { code message } blockedBy { message runIds runCount } agent { id name } worktree { id branch path }
    ... on SessionRun { session { id title } } ... on PlanRun { plan { id title } } ... on WorkflowRun { workflowId }
  } }`,
  [questionFragment],
)

type RunDetails = ResultOf<typeof runSubscription>['runStatusChanged']

const childRunsQuery = graphql(
  'query ($id: ID!) { runs(parentRunId: $id, first: 20) { totalCount nodes { id title status } } }',
)

const cancelMutation = graphql('mutation ($runId: ID!) { cancelRun(input: { runId: $runId }) { run { id } } }')

const terminalStatuses: ReadonlySet<EnumValue<'RunStatus'>> = new Set(terminalRunStatuses)

export function RunPage({ id }: { readonly id: string }) {
  const { objects, error } = useLiveObjects(runSubscription, 'runStatusChanged', { runId: id })
  const run = objects.get(id)
  const input = useRunInput(id)
  useDocumentTitle([run?.title, run && formatName(run.status), 'Runs'])
  const { dialog, open, close } = useDialog<'cancel'>()
  if (run === undefined && isNotFound(error)) return <NotFound message={`There is no run ${id}.`} />
  return (
    <section>
      <p class="crumbs">
        <a href="/runs">Runs</a>
      </p>
      {error && <ErrorMessage error={error} />}
      {run === undefined && !error && <Loading what={id} />}
      {run && (
        <>
          <div class="heading-row">
            <h1>{run.title}</h1>
            {!terminalStatuses.has(run.status) && (
              <button type="button" class="quiet" onClick={() => open('cancel')}>
                Cancel run
              </button>
            )}
          </div>
          <p class="lead">
            <StatusBadge status={run.status} />
            {run.phase && <span>{formatName(run.phase)}</span>}
            <span>
              {run.kind.toLowerCase()} {run.displayNumber}
            </span>
            <span>
              on <a href={`/actors/${run.agent.id}`}>{run.agent.name}</a>,{' '}
              <a href={`/worktrees/${run.worktree.id}`}>{run.worktree.branch ?? run.worktree.path}</a>
            </span>
            {run.endedAt ? (
              <span>
                ended <RelativeTime at={run.endedAt} />
                {run.exitCode !== null && `, exit code ${run.exitCode}`}
              </span>
            ) : (
              <span>
                created <RelativeTime at={run.createdAt} />
              </span>
            )}
            <Relations run={run} />
          </p>
          {run.problem && (
            <p class="message">
              {run.problem.message} <span class="hint">{run.problem.code}</span>
            </p>
          )}
          {run.blockedBy && (
            <p class="note">
              Waiting: {run.blockedBy.message}{' '}
              {run.blockedBy.runIds.slice(0, 5).map((other) => (
                <a key={other} href={`/runs/${other}`}>
                  {other}{' '}
                </a>
              ))}
              {run.blockedBy.runCount > 5 && `and ${(run.blockedBy.runCount - 5).toLocaleString()} more`}
            </p>
          )}
          {run.status === 'WAITING_FOR_INPUT' && run.questionId && run.question && (
            <QuestionForm key={run.questionId} runId={id} questionId={run.questionId} question={run.question} />
          )}
          {terminalStatuses.has(run.status) && (
            <RunActions key={run.id} run={run} planId={'plan' in run ? run.plan?.id : undefined} />
          )}
          {input && <RunInput run={input} times={run} />}
          {run.kind === 'WORKFLOW' && <RunSteps runId={id} status={run.status} />}
          <ChildRuns run={run} />
          {run.jobId && <Transcript key={run.id} runId={run.id} />}
          {input?.task?.prompt && (
            <FollowUpComposer
              runId={id}
              sessionId={'session' in run ? run.session?.id : undefined}
              hasEnded={terminalStatuses.has(run.status)}
            />
          )}
          {run.jobId && <LogView key={run.jobId} jobId={run.jobId} />}
        </>
      )}
      <ActorLifecycle id={id} />
      {dialog === 'cancel' && (
        <ConfirmDialog
          title={`Cancel run: ${run?.title ?? id}`}
          confirmLabel="Cancel run"
          cancelLabel="Keep run"
          onClose={close}
          onConfirm={async () => {
            await requestGraphql(cancelMutation, { runId: id })
          }}
        >
          <p>The agent stops this run and its child runs.</p>
        </ConfirmDialog>
      )}
    </section>
  )
}

/** Links to the owner, the workflow, the parent run and the job of the run. */
function Relations({ run }: { readonly run: RunDetails }) {
  const owner = 'session' in run ? run.session : 'plan' in run ? run.plan : undefined
  return (
    <>
      {owner && (
        <span>
          {formatKind(run.kind)}: <a href={`/actors/${owner.id}`}>{owner.title}</a>
        </span>
      )}
      {'workflowId' in run && <a href={`/actors/${run.workflowId}`}>Workflow</a>}
      {run.parentRunId && <a href={`/runs/${run.parentRunId}`}>Parent run</a>}
      {run.jobId && <a href={`/actors/${run.jobId}`}>Job</a>}
    </>
  )
}

/** The runs that this run started. A finished run starts none. */
function ChildRuns({ run }: { readonly run: RunDetails }) {
  const { data } = useQuery(
    childRunsQuery,
    { id: run.id },
    {
      everyMs: terminalStatuses.has(run.status) ? undefined : 5_000,
    },
  )
  if (data === undefined || data.runs.totalCount === 0) return null
  return (
    <section class="child-runs" aria-labelledby="child-runs">
      <h2 id="child-runs">
        Child runs <span class="count">{data.runs.totalCount.toLocaleString()}</span>
      </h2>
      <ul class="rows">
        {data.runs.nodes.map(({ id, title, status }) => (
          <li key={id}>
            <a class="item-name" href={`/runs/${id}`}>
              {title}
            </a>
            <StatusBadge status={status} />
          </li>
        ))}
      </ul>
    </section>
  )
}
