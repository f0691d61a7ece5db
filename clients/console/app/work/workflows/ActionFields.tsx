/** The fields of the action of a step. They depend on its kind. */
import { graphql } from '../../data/graphql.ts'
import { useQuery } from '../../data/useQuery.ts'
import { format, messages } from '../../messages.ts'
import { ChoiceField, Field, NumberField, TextAreaField } from '../../parts/forms/Field.tsx'
import { type Preset, presetsQuery } from '../../tools/preset.ts'
import { BuildActionFields } from './BuildActionFields.tsx'
import { NamedValueRows } from './NamedValueRows.tsx'
import { OtherWorktreeField } from './OtherWorktreeField.tsx'
import type { ActionName, ActionParts } from './workflowInput.ts'

const texts = messages.workflows.form
const { newRun: runTexts } = messages
const runKinds = { SESSION: runTexts.kind.SESSION, PLAN: runTexts.kind.PLAN }

const maxDeadlineSeconds = 30 * 86_400

interface ActionFieldsProps {
  readonly prefix: string
  readonly kind: ActionName
  /** The values at first. Those of another kind are ignored. */
  readonly action: ActionParts
}

export function ActionFields({ prefix, kind, action }: ActionFieldsProps) {
  const name = `${prefix}.action.${kind}`
  switch (kind) {
    case 'command':
      return <CommandFields name={name} command={action.command} />
    case 'ai':
      return <AiFields name={name} ai={action.ai} />
    case 'workflow':
      return <StartedWorkflowFields name={name} workflow={action.workflow} />
    case 'build':
      return <BuildActionFields name={name} build={action.build} />
    case 'approval':
      return (
        <>
          <TextAreaField
            name={`${name}.message`}
            label={texts.question}
            hint={texts.referencesHint}
            value={action.approval?.message ?? ''}
            rows={2}
          />
          <NumberField
            name={`${name}.deadlineSeconds`}
            label={texts.deadline}
            hint={texts.deadlineHint}
            value={action.approval?.deadlineSeconds ?? undefined}
            min={1}
            max={maxDeadlineSeconds}
          />
        </>
      )
  }
}

interface ActionProps {
  /** The prefix of the names of the fields. */
  readonly name: string
}

function CommandFields({ name, command }: ActionProps & { readonly command: ActionParts['command'] }) {
  return (
    <>
      <TextAreaField
        name={`${name}.script`}
        label={texts.script}
        hint={texts.scriptHint}
        value={command?.script ?? ''}
        rows={4}
        isCode
      />
      <NamedValueRows
        name={`${name}.env`}
        legend={texts.env}
        hint={texts.referencesHint}
        addLabel={texts.addVariable}
        values={command?.env ?? []}
      />
    </>
  )
}

function AiFields({ name, ai }: ActionProps & { readonly ai: ActionParts['ai'] }) {
  const kind = ai?.kind ?? 'SESSION'
  return (
    <>
      <TextAreaField
        name={`${name}.prompt`}
        label={texts.prompt}
        hint={texts.referencesHint}
        value={ai?.prompt ?? ''}
        rows={5}
      />
      <div class="field-columns">
        <ChoiceField name={`${name}.kind`} label={runTexts.kind.label} choices={runKinds} value={kind} />
        <ChoiceField
          name={`${name}.permissionPolicy`}
          label={runTexts.options.policy}
          choices={runTexts.options.policies}
          value={ai?.permissionPolicy ?? 'ASK'}
        />
        <Field name={`${name}.cli`} label={runTexts.cli.label} hint={texts.cliHint} value={ai?.cli ?? ''} isOptional />
        <Field
          name={`${name}.model`}
          label={runTexts.options.model}
          hint={runTexts.options.modelHint}
          value={ai?.model ?? ''}
          isOptional
        />
        <OtherWorktreeField name={name} value={ai?.worktreeId} />
      </div>
      <PresetChecks name={`${name}.mcpPresetIds`} selectedIds={ai?.mcpPresetIds ?? []} />
    </>
  )
}

function PresetChecks({ name, selectedIds }: ActionProps & { readonly selectedIds: readonly string[] }) {
  const { data } = useQuery(presetsQuery, {})
  const presets: readonly Preset[] = data?.mcpToolPresets ?? []
  if (presets.length === 0) return null
  return (
    <fieldset class="checks">
      <legend>{runTexts.options.tools}</legend>
      {presets.map((preset) => (
        <label key={preset.id}>
          <input type="checkbox" name={name} value={preset.id} defaultChecked={selectedIds.includes(preset.id)} />{' '}
          {preset.name} <span class="hint">{runKinds[preset.kind]}</span>
        </label>
      ))}
    </fieldset>
  )
}

const publishedQuery = graphql('{ workflows(first: 100, statuses: [PUBLISHED]) { totalCount nodes { id name } } }')

function StartedWorkflowFields({ name, workflow }: ActionProps & { readonly workflow: ActionParts['workflow'] }) {
  const { data } = useQuery(publishedQuery, {})
  const id = workflow?.workflowId ?? ''
  const published = Object.fromEntries(data?.workflows.nodes.map((node) => [node.id, node.name]) ?? [])
  const { totalCount = 0, nodes = [] } = data?.workflows ?? {}
  // The chosen one is kept, also if it is archived or not among the newest.
  const choices = { ...(id === '' ? {} : { [id]: id }), ...published }
  return (
    <>
      <ChoiceField
        key={nodes.length}
        name={`${name}.workflowId`}
        label={texts.startedWorkflow}
        choices={choices}
        value={id}
      />
      {totalCount > nodes.length && (
        <p class="hint">{format(messages.parts.firstOf, { shown: nodes.length, total: totalCount })}</p>
      )}
      {data && Object.keys(choices).length === 0 && <p class="hint">{texts.noPublished}</p>}
      <NamedValueRows
        name={`${name}.inputs`}
        legend={texts.startedInputs}
        hint={texts.referencesHint}
        addLabel={texts.addValue}
        values={workflow?.inputs ?? []}
      />
      <OtherWorktreeField name={name} value={workflow?.worktreeId} />
    </>
  )
}
