/** The steps of the run of a workflow: status, log or run of each, and the decision of an approval. */
import { terminalRunStatuses } from '../../../../../spec/runs/runEnums.ts'
import { type EnumValue, graphql, type ResultOf } from '../../data/graphql.ts'
import { requestGraphql } from '../../data/request.ts'
import { useQuery } from '../../data/useQuery.ts'
import { format, messages } from '../../messages.ts'
import { formatKind, formatName } from '../../parts/formatName.ts'
import { ActionButton } from '../../parts/forms/ActionButton.tsx'
import { ConfirmDialog } from '../../parts/forms/ConfirmDialog.tsx'
import { ErrorMessage } from '../../parts/notices/ErrorMessage.tsx'
import { StatusBadge } from '../../parts/StatusBadge.tsx'
import { setFilters, useFilters } from '../../router.ts'
import { useDialog } from '../../state/dialogStore.ts'
import { WorkflowRunGraph } from '../../work/workflows/WorkflowRunGraph.tsx'
import { LogView } from '../log/LogView.tsx'

const { steps: texts } = messages.run

const stepsQuery = graphql(`query ($id: ID!) { run(id: $id) { ... on WorkflowRun { steps {
  id name title kind status attempt maxAttempts jobId childRunId message comment problem { code message }
  build { id displayNumber status }
} } } }`)

const decideMutation = graphql(
  'mutation ($input: DecideApprovalInput!) { decideApproval(input: $input) { step { id } } }',
)

type Run = NonNullable<ResultOf<typeof stepsQuery>['run']>
type Step = Extract<Run, { readonly steps: unknown }>['steps'][number]

interface Decision {
  readonly step: Step
  readonly decision: EnumValue<'ApprovalDecision'>
}

const ended: ReadonlySet<EnumValue<'RunStatus'>> = new Set(terminalRunStatuses)

export function RunSteps({ runId, status }: { readonly runId: string; readonly status: EnumValue<'RunStatus'> }) {
  const { data, error, refresh } = useQuery(
    stepsQuery,
    { id: runId },
    { everyMs: ended.has(status) ? undefined : 2_000 },
  )
  const { dialog, open, close } = useDialog<Decision>()
  const { log: shownLog } = useFilters()
  if (error && data === undefined) return <ErrorMessage error={error} retriesAutomatically />
  const steps = data?.run && 'steps' in data.run ? data.run.steps : []
  if (steps.length === 0) return null
  return (
    <section class="run-steps" aria-labelledby="steps">
      <h2 id="steps">
        {texts.title} <span class="count">{steps.length}</span>
      </h2>
      <WorkflowRunGraph runId={runId} />
      <ol class="rows">
        {steps.map((step) => (
          <li key={step.id}>
            <span class="item-name">{step.title}</span>
            <StatusBadge status={step.status} />
            <span class="hint">{describe(step)}</span>
            {step.childRunId && <a href={`/runs/${step.childRunId}`}>{texts.openRun}</a>}
            {step.build && (
              <a href={`/builds/${step.build.id}`}>
                {format(messages.builds.buildNumber, { number: step.build.displayNumber })} ·{' '}
                {formatName(step.build.status)}
              </a>
            )}
            {step.jobId && <LogButton jobId={step.jobId} shownLog={shownLog} />}
            {step.status === 'WAITING_FOR_APPROVAL' && (
              <span class="buttons">
                <ActionButton look="primary" onClick={() => open({ step, decision: 'APPROVED' })}>
                  {texts.decisions.APPROVED}
                </ActionButton>
                <ActionButton look="danger" onClick={() => open({ step, decision: 'REJECTED' })}>
                  {texts.decisions.REJECTED}
                </ActionButton>
              </span>
            )}
            {step.jobId && step.jobId === shownLog && <LogView key={shownLog} jobId={shownLog} />}
          </li>
        ))}
      </ol>
      {dialog && <DecideDialog {...dialog} onClose={close} onDecided={refresh} />}
    </section>
  )
}

interface LogButtonProps {
  readonly jobId: string
  readonly shownLog: string | undefined
}

/** The address has the job whose log is shown, so that a line of the log has a link. */
function LogButton({ jobId, shownLog }: LogButtonProps) {
  const isShown = shownLog === jobId
  return (
    <button
      type="button"
      class="quiet"
      aria-expanded={isShown}
      onClick={() => setFilters({ log: isShown ? '' : jobId, line: '', find: '' })}
    >
      {isShown ? texts.hideLog : texts.showLog}
    </button>
  )
}

function describe({ kind, message, problem, attempt, maxAttempts, comment }: Step): string {
  const parts = [
    formatKind(kind),
    ...(maxAttempts > 1 && attempt > 0 ? [format(texts.attempt, { attempt, maxAttempts })] : []),
    ...(message ? [message] : []),
    ...(comment ? [`“${comment}”`] : []),
    ...(problem ? [problem.message] : []),
  ]
  return parts.join(' · ')
}

interface DecideDialogProps {
  readonly step: Step
  readonly decision: EnumValue<'ApprovalDecision'>
  onClose(): void
  onDecided(): void
}

function DecideDialog({ step, decision, onClose, onDecided }: DecideDialogProps) {
  const verb = texts.decisions[decision]
  return (
    <ConfirmDialog
      title={format(texts.decideTitle, { decision: verb, title: step.title })}
      confirmLabel={verb}
      onClose={onClose}
      onConfirm={async (form) => {
        const comment = String(form.get('comment') ?? '').trim()
        const input = { stepId: step.id, decision, ...(comment === '' ? {} : { comment }) }
        await requestGraphql(decideMutation, { input })
        onDecided()
      }}
    >
      <p>{step.message}</p>
      <label>
        {texts.comment}
        <input name="comment" maxLength={2_000} autoComplete="off" />
      </label>
    </ConfirmDialog>
  )
}
