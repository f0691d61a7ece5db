/** The actions on a run: stop it, or start from it again when it has ended. */
import { graphql } from '../../data/graphql.ts'
import { requestGraphql } from '../../data/request.ts'
import { format, messages } from '../../messages.ts'
import { ActionButton } from '../../parts/forms/ActionButton.tsx'
import { ConfirmDialog } from '../../parts/forms/ConfirmDialog.tsx'
import { ReasonField } from '../../parts/forms/ReasonField.tsx'
import { ErrorMessage } from '../../parts/notices/ErrorMessage.tsx'
import { navigate } from '../../router.ts'
import { useDialog } from '../../state/dialogStore.ts'
import { useRequest } from '../../state/requestStore.ts'
import { hasEnded, type RunDetails } from '../runDetails.ts'
import { useStartAgain } from '../useStartAgain.ts'
import { ExecutePlanButton } from './ExecutePlanButton.tsx'

const { actions: texts } = messages.run

const cancelMutation = graphql('mutation ($input: CancelRunInput!) { cancelRun(input: $input) { run { id } } }')
const interruptMutation = graphql('mutation ($runId: ID!) { interruptRun(input: { runId: $runId }) { run { id } } }')
const pauseMutation = graphql('mutation ($runId: ID!) { pauseRun(input: { runId: $runId }) { run { id } } }')
const resumeMutation = graphql('mutation ($runId: ID!) { resumeRun(input: { runId: $runId }) { run { id } } }')

export function RunActions({ run, isPrompt }: { readonly run: RunDetails; readonly isPrompt: boolean }) {
  return (
    <div class="run-actions">
      {hasEnded(run) ? <EndedActions run={run} /> : <ActiveActions run={run} isPrompt={isPrompt} />}
    </div>
  )
}

function EndedActions({ run: { id, kind, status, canContinue, ...run } }: { readonly run: RunDetails }) {
  const { status: requestStatus, error, send } = useRequest<void>()
  const isBusy = requestStatus === 'pending'
  const planId = 'plan' in run ? run.plan?.id : undefined
  const { retryRun, continueRun, executePlan } = useStartAgain()
  const start = (starting: Promise<string | undefined>) =>
    void send(
      starting.then((started) => {
        if (started !== undefined) navigate(`/runs/${started}`)
      }),
    )
  return (
    <>
      {planId !== undefined && status === 'SUCCEEDED' && (
        <ExecutePlanButton planId={planId} isBusy={isBusy} onClick={() => start(executePlan({ planId }))} />
      )}
      {canContinue && (
        <ActionButton look="primary" isBusy={isBusy} onClick={() => start(continueRun(id))}>
          {texts.continueRun}
        </ActionButton>
      )}
      <ActionButton isBusy={isBusy} onClick={() => start(retryRun(id))}>
        {texts.retry}
      </ActionButton>
      {kind === 'WORKFLOW' && status === 'FAILED' && (
        <ActionButton isBusy={isBusy} onClick={() => start(retryRun(id, true))}>
          {texts.retryFromFailedStep}
        </ActionButton>
      )}
      {kind !== 'WORKFLOW' && (
        <a class="quiet" href={`/runs/new?from=${id}`}>
          {texts.runAgain}
        </a>
      )}
      <a class="quiet" href={`/worktrees/${run.worktree.id}`}>
        {texts.openWorktree}
      </a>
      {error && <ErrorMessage error={error} />}
    </>
  )
}

function ActiveActions({ run, isPrompt }: { readonly run: RunDetails; readonly isPrompt: boolean }) {
  const { id, status, title, isPauseRequested, problem } = run
  const { status: requestStatus, error, send } = useRequest<unknown>()
  const { dialog, open, close } = useDialog<'cancel'>()
  const isBusy = requestStatus === 'pending'
  const isWorking = status === 'RUNNING' || status === 'WAITING_FOR_INPUT'
  const isPaused = status === 'PAUSED' || isPauseRequested
  // A cancel also stops the queued follow-ups, which an interruption lets start.
  const isInterrupted = problem?.code === 'INTERRUPTED'
  return (
    <>
      {isPaused ? (
        <ActionButton isBusy={isBusy} onClick={() => void send(requestGraphql(resumeMutation, { runId: id }))}>
          {texts.resume}
        </ActionButton>
      ) : (
        isWorking && (
          <ActionButton isBusy={isBusy} onClick={() => void send(requestGraphql(pauseMutation, { runId: id }))}>
            {texts.pause}
          </ActionButton>
        )
      )}
      {isWorking && isPrompt && (
        <ActionButton isBusy={isBusy} onClick={() => void send(requestGraphql(interruptMutation, { runId: id }))}>
          {texts.interrupt}
        </ActionButton>
      )}
      {(status !== 'CANCELING' || isInterrupted) && (
        <ActionButton look="danger" onClick={() => open('cancel')}>
          {texts.cancel}
        </ActionButton>
      )}
      {error && <ErrorMessage error={error} />}
      {dialog === 'cancel' && (
        <ConfirmDialog
          title={format(texts.cancelTitle, { title })}
          confirmLabel={texts.cancel}
          cancelLabel={texts.keepRun}
          onClose={close}
          onConfirm={async (formData) => {
            const reason = String(formData.get('reason') ?? '').trim()
            await requestGraphql(cancelMutation, { input: { runId: id, ...(reason === '' ? {} : { reason }) } })
          }}
        >
          <p>{texts.cancelEffect}</p>
          <ReasonField />
        </ConfirmDialog>
      )}
    </>
  )
}
