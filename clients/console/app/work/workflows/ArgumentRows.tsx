/** The inputs that a workflow declares, or the arguments that a command declares. */
import { format, messages } from '../../messages.ts'
import { ChoiceField, Field } from '../../parts/forms/Field.tsx'
import { useLocalStore } from '../../state/useLocalStore.ts'
import { ProblemOfGroup } from './ProblemOfGroup.tsx'
import { createRowsStore } from './rowsStore.ts'
import type { ArgumentGroup, ArgumentInput } from './workflowInput.ts'

const texts = messages.workflows.form

interface ArgumentRowsProps {
  readonly values: readonly ArgumentInput[]
  readonly group?: ArgumentGroup
  readonly legend?: string
  readonly hint?: string
  readonly addLabel?: string
}

export function ArgumentRows({
  values,
  group = 'inputs',
  legend = texts.inputs,
  hint = texts.inputsHint,
  addLabel = texts.addInput,
}: ArgumentRowsProps) {
  const [{ rows }, { trigger }] = useLocalStore(() => createRowsStore<ArgumentInput>(values))
  return (
    <fieldset class="form-rows" id={`field-${group}`} name={group} tabIndex={-1}>
      <legend>{legend}</legend>
      <p class="hint">{hint}</p>
      {rows.map(({ key, value }, index) => (
        <div key={key} class="form-row">
          <Field name={`${group}.${index}.name`} label={texts.valueName} value={value.name} maxLength={50} />
          <ChoiceField
            name={`${group}.${index}.type`}
            label={texts.type}
            choices={texts.types}
            value={value.type}
            onChange={(type) => trigger.changed({ key, value: { ...value, type: type as ArgumentInput['type'] } })}
          />
          {value.type === 'CHOICE' && (
            <Field
              name={`${group}.${index}.choices`}
              label={texts.choices}
              value={value.choices?.join(', ') ?? ''}
              placeholder="beta, stable"
            />
          )}
          <Field
            name={`${group}.${index}.default`}
            label={texts.default}
            value={value.default == null ? '' : String(value.default)}
            isOptional
          />
          <Field
            name={`${group}.${index}.description`}
            label={texts.description}
            value={value.description ?? ''}
            maxLength={500}
            isOptional
          />
          <label class="check">
            <input
              type="checkbox"
              name={`${group}.${index}.required`}
              value="true"
              defaultChecked={value.required === true}
            />
            {texts.required}
          </label>
          <button
            type="button"
            class="quiet"
            aria-label={format(texts.removeFrom, { number: index + 1, list: legend })}
            onClick={() => trigger.removed({ key })}
          >
            {texts.remove}
          </button>
        </div>
      ))}
      <ProblemOfGroup name={group} />
      <button type="button" class="quiet" onClick={() => trigger.added({ value: { name: '', type: 'TEXT' } })}>
        {addLabel}
      </button>
    </fieldset>
  )
}
