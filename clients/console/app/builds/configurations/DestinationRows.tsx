/** The commands of a build configuration that deploy builds, in a form. */
import { format, messages } from '../../messages.ts'
import { Field, TextAreaField } from '../../parts/forms/Field.tsx'
import { useLocalStore } from '../../state/useLocalStore.ts'
import { ProblemOfGroup } from '../../work/workflows/ProblemOfGroup.tsx'
import { createRowsStore } from '../../work/workflows/rowsStore.ts'
import type { Configuration } from './configuration.ts'

const { commands: texts } = messages.deployments
const { removeFrom, remove } = messages.workflows.form

type Destination = Configuration['content']['destinations'][number]

export function DestinationRows({ destinations }: { readonly destinations: readonly Destination[] }) {
  const [{ rows }, { trigger }] = useLocalStore(() => createRowsStore<Destination>(destinations))
  return (
    <fieldset class="form-rows" id="field-destinations" name="destinations" tabIndex={-1}>
      <legend>{texts.legend}</legend>
      <p class="hint">{texts.hint}</p>
      {rows.map(({ key, value }, index) => {
        const number = index + 1
        const prefix = `destinations.${index}`
        return (
          <fieldset key={key} class="preparation">
            <Field name={`${prefix}.name`} label={format(texts.name, { number })} value={value.name} maxLength={100} />
            <TextAreaField
              name={`${prefix}.command`}
              label={format(texts.command, { number })}
              value={value.command}
              rows={2}
              isCode
            />
            <Field
              name={`${prefix}.artifact`}
              label={format(texts.artifact, { number })}
              hint={texts.artifactHint}
              value={value.artifact ?? ''}
              isOptional
            />
            <div class="step-buttons">
              <button
                type="button"
                class="quiet"
                aria-label={format(removeFrom, { number, list: texts.legend })}
                onClick={() => trigger.removed({ key })}
              >
                {remove}
              </button>
            </div>
          </fieldset>
        )
      })}
      <ProblemOfGroup name="destinations" />
      <button
        type="button"
        class="quiet"
        onClick={() => trigger.added({ value: { name: '', command: '', artifact: null } })}
      >
        {texts.add}
      </button>
    </fieldset>
  )
}
