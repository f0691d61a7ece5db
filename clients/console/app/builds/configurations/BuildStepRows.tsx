/** The steps of a build configuration in a form. */
import { format, messages } from '../../messages.ts'
import { Field, TextAreaField } from '../../parts/forms/Field.tsx'
import { useLocalStore } from '../../state/useLocalStore.ts'
import { ProblemOfGroup } from '../../work/workflows/ProblemOfGroup.tsx'
import { createRowsStore } from '../../work/workflows/rowsStore.ts'
import type { Configuration } from './configuration.ts'

const texts = messages.buildConfigurations
const { moveUp, removeFrom, remove } = messages.workflows.form

type Step = Configuration['content']['steps'][number]

export function BuildStepRows({ steps }: { readonly steps: readonly Step[] }) {
  const [{ rows }, { trigger }] = useLocalStore(() => createRowsStore<Step>(steps))
  return (
    <fieldset class="form-rows" id="field-steps" name="steps" tabIndex={-1}>
      <legend>{texts.steps}</legend>
      <p class="hint">{texts.stepsHint}</p>
      {rows.map(({ key, value }, index) => {
        const number = index + 1
        return (
          <fieldset key={key} class="preparation">
            <Field
              name={`steps.${index}.name`}
              label={format(texts.stepName, { number })}
              value={value.name}
              maxLength={100}
            />
            <TextAreaField
              name={`steps.${index}.command`}
              label={format(texts.stepCommand, { number })}
              value={value.command}
              rows={2}
              isCode
            />
            <div class="step-buttons">
              {index > 0 && (
                <button
                  type="button"
                  class="quiet"
                  aria-label={`${moveUp}: ${format(texts.stepName, { number })}`}
                  onClick={() => trigger.movedUp({ key })}
                >
                  {moveUp}
                </button>
              )}
              {rows.length > 1 && (
                <button
                  type="button"
                  class="quiet"
                  aria-label={format(removeFrom, { number, list: texts.steps })}
                  onClick={() => trigger.removed({ key })}
                >
                  {remove}
                </button>
              )}
            </div>
          </fieldset>
        )
      })}
      <ProblemOfGroup name="steps" />
      <button type="button" class="quiet" onClick={() => trigger.added({ value: { name: '', command: '' } })}>
        {texts.addStep}
      </button>
    </fieldset>
  )
}
