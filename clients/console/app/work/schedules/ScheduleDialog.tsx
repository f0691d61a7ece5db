/** Creates or changes a schedule of a workflow, and shows its next times while it is written. */
import { useMemo, useState } from 'preact/hooks'
import { requestGraphql } from '../../data/request.ts'
import { useAsyncData } from '../../data/useQuery.ts'
import { messages } from '../../messages.ts'
import { ConfirmDialog } from '../../parts/forms/ConfirmDialog.tsx'
import { Field, NumberField } from '../../parts/forms/Field.tsx'
import { createRepeatKeys } from '../../parts/forms/repeatKeys.ts'
import { WorktreeField } from '../WorktreeField.tsx'
import { ArgumentFields, type DeclaredArgument, readArguments } from '../workflows/ArgumentFields.tsx'
import { ScheduledTimes } from './ScheduledTimes.tsx'
import { createMutation, type Schedule, updateMutation } from './schedule.ts'

const texts = messages.schedules

const maxJitterSeconds = 3_600
const maxCatchUpSeconds = 365 * 86_400

interface ScheduleDialogProps {
  readonly workflow: { readonly id: string; readonly inputs: readonly DeclaredArgument[] }
  /** The schedule that is changed. Undefined for a new one. */
  readonly schedule: Schedule | undefined
  onClose(): void
}

export function ScheduleDialog({ workflow, schedule, onClose }: ScheduleDialogProps) {
  const keys = useMemo(createRepeatKeys, [])
  const [cron, setCron] = useState(schedule?.cron ?? '')
  const [timeZone, setTimeZone] = useState(schedule?.timeZone ?? Intl.DateTimeFormat().resolvedOptions().timeZone)
  const values = schedule?.inputs ?? {}
  return (
    <ConfirmDialog
      title={schedule ? texts.editSchedule : texts.newSchedule}
      confirmLabel={texts.save}
      onClose={onClose}
      onConfirm={async (formData) => {
        const content = { ...readContent(formData), inputs: readArguments(formData, workflow.inputs) }
        if (schedule) {
          const { id: scheduleId, revision: expectedRevision } = schedule
          await requestGraphql(updateMutation, { input: { scheduleId, ...content, expectedRevision } })
          return
        }
        const request = { workflowId: workflow.id, ...content }
        await keys.send(request, (idempotencyKey) =>
          requestGraphql(createMutation, { input: { ...request, idempotencyKey } }),
        )
      }}
    >
      <div
        class="stack"
        onInput={({ target }) => {
          if (!(target instanceof HTMLInputElement)) return
          if (target.name === 'cron') setCron(target.value)
          if (target.name === 'timeZone') setTimeZone(target.value)
        }}
      >
        <Field name="name" label={texts.name} value={schedule?.name ?? ''} maxLength={100} />
        <div class="field-columns">
          <Field
            name="cron"
            label={texts.cron}
            hint={texts.cronHint}
            value={schedule?.cron ?? ''}
            maxLength={200}
            placeholder="30 9 * * MON-FRI"
          />
          <Field name="timeZone" label={texts.timeZone} hint={texts.timeZoneHint} value={timeZone} maxLength={64} />
        </div>
        <Preview cron={cron} timeZone={timeZone} />
        <ArgumentFields declared={workflow.inputs} values={values as Readonly<Record<string, unknown>>} />
        <WorktreeField initialId={schedule?.worktreeId} />
        <details class="more-options">
          <summary>{messages.newRun.options.more}</summary>
          <div class="field-columns">
            <NumberField
              name="jitterSeconds"
              label={texts.jitter}
              hint={texts.jitterHint}
              value={schedule?.jitterSeconds}
              min={0}
              max={maxJitterSeconds}
            />
            <NumberField
              name="catchUpWindowSeconds"
              label={texts.catchUp}
              hint={texts.catchUpHint}
              value={schedule?.catchUpWindowSeconds}
              min={10}
              max={maxCatchUpSeconds}
            />
            <InstantField name="startAt" label={texts.startAt} value={schedule?.startAt} />
            <InstantField name="endAt" label={texts.endAt} value={schedule?.endAt} />
          </div>
        </details>
      </div>
    </ConfirmDialog>
  )
}

interface InstantFieldProps {
  readonly name: string
  readonly label: string
  readonly value: string | null | undefined
}

function InstantField({ name, label, value }: InstantFieldProps) {
  return (
    <Field
      name={name}
      label={label}
      hint={texts.instantHint}
      value={value ?? ''}
      placeholder="2027-01-01T00:00:00Z"
      isOptional
    />
  )
}

function readContent(formData: FormData) {
  const read = (name: string) => String(formData.get(name) ?? '').trim()
  const optional = (name: string) => (read(name) === '' ? null : read(name))
  const number = (name: string) => (read(name) === '' ? null : Number(read(name)))
  return {
    name: read('name'),
    worktreeId: read('worktreeId'),
    cron: read('cron'),
    timeZone: read('timeZone'),
    jitterSeconds: number('jitterSeconds'),
    catchUpWindowSeconds: number('catchUpWindowSeconds'),
    startAt: optional('startAt'),
    endAt: optional('endAt'),
  }
}

/** The calculation is loaded with the first dialog. */
function Preview({ cron, timeZone }: { readonly cron: string; readonly timeZone: string }) {
  const { data } = useAsyncData('schedule preview', () => import('./previewTimes.ts'))
  const times = useMemo(() => data?.previewTimes(cron, timeZone), [data, cron, timeZone])
  if (times === undefined) return null
  return (
    <div class="note">
      <p>{texts.nextTimes}</p>
      <ScheduledTimes times={times} timeZone={timeZone} />
    </div>
  )
}
