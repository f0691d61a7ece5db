/** Fires the times of a schedule in an interval of the past. */
import { useMemo } from 'preact/hooks'
import { requestGraphql } from '../../data/request.ts'
import { messages } from '../../messages.ts'
import { ConfirmDialog } from '../../parts/forms/ConfirmDialog.tsx'
import { Field } from '../../parts/forms/Field.tsx'
import { createRepeatKeys } from '../../parts/forms/repeatKeys.ts'
import { backfillMutation } from './schedule.ts'

const texts = messages.schedules

const dayMs = 86_400_000

interface BackfillDialogProps {
  readonly schedule: { readonly id: string; readonly name: string }
  onClose(): void
}

export function BackfillDialog({ schedule: { id, name }, onClose }: BackfillDialogProps) {
  const keys = useMemo(createRepeatKeys, [])
  const now = useMemo(Date.now, [])
  return (
    <ConfirmDialog
      title={`${texts.backfill}: ${name}`}
      confirmLabel={texts.backfill}
      onClose={onClose}
      onConfirm={async (formData) => {
        const read = (field: string) => String(formData.get(field)).trim()
        const request = { scheduleId: id, from: read('from'), to: read('to') }
        await keys.send(request, (idempotencyKey) =>
          requestGraphql(backfillMutation, { input: { ...request, idempotencyKey } }),
        )
      }}
    >
      <p>{texts.backfillHint}</p>
      <Field name="from" label={texts.from} hint={texts.instantHint} value={toInstant(now - dayMs)} />
      <Field name="to" label={texts.to} hint={texts.instantHint} value={toInstant(now)} />
    </ConfirmDialog>
  )
}

function toInstant(ms: number): string {
  return new Date(ms).toISOString().replace(/\.\d+Z$/, 'Z')
}
