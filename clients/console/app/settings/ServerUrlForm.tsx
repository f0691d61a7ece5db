/** The overrides of the server URLs and the default kind. */
import type { EnumValue } from '../data/graphql.ts'
import { messages } from '../messages.ts'
import { ActionButton } from '../parts/forms/ActionButton.tsx'
import { ChoiceField, Field } from '../parts/forms/Field.tsx'
import { FormErrors, useFormSubmission } from '../parts/forms/FormErrors.tsx'
import type { ServerUrlSettings } from './serverUrlSettings.ts'

const texts = messages.serverUrls

export interface ServerUrlOverrides {
  readonly localUrlOverride: string | null
  readonly remoteUrlOverride: string | null
  readonly proxyUrlOverride: string | null
  readonly defaultKind: EnumValue<'ServerUrlKind'> | null
}

const kinds = Object.keys(texts.kinds) as EnumValue<'ServerUrlKind'>[]

const overrides = [
  ['localUrlOverride', texts.localOverride],
  ['remoteUrlOverride', texts.remoteOverride],
  ['proxyUrlOverride', texts.proxyOverride],
] as const

interface ServerUrlFormProps {
  readonly settings: ServerUrlSettings
  onEdit(): void
  /** @throws ApiError */
  onSave(overrides: ServerUrlOverrides): Promise<void>
}

export function ServerUrlForm({ settings, onEdit, onSave }: ServerUrlFormProps) {
  const submission = useFormSubmission(
    (formData) => onSave(readOverrides(formData)),
    () => {},
  )
  return (
    <form
      class="workflow-form"
      aria-label={texts.overrides}
      onInput={onEdit}
      onSubmit={(event) => {
        event.preventDefault()
        submission.submit(event.currentTarget)
      }}
    >
      <p class="hint">{texts.overrideHint}</p>
      <FormErrors submission={submission}>
        {overrides.map(([name, label]) => (
          <Field
            key={name}
            name={name}
            label={label}
            value={settings[name] ?? ''}
            maxLength={300}
            placeholder="https://signalbox.example"
            isOptional
          />
        ))}
        <ChoiceField
          name="defaultKind"
          label={texts.defaultKind}
          choices={{ '': texts.automatic, ...texts.kinds }}
          value={settings.defaultKind ?? ''}
        />
      </FormErrors>
      <div class="buttons">
        <ActionButton type="submit" look="primary" isBusy={submission.isWorking}>
          {submission.isWorking ? messages.parts.working : texts.save}
        </ActionButton>
      </div>
    </form>
  )
}

function readOverrides(formData: FormData): ServerUrlOverrides {
  const read = (name: string) => String(formData.get(name) ?? '').trim() || null
  return {
    localUrlOverride: read('localUrlOverride'),
    remoteUrlOverride: read('remoteUrlOverride'),
    proxyUrlOverride: read('proxyUrlOverride'),
    defaultKind: kinds.find((kind) => kind === formData.get('defaultKind')) ?? null,
  }
}
