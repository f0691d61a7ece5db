/** A list of names with values: the variables of a command, the inputs of a started workflow, or the outputs of a workflow. */
import { format, messages } from '../../messages.ts'
import { Field } from '../../parts/forms/Field.tsx'
import { useLocalStore } from '../../state/useLocalStore.ts'
import { ProblemOfGroup } from './ProblemOfGroup.tsx'
import { createRowsStore } from './rowsStore.ts'

const texts = messages.workflows.form

interface NamedValue {
  readonly name: string
  readonly value: string
}

interface NamedValueRowsProps {
  /** The field of the API. */
  readonly name: string
  readonly legend: string
  readonly hint: string
  readonly addLabel: string
  readonly values: readonly NamedValue[]
}

export function NamedValueRows({ name, legend, hint, addLabel, values }: NamedValueRowsProps) {
  const [{ rows }, { trigger }] = useLocalStore(() => createRowsStore<NamedValue>(values))
  return (
    <fieldset class="form-rows" id={`field-${name}`} name={name} tabIndex={-1}>
      <legend>{legend}</legend>
      <p class="hint">{hint}</p>
      {rows.map(({ key, value }, index) => (
        <div key={key} class="form-row">
          <Field name={`${name}.${index}.name`} label={texts.valueName} value={value.name} maxLength={100} />
          <Field name={`${name}.${index}.value`} label={texts.value} value={value.value} isOptional />
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
      <ProblemOfGroup name={name} />
      <button type="button" class="quiet" onClick={() => trigger.added({ value: { name: '', value: '' } })}>
        {addLabel}
      </button>
    </fieldset>
  )
}
