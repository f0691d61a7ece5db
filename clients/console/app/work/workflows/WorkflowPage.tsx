/** One workflow: its steps, its schedules, its runs and its versions. */

import { useEffect, useState } from 'preact/hooks'
import { graphql, type ResultOf } from '../../data/graphql.ts'
import { requestGraphql } from '../../data/request.ts'
import { useOnActorTransition } from '../../data/useOnActorTransition.ts'
import { useAsyncData, useQuery } from '../../data/useQuery.ts'
import { format, messages } from '../../messages.ts'
import { ActionButton } from '../../parts/forms/ActionButton.tsx'
import { EmptyState } from '../../parts/notices/EmptyState.tsx'
import { ErrorMessage } from '../../parts/notices/ErrorMessage.tsx'
import { Loading } from '../../parts/notices/Loading.tsx'
import { ObjectPage } from '../../parts/ObjectPage.tsx'
import { StatusBadge } from '../../parts/StatusBadge.tsx'
import { useDialog } from '../../state/dialogStore.ts'
import { useRequest } from '../../state/requestStore.ts'
import { ArchiveButton } from '../library/ArchiveButton.tsx'
import { ScheduleDialog } from '../schedules/ScheduleDialog.tsx'
import { ScheduleList } from '../schedules/ScheduleList.tsx'
import { publishMutation } from './publishWorkflow.ts'
import { StartWorkflowDialog } from './StartWorkflowDialog.tsx'
import { StepDetails } from './StepDetails.tsx'
import { StepGraph } from './StepGraph.tsx'
import { toShownSteps } from './toShownSteps.ts'
import { WorkflowRuns } from './WorkflowRuns.tsx'
import { WorkflowVersions } from './WorkflowVersions.tsx'
import { toWorkflowInput, workflowDefinitionFragment } from './workflowInput.ts'

const texts = messages.workflows

const workflowQuery = graphql('query ($id: ID!) { workflow(id: $id) { id name status version revision } }')
const definitionsQuery = graphql(
  `query ($id: ID!) { workflow(id: $id) {
    draft { ...WorkflowDefinitionFields } published { ...WorkflowDefinitionFields }
  } }`,
  [workflowDefinitionFragment],
)
const archiveMutation = graphql(
  'mutation ($id: ID!) { archiveWorkflow(input: { workflowId: $id }) { workflow { id } } }',
)
const unarchiveMutation = graphql(
  'mutation ($id: ID!) { unarchiveWorkflow(input: { workflowId: $id }) { workflow { id } } }',
)

type Workflow = NonNullable<ResultOf<typeof workflowQuery>['workflow']>
type Definitions = NonNullable<ResultOf<typeof definitionsQuery>['workflow']>

export function WorkflowPage({ id }: { readonly id: string }) {
  const { data, error, refresh } = useQuery(workflowQuery, { id })
  return (
    <ObjectPage
      object={data?.workflow}
      error={error}
      title={[data?.workflow?.name, messages.shell.views.workflows]}
      notFoundMessage={format(texts.noSuchWorkflow, { id })}
      crumbs={<a href="/workflows">{messages.shell.views.workflows}</a>}
    >
      {(workflow) => <KnownWorkflow workflow={workflow} refresh={refresh} />}
    </ObjectPage>
  )
}

interface WorkflowViewProps {
  readonly workflow: Workflow
  refresh(): void
}

/** The definitions are expensive, and are read again only if one of them has changed. The old ones stay meanwhile. */
function KnownWorkflow({ workflow, refresh }: WorkflowViewProps) {
  const { id, version, revision } = workflow
  useOnActorTransition(id, refresh)
  const { data, error } = useAsyncData(`workflow ${id} ${version} ${revision}`, () =>
    requestGraphql(definitionsQuery, { id }),
  )
  const [shown, setShown] = useState<Definitions>()
  useEffect(() => {
    if (data?.workflow) setShown(data.workflow)
  }, [data])
  return (
    <>
      {error && <ErrorMessage error={error} retriesAutomatically />}
      {shown === undefined && !error && <Loading />}
      {shown && <WorkflowView workflow={workflow} definitions={shown} />}
    </>
  )
}

type WorkflowDialog = 'start' | 'schedule'

interface DefinedWorkflow {
  readonly workflow: Workflow
  readonly definitions: Definitions
}

function WorkflowView({ workflow, definitions: { draft, published } }: DefinedWorkflow) {
  const { id, name, status, version, revision } = workflow
  const { dialog, open, close } = useDialog<WorkflowDialog>()
  const { status: requestStatus, error, send } = useRequest<unknown>()
  const shown = published ?? draft
  const hasChanges = published !== null && JSON.stringify(published) !== JSON.stringify(draft)
  const publish = () => requestGraphql(publishMutation, { input: { workflowId: id, expectedRevision: revision } })
  return (
    <>
      <div class="heading-row">
        <h1>{name}</h1>
        {status === 'PUBLISHED' && (
          <ActionButton look="primary" onClick={() => open('start')}>
            {texts.start}
          </ActionButton>
        )}
      </div>
      <p class="lead">
        <StatusBadge status={status} />
        {version > 0 && <span>{format(texts.versionNumber, { number: version })}</span>}
        <span>{texts.form.overlapPolicies[shown.overlapPolicy]}</span>
        <a href={`/actors/${id}`}>{messages.work.lifecycle}</a>
      </p>
      {hasChanges && <p class="note">{texts.draftHasChanges}</p>}
      <div class="run-actions">
        {status !== 'ARCHIVED' && (
          <>
            <a class="quiet" href={`/workflows/${id}/edit`}>
              {texts.edit}
            </a>
            {(published === null || hasChanges) && (
              <ActionButton isBusy={requestStatus === 'pending'} onClick={() => void send(publish())}>
                {texts.publish}
              </ActionButton>
            )}
            {status === 'PUBLISHED' && (
              <ActionButton onClick={() => open('schedule')}>{texts.addSchedule}</ActionButton>
            )}
          </>
        )}
        <ArchiveButton
          name={name}
          isArchived={status === 'ARCHIVED'}
          texts={texts}
          onArchive={() => requestGraphql(archiveMutation, { id })}
          onUnarchive={() => requestGraphql(unarchiveMutation, { id })}
        />
      </div>
      {error && <ErrorMessage error={error} />}
      <WorkflowSteps definition={shown} />
      <h2>{messages.work.tabs.schedules}</h2>
      <ScheduleList workflowId={id} empty={<EmptyState title={messages.schedules.none} />} />
      <WorkflowRuns workflowId={id} />
      {version > 0 && <WorkflowVersions key={version} workflowId={id} />}
      {dialog === 'start' && <StartWorkflowDialog workflowId={id} name={name} inputs={shown.inputs} onClose={close} />}
      {dialog === 'schedule' && (
        <ScheduleDialog workflow={{ id, inputs: shown.inputs }} schedule={undefined} onClose={close} />
      )}
    </>
  )
}

function WorkflowSteps({ definition }: { readonly definition: Definitions['draft'] }) {
  const [selected, setSelected] = useState<string>()
  const { steps } = toWorkflowInput(definition)
  const step = steps.find(({ name }) => name === selected)
  return (
    <>
      <h2>
        {texts.steps} <span class="count">{steps.length}</span>
      </h2>
      <StepGraph
        label={texts.graph}
        steps={toShownSteps(steps)}
        selected={selected}
        onSelect={(name) => setSelected(name === selected ? undefined : name)}
      />
      {step && <StepDetails step={step} />}
    </>
  )
}
