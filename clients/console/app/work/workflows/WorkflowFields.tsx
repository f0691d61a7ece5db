/** The form of a workflow: its name, its steps with a graph of them, its inputs and outputs, and its rules. */
import { useEffect, useRef, useState } from 'preact/hooks'
import { messages } from '../../messages.ts'
import { ChoiceField, Field, NumberField } from '../../parts/forms/Field.tsx'
import { useLocalStore } from '../../state/useLocalStore.ts'
import { ArgumentRows } from './ArgumentRows.tsx'
import { NamedValueRows } from './NamedValueRows.tsx'
import { ProblemOfGroup } from './ProblemOfGroup.tsx'
import { readWorkflowForm, type StepRow, toStepRow } from './readWorkflowForm.ts'
import { createRowsStore, type FormRow } from './rowsStore.ts'
import { StepFields } from './StepFields.tsx'
import { StepGraph } from './StepGraph.tsx'
import { toShownSteps } from './toShownSteps.ts'
import type { WorkflowInput } from './workflowInput.ts'

const texts = messages.workflows.form

const stepsMax = 50
const maxTimeoutSeconds = 7 * 86_400
const maxConcurrency = 32

interface WorkflowFieldsProps {
  /** The values at first. */
  readonly initial: WorkflowInput
  /** Called when the rows change, with a function that reads the values of the fields. */
  onReader(read: (formData: FormData) => WorkflowInput): void
}

export function WorkflowFields({ initial, onReader }: WorkflowFieldsProps) {
  const [{ rows }, store] = useLocalStore(() => createRowsStore<StepRow>(initial.steps.map(toStepRow)))
  const [current, setCurrent] = useState(initial)
  const box = useRef<HTMLDivElement>(null)
  const read = (formData: FormData) => readWorkflowForm(formData, rows)
  // The fields have the values. The graph and the names of earlier steps follow them.
  const readFields = () => {
    const form = box.current?.closest('form')
    if (form) setCurrent(read(new FormData(form)))
  }
  useEffect(() => {
    onReader(read)
    readFields()
  }, [rows])
  return (
    <div ref={box} class="workflow-fields" onInput={readFields} onChange={readFields}>
      <Field name="name" label={texts.name} value={initial.name} maxLength={100} />
      <h2>{messages.workflows.steps}</h2>
      <StepGraph label={messages.workflows.graph} steps={toShownSteps(current.steps)} />
      {rows.map((row, index) => (
        <StepFields
          key={row.key}
          index={index}
          row={row}
          earlier={rows.slice(0, index).map((other, at) => toEarlier(other, current.steps[at]?.name))}
          isOnly={rows.length === 1}
          store={store}
        />
      ))}
      <ProblemOfGroup name="steps" />
      {rows.length < stepsMax && (
        <button type="button" class="quiet" onClick={() => store.trigger.added({ value: toStepRow(newStep) })}>
          {texts.addStep}
        </button>
      )}
      <ArgumentRows values={initial.inputs ?? []} />
      <NamedValueRows
        name="outputs"
        legend={texts.outputs}
        hint={texts.outputsHint}
        addLabel={texts.addOutput}
        values={initial.outputs ?? []}
      />
      <Rules initial={initial} />
    </div>
  )
}

const newStep: WorkflowInput['steps'][number] = { name: '', action: { command: { script: '' } } }

function toEarlier({ key, value }: FormRow<StepRow>, name = '') {
  return { key, name, initialName: value.initial.name }
}

function Rules({ initial }: { readonly initial: WorkflowInput }) {
  return (
    <details class="more-options">
      <summary>{texts.rules}</summary>
      <div class="field-columns">
        <ChoiceField
          name="overlapPolicy"
          label={texts.overlapPolicy}
          choices={texts.overlapPolicies}
          value={initial.overlapPolicy ?? 'BUFFER_ALL'}
        />
        <ChoiceField
          name="overlapScope"
          label={texts.overlapScope}
          choices={texts.overlapScopes}
          value={initial.overlapScope ?? 'WORKTREE'}
        />
        <NumberField
          name="worktreeConcurrencyLimit"
          label={messages.newRun.options.limit}
          hint={texts.concurrencyLimitHint}
          value={initial.worktreeConcurrencyLimit ?? undefined}
          min={0}
          max={maxConcurrency}
        />
        <NumberField
          name="timeoutSeconds"
          label={texts.timeout}
          hint={texts.timeoutHint}
          value={initial.timeoutSeconds ?? undefined}
          min={1}
          max={maxTimeoutSeconds}
        />
        <label class="check">
          <input
            type="checkbox"
            name="exclusiveWorktree"
            value="true"
            defaultChecked={initial.exclusiveWorktree === true}
          />
          {texts.exclusive}
        </label>
      </div>
    </details>
  )
}
