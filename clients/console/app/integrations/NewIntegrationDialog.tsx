/** Creates an integration. */
import { useMemo, useState } from 'preact/hooks'
import { factsOf } from '../../../../spec/hosts/webhookProviders.ts'
import { requestGraphql } from '../data/request.ts'
import { messages } from '../messages.ts'
import { ConfirmDialog } from '../parts/forms/ConfirmDialog.tsx'
import { ChoiceField, Field } from '../parts/forms/Field.tsx'
import { createRepeatKeys } from '../parts/forms/repeatKeys.ts'
import { createMutation, type Integration, type NewSecret, providerNames } from './integration.ts'
import { readSecret, SecretField } from './SecretField.tsx'

const texts = messages.integrations

interface NewIntegrationDialogProps {
  onCreate(created: NewSecret): void
  onClose(): void
}

export function NewIntegrationDialog({ onCreate, onClose }: NewIntegrationDialogProps) {
  const keys = useMemo(createRepeatKeys, [])
  const [provider, setProvider] = useState<Integration['provider']>('GITHUB')
  const { schemes } = factsOf(provider)
  return (
    <ConfirmDialog
      title={texts.create.title}
      confirmLabel={texts.create.submit}
      onClose={onClose}
      onConfirm={async (formData) => {
        const scheme = schemes.find((one) => one === formData.get('scheme')) ?? schemes[0]
        const secret = readSecret(formData)
        const request = { name: String(formData.get('name')).trim(), provider, scheme, secret }
        const { createIntegration } = await keys.send(request, (idempotencyKey) =>
          requestGraphql(createMutation, { input: { ...request, idempotencyKey } }),
        )
        onCreate({ ...createIntegration, isGiven: secret !== null })
      }}
    >
      <Field name="name" label={texts.name} hint={texts.nameHint} maxLength={100} />
      <ChoiceField
        name="provider"
        label={texts.provider}
        choices={providerNames}
        value={provider}
        onChange={(value) => setProvider(value as Integration['provider'])}
      />
      {schemes.length > 1 && (
        <ChoiceField
          name="scheme"
          label={texts.scheme.label}
          choices={Object.fromEntries(schemes.map((scheme) => [scheme, texts.scheme[scheme]]))}
          value={schemes[0]}
        />
      )}
      <SecretField hint={factsOf(provider).givesSecret ? texts.secret.laterHint : texts.secret.generatedHint} />
    </ConfirmDialog>
  )
}
