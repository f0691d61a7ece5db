/** One plan: its text, its revisions, and what is done with it. */

import { StateHistoryStrip } from '../../chart/StateHistoryStrip.tsx'
import { graphql, type ResultOf } from '../../data/graphql.ts'
import { requestGraphql } from '../../data/request.ts'
import { useOnActorTransition } from '../../data/useOnActorTransition.ts'
import { useQuery } from '../../data/useQuery.ts'
import { format, messages } from '../../messages.ts'
import { ActionButton } from '../../parts/forms/ActionButton.tsx'
import { ConfirmDialog } from '../../parts/forms/ConfirmDialog.tsx'
import { TextAreaField } from '../../parts/forms/Field.tsx'
import { ObjectTable } from '../../parts/lists/ObjectTable.tsx'
import { ErrorMessage } from '../../parts/notices/ErrorMessage.tsx'
import { ObjectPage } from '../../parts/ObjectPage.tsx'
import { RelativeTime } from '../../parts/RelativeTime.tsx'
import { StatusBadge } from '../../parts/StatusBadge.tsx'
import { FollowUpComposer } from '../../runs/compose/FollowUpComposer.tsx'
import { hasEnded } from '../../runs/runDetails.ts'
import { useDialog } from '../../state/dialogStore.ts'
import { useRequest } from '../../state/requestStore.ts'
import { Usage } from '../Usage.tsx'
import { ExecutePlanDialog } from './ExecutePlanDialog.tsx'
import { isExecutable } from './isExecutable.ts'
import { PlanRevisions } from './PlanRevisions.tsx'
import { PlanText } from './PlanText.tsx'

const texts = messages.plans

const planQuery = graphql(`query ($id: ID!) { plan(id: $id) {
  id title status worktreeId lastRunId sessionId revision createdAt task text
  usage { runCount inputTokens outputTokens costs { amount currency } }
  runs(first: 20) { totalCount nodes { id title displayNumber status createdAt } }
} }`)
const updateMutation = graphql('mutation ($input: UpdatePlanInput!) { updatePlan(input: $input) { plan { id } } }')
const archiveMutation = graphql('mutation ($id: ID!) { archivePlan(input: { planId: $id }) { plan { id } } }')
const unarchiveMutation = graphql('mutation ($id: ID!) { unarchivePlan(input: { planId: $id }) { plan { id } } }')

type Plan = NonNullable<ResultOf<typeof planQuery>['plan']>

export function PlanPage({ id }: { readonly id: string }) {
  const { data, error, refresh } = useQuery(planQuery, { id })
  return (
    <ObjectPage
      object={data?.plan}
      error={error}
      status={data?.plan?.status}
      title={[data?.plan?.title, messages.work.tabs.plans]}
      notFoundMessage={format(texts.noSuchPlan, { id })}
      crumbs={<a href="/plans">{messages.work.tabs.plans}</a>}
    >
      {(plan) => <PlanView plan={plan} refresh={refresh} />}
    </ObjectPage>
  )
}

function PlanView({ plan, refresh }: { readonly plan: Plan; refresh(): void }) {
  const { id, title, status, revision, text, task, runs, worktreeId, sessionId, lastRunId } = plan
  useOnActorTransition(id, refresh)
  const { dialog, open, close } = useDialog<'execute' | 'edit'>()
  const { status: requestStatus, error, send } = useRequest<unknown>()
  const isBusy = requestStatus === 'pending'
  return (
    <>
      <div class="heading-row">
        <h1>{title}</h1>
        {revision > 0 && isExecutable(plan) && (
          <ActionButton look="primary" onClick={() => open('execute')}>
            {messages.run.actions.executePlan}
          </ActionButton>
        )}
      </div>
      <p class="lead">
        {revision > 0 && <span>{format(texts.revisionNumber, { number: revision })}</span>}
        <span>
          {messages.work.created} <RelativeTime at={plan.createdAt} />
        </span>
        <a href={`/worktrees/${worktreeId}`}>{messages.work.worktree}</a>
        {sessionId && <a href={`/sessions/${sessionId}`}>{messages.work.session}</a>}
        <a href={`/actors/${id}`}>{messages.work.lifecycle}</a>
      </p>
      <StateHistoryStrip id={id} status={status} href={`/actors/${id}`} />
      <div class="run-actions">
        {status === 'ARCHIVED' ? (
          <ActionButton isBusy={isBusy} onClick={() => void send(requestGraphql(unarchiveMutation, { id }))}>
            {texts.unarchive}
          </ActionButton>
        ) : (
          <>
            {text !== null && status !== 'RUNNING' && (
              <ActionButton onClick={() => open('edit')}>{texts.edit}</ActionButton>
            )}
            <ActionButton isBusy={isBusy} onClick={() => void send(requestGraphql(archiveMutation, { id }))}>
              {texts.archive}
            </ActionButton>
          </>
        )}
      </div>
      {error && <ErrorMessage error={error} />}
      {task && (
        <section class="run-input" aria-label={texts.task}>
          <h2>{texts.task}</h2>
          <pre class="run-task">{task}</pre>
        </section>
      )}
      <h2>{texts.plan}</h2>
      {text === null ? (
        <p class="note">{runs.nodes.every(hasEnded) ? texts.noAnswer : texts.noText}</p>
      ) : (
        <PlanText text={text} />
      )}
      {revision > 1 && <PlanRevisions key={revision} planId={id} />}
      {task && lastRunId && status !== 'ARCHIVED' && (
        <>
          <h2>{texts.revise}</h2>
          <FollowUpComposer runId={lastRunId} sessionId={undefined} hasEnded />
        </>
      )}
      <h2>
        {messages.work.tabs.runs} <span class="count">{runs.totalCount}</span>
      </h2>
      <ObjectTable
        label={messages.work.tabs.runs}
        items={runs.nodes}
        getId={(run) => run.id}
        columns={[
          {
            name: messages.work.run,
            render: (run) => (
              <a class="item-name" href={`/runs/${run.id}`}>
                {run.title} {run.displayNumber}
              </a>
            ),
          },
          { name: messages.parts.filters.status, render: (run) => <StatusBadge status={run.status} /> },
          { name: messages.work.created, render: ({ createdAt }) => <RelativeTime at={createdAt} /> },
        ]}
      />
      {runs.totalCount > runs.nodes.length && (
        <p class="hint">{format(messages.parts.firstOf, { shown: runs.nodes.length, total: runs.totalCount })}</p>
      )}
      <Usage usage={plan.usage} />
      {dialog === 'execute' && <ExecutePlanDialog plan={plan} onClose={close} />}
      {dialog === 'edit' && (
        <ConfirmDialog
          title={texts.edit}
          confirmLabel={texts.save}
          onClose={close}
          onConfirm={async (formData) => {
            const newText = String(formData.get('text')).replaceAll('\r\n', '\n')
            await requestGraphql(updateMutation, { input: { planId: id, text: newText, expectedRevision: revision } })
          }}
        >
          <TextAreaField name="text" label={texts.text} value={text ?? ''} rows={18} />
        </ConfirmDialog>
      )}
    </>
  )
}
