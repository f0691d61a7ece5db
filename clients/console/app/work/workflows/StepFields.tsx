/** One step in the form of a workflow. */
import { useState } from 'preact/hooks'
import { format, messages } from '../../messages.ts'
import { ChoiceField, Field, NumberField } from '../../parts/forms/Field.tsx'
import { ActionFields } from './ActionFields.tsx'
import { ProblemOfGroup } from './ProblemOfGroup.tsx'
import type { NeedsMode, StepRow } from './readWorkflowForm.ts'
import type { FormRow, RowsStore } from './rowsStore.ts'
import type { ActionName } from './workflowInput.ts'

const texts = messages.workflows.form

const maxTimeoutSeconds = 7 * 86_400
const maxAttempts = 10
const maxDelaySeconds = 3_600

/** A step before this one, with the name that is in its field now. */
export interface EarlierStep {
  readonly key: number
  readonly name: string
  /** The name at first, which the `needs` of the definition have. */
  readonly initialName: string
}

interface StepFieldsProps {
  readonly index: number
  readonly row: FormRow<StepRow>
  readonly earlier: readonly EarlierStep[]
  readonly isOnly: boolean
  readonly store: RowsStore<StepRow>
}

export function StepFields({ index, row: { key, value }, earlier, isOnly, store: { trigger } }: StepFieldsProps) {
  const prefix = `steps.${index}`
  const { kind, needsMode, initial } = value
  const heading = format(texts.step, { number: index + 1 })
  const change = (part: Partial<StepRow>) => trigger.changed({ key, value: { ...value, ...part } })
  return (
    <fieldset class="workflow-step">
      <legend>{heading}</legend>
      <div class="field-columns">
        <Field
          name={`${prefix}.name`}
          label={texts.stepName}
          hint={texts.stepNameHint}
          value={initial.name}
          maxLength={50}
        />
        <ChoiceField
          name={`${prefix}.kind`}
          label={texts.kind}
          choices={texts.kinds}
          value={kind}
          onChange={(choice) => change({ kind: choice as ActionName })}
        />
        <ChoiceField
          name={`${prefix}.needsMode`}
          label={texts.startsAfter}
          choices={texts.needsModes}
          value={needsMode}
          onChange={(choice) => change({ needsMode: choice as NeedsMode })}
        />
      </div>
      {needsMode === 'CHOSEN' && <NeedsChecks name={`${prefix}.needs`} earlier={earlier} needs={initial.needs ?? []} />}
      <ActionFields key={kind} prefix={prefix} kind={kind} action={initial.action} />
      <StepOptions prefix={prefix} row={value} />
      <div class="step-buttons">
        {index > 0 && (
          <button
            type="button"
            class="quiet"
            aria-label={`${texts.moveUp}: ${heading}`}
            onClick={() => trigger.movedUp({ key })}
          >
            {texts.moveUp}
          </button>
        )}
        {!isOnly && (
          <button
            type="button"
            class="quiet"
            aria-label={`${texts.removeStep}: ${heading}`}
            onClick={() => trigger.removed({ key })}
          >
            {texts.removeStep}
          </button>
        )}
      </div>
    </fieldset>
  )
}

interface NeedsChecksProps {
  readonly name: string
  readonly earlier: readonly EarlierStep[]
  readonly needs: readonly string[]
}

/** The value of a box is the key of the step, so that a step can be renamed. */
function NeedsChecks({ name, earlier, needs }: NeedsChecksProps) {
  return (
    <fieldset class="checks inline" id={`field-${name}`} name={name} tabIndex={-1}>
      <legend>{texts.needs}</legend>
      {earlier.length === 0 && <p class="hint">{texts.noEarlierStep}</p>}
      {earlier.map((step, index) => (
        <label key={step.key}>
          <input
            type="checkbox"
            name={name}
            value={step.key}
            defaultChecked={step.initialName !== '' && needs.includes(step.initialName)}
          />{' '}
          {step.name === '' ? format(texts.step, { number: index + 1 }) : step.name}
        </label>
      ))}
      <ProblemOfGroup name={name} />
    </fieldset>
  )
}

function StepOptions({ prefix, row: { kind, initial } }: { readonly prefix: string; readonly row: StepRow }) {
  const { onlyIf, retry } = initial
  const [comparison, setComparison] = useState(onlyIf == null ? '' : onlyIf.equals == null ? 'differsFrom' : 'equals')
  return (
    <details class="more-options">
      <summary>{messages.newRun.options.more}</summary>
      <div class="field-columns">
        <Field
          name={`${prefix}.title`}
          label={texts.title}
          hint={texts.titleHint}
          value={initial.title ?? ''}
          maxLength={100}
          isOptional
        />
        <ChoiceField
          name={`${prefix}.condition`}
          label={texts.condition}
          choices={texts.conditions}
          value={initial.condition ?? 'SUCCEEDED'}
        />
        <ChoiceField
          name={`${prefix}.comparison`}
          label={texts.onlyIf}
          choices={texts.comparisons}
          value={comparison}
          onChange={setComparison}
        />
        {comparison !== '' && (
          <>
            <Field
              name={`${prefix}.onlyIf.value`}
              label={texts.comparedValue}
              value={onlyIf?.value ?? ''}
              placeholder="{{inputs.channel}}"
              isOptional
            />
            <Field
              name={`${prefix}.onlyIf.text`}
              label={texts.comparedText}
              value={onlyIf?.equals ?? onlyIf?.differsFrom ?? ''}
              isOptional
            />
          </>
        )}
        {kind !== 'approval' && (
          <>
            <NumberField
              name={`${prefix}.timeoutSeconds`}
              label={texts.stepTimeout}
              hint={texts.stepTimeoutHint}
              value={initial.timeoutSeconds ?? undefined}
              min={1}
              max={maxTimeoutSeconds}
            />
            <NumberField
              name={`${prefix}.retry.maxAttempts`}
              label={texts.attempts}
              hint={texts.attemptsHint}
              value={retry?.maxAttempts}
              min={1}
              max={maxAttempts}
            />
            <NumberField
              name={`${prefix}.retry.delaySeconds`}
              label={texts.delay}
              hint={texts.delayHint}
              value={retry?.delaySeconds ?? undefined}
              min={1}
              max={maxDelaySeconds}
            />
          </>
        )}
      </div>
    </details>
  )
}
