/** The inputs that a workflow declares. */
import { format, messages } from '../../messages.ts'
import { ChoiceField, Field } from '../../parts/forms/Field.tsx'
import { useLocalStore } from '../../state/useLocalStore.ts'
import { ProblemOfGroup } from './ProblemOfGroup.tsx'
import { createRowsStore } from './rowsStore.ts'
import type { ArgumentInput } from './workflowInput.ts'

const texts = messages.workflows.form

export function ArgumentRows({ values }: { readonly values: readonly ArgumentInput[] }) {
  const [{ rows }, { trigger }] = useLocalStore(() => createRowsStore<ArgumentInput>(values))
  return (
    <fieldset class="form-rows" id="field-inputs" name="inputs" tabIndex={-1}>
      <legend>{texts.inputs}</legend>
      <p class="hint">{texts.inputsHint}</p>
      {rows.map(({ key, value }, index) => (
        <div key={key} class="form-row">
          <Field name={`inputs.${index}.name`} label={texts.valueName} value={value.name} maxLength={50} />
          <ChoiceField
            name={`inputs.${index}.type`}
            label={texts.type}
            choices={texts.types}
            value={value.type}
            onChange={(type) => trigger.changed({ key, value: { ...value, type: type as ArgumentInput['type'] } })}
          />
          {value.type === 'CHOICE' && (
            <Field
              name={`inputs.${index}.choices`}
              label={texts.choices}
              value={value.choices?.join(', ') ?? ''}
              placeholder="beta, stable"
            />
          )}
          <Field
            name={`inputs.${index}.default`}
            label={texts.default}
            value={value.default == null ? '' : String(value.default)}
            isOptional
          />
          <Field
            name={`inputs.${index}.description`}
            label={texts.description}
            value={value.description ?? ''}
            maxLength={500}
            isOptional
          />
          <label class="check">
            <input
              type="checkbox"
              name={`inputs.${index}.required`}
              value="true"
              defaultChecked={value.required === true}
            />
            {texts.required}
          </label>
          <button
            type="button"
            class="quiet"
            aria-label={format(texts.removeFrom, { number: index + 1, list: texts.inputs })}
            onClick={() => trigger.removed({ key })}
          >
            {texts.remove}
          </button>
        </div>
      ))}
      <ProblemOfGroup name="inputs" />
      <button type="button" class="quiet" onClick={() => trigger.added({ value: { name: '', type: 'TEXT' } })}>
        {texts.addInput}
      </button>
    </fieldset>
  )
}
