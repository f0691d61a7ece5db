/** One schedule: when it fires next, what came of its last firing, and its actions. */
import { graphql } from '../../data/graphql.ts'
import { requestGraphql } from '../../data/request.ts'
import { useQuery } from '../../data/useQuery.ts'
import { format, messages } from '../../messages.ts'
import { ActionButton } from '../../parts/forms/ActionButton.tsx'
import { ConfirmDialog } from '../../parts/forms/ConfirmDialog.tsx'
import { Field } from '../../parts/forms/Field.tsx'
import { createRepeatKeys } from '../../parts/forms/repeatKeys.ts'
import { ErrorMessage } from '../../parts/notices/ErrorMessage.tsx'
import { RelativeTime } from '../../parts/RelativeTime.tsx'
import { StatusBadge } from '../../parts/StatusBadge.tsx'
import { useDialog } from '../../state/dialogStore.ts'
import { useRequest } from '../../state/requestStore.ts'
import { workflowDefinitionFragment } from '../workflows/workflowInput.ts'
import { BackfillDialog } from './BackfillDialog.tsx'
import { ScheduleDialog } from './ScheduleDialog.tsx'
import { ScheduledTimes } from './ScheduledTimes.tsx'
import { deleteMutation, pauseMutation, resumeMutation, type Schedule, triggerMutation } from './schedule.ts'

const texts = messages.schedules

const keys = createRepeatKeys()

interface ScheduleCardProps {
  readonly schedule: Schedule
  /** Whether it names its workflow. */
  readonly hasWorkflow: boolean
}

export function ScheduleCard({ schedule, hasWorkflow }: ScheduleCardProps) {
  const {
    id,
    name,
    status,
    cron,
    timeZone,
    nextTimes,
    workflow,
    worktree,
    isPaused,
    pauseReason,
    problem,
    lastFiring,
  } = schedule
  const { dialog, open, close } = useDialog<'edit' | 'pause' | 'delete' | 'backfill'>()
  const { status: requestStatus, error, send } = useRequest<unknown>()
  const isBusy = requestStatus === 'pending'
  // A click is another firing than the click before it, and a repeat of the same request is not.
  const trigger = () => {
    const input = { scheduleId: id, after: schedule.firedCount }
    return keys.send(input, (idempotencyKey) =>
      requestGraphql(triggerMutation, { input: { scheduleId: id, idempotencyKey } }),
    )
  }
  return (
    <li class="schedule">
      <div class="schedule-heading">
        <span class="item-name">{name}</span> <StatusBadge status={status} />{' '}
        <code>
          {cron} {timeZone}
        </code>
      </div>
      <p class="hint">
        {hasWorkflow && workflow && (
          <>
            <a href={`/workflows/${workflow.id}`}>{workflow.name}</a> ·{' '}
          </>
        )}
        {worktree && <a href={`/worktrees/${worktree.id}`}>{worktree.branch ?? worktree.path}</a>} ·{' '}
        {format(texts.firedCount, { count: schedule.firedCount })}
        {schedule.missedCount > 0 && ` · ${format(texts.missedCount, { count: schedule.missedCount })}`}
        {lastFiring && (
          <>
            {' · '}
            {texts.lastFiring}{' '}
            {lastFiring.runId ? (
              <a href={`/runs/${lastFiring.runId}`}>
                <RelativeTime at={lastFiring.firedAt} />
              </a>
            ) : (
              <RelativeTime at={lastFiring.firedAt} />
            )}
          </>
        )}
      </p>
      {pauseReason && <p class="note">{format(texts.pausedBecause, { reason: pauseReason })}</p>}
      {problem && <p class="problem">{problem.message}</p>}
      {status === 'ACTIVE' && (
        <div>
          <p class="hint">{texts.nextTimes}</p>
          <ScheduledTimes times={nextTimes} timeZone={timeZone} />
        </div>
      )}
      {status !== 'DELETED' && (
        <div class="run-actions">
          <ActionButton isBusy={isBusy} label={`${texts.trigger}: ${name}`} onClick={() => void send(trigger())}>
            {texts.trigger}
          </ActionButton>
          {isPaused ? (
            <ActionButton
              isBusy={isBusy}
              label={`${texts.resume}: ${name}`}
              onClick={() => void send(requestGraphql(resumeMutation, { input: { scheduleId: id } }))}
            >
              {texts.resume}
            </ActionButton>
          ) : (
            <ActionButton label={`${texts.pause}: ${name}`} onClick={() => open('pause')}>
              {texts.pause}
            </ActionButton>
          )}
          <ActionButton label={`${texts.editSchedule}: ${name}`} onClick={() => open('edit')}>
            {texts.editSchedule}
          </ActionButton>
          <ActionButton label={`${texts.backfill}: ${name}`} onClick={() => open('backfill')}>
            {texts.backfill}
          </ActionButton>
          <ActionButton look="danger" label={`${texts.delete}: ${name}`} onClick={() => open('delete')}>
            {texts.delete}
          </ActionButton>
        </div>
      )}
      {error && <ErrorMessage error={error} />}
      {dialog === 'edit' && <EditDialog schedule={schedule} onClose={close} />}
      {dialog === 'backfill' && <BackfillDialog schedule={schedule} onClose={close} />}
      {dialog === 'pause' && (
        <ConfirmDialog
          title={`${texts.pause}: ${name}`}
          confirmLabel={texts.pause}
          onClose={close}
          onConfirm={async (formData) => {
            const reason = String(formData.get('reason')).trim()
            await requestGraphql(pauseMutation, { input: { scheduleId: id, ...(reason === '' ? {} : { reason }) } })
          }}
        >
          <p>{texts.pauseHint}</p>
          <Field name="reason" label={texts.reason} maxLength={500} isOptional />
        </ConfirmDialog>
      )}
      {dialog === 'delete' && (
        <ConfirmDialog
          title={`${texts.delete}: ${name}`}
          confirmLabel={texts.delete}
          look="danger"
          onClose={close}
          onConfirm={async () => {
            await requestGraphql(deleteMutation, { input: { scheduleId: id } })
          }}
        >
          <p>{texts.deleteHint}</p>
        </ConfirmDialog>
      )}
    </li>
  )
}

const inputsQuery = graphql('query ($id: ID!) { workflow(id: $id) { published { ...WorkflowDefinitionFields } } }', [
  workflowDefinitionFragment,
])

/** The inputs are those of the published version, which the server checks. */
function EditDialog({ schedule, onClose }: { readonly schedule: Schedule; onClose(): void }) {
  const { data, error } = useQuery(inputsQuery, { id: schedule.workflowId })
  if (error) return <ErrorMessage error={error} />
  if (data === undefined) return null
  const workflow = { id: schedule.workflowId, inputs: data.workflow?.published?.inputs ?? [] }
  return <ScheduleDialog workflow={workflow} schedule={schedule} onClose={onClose} />
}
