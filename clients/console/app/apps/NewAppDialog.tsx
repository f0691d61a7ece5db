/** Creates an app, or claims one that only reports without an API key have named. */
import { useMemo } from 'preact/hooks'
import { requestGraphql } from '../data/request.ts'
import { messages } from '../messages.ts'
import { ConfirmDialog } from '../parts/forms/ConfirmDialog.tsx'
import { Field } from '../parts/forms/Field.tsx'
import { createRepeatKeys } from '../parts/forms/repeatKeys.ts'
import { navigate } from '../router.ts'
import { createMutation } from './app.ts'

const texts = messages.apps

export function NewAppDialog({ onClose }: { onClose(): void }) {
  const keys = useMemo(createRepeatKeys, [])
  return (
    <ConfirmDialog
      title={texts.create}
      confirmLabel={texts.create}
      onClose={onClose}
      onConfirm={async (formData) => {
        const read = (name: string) => String(formData.get(name) ?? '').trim()
        const request = { bundleIdentifier: read('bundleIdentifier'), name: read('name') }
        const { createApp } = await keys.send(request, (idempotencyKey) =>
          requestGraphql(createMutation, { input: { ...request, idempotencyKey } }),
        )
        navigate(`/apps/${createApp.app.id}`)
      }}
    >
      <Field name="name" label={texts.name} maxLength={100} />
      <Field name="bundleIdentifier" label={texts.bundleIdentifier} hint={texts.bundleIdentifierHint} maxLength={155} />
    </ConfirmDialog>
  )
}
