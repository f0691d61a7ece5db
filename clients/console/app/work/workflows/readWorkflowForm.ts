/** Converts the form of a workflow to its definition. The names of the fields are those of the API, so that each error finds its field. */
import { FieldReader, readNamedValues } from '../../parts/forms/fieldReader.ts'
import type { FormRow } from './rowsStore.ts'
import {
  type ActionInput,
  type ActionName,
  type ArgumentGroup,
  type ArgumentInput,
  getActionName,
  type StepInput,
  type WorkflowInput,
} from './workflowInput.ts'

/** The steps after which a step starts: the step before it, none, or the chosen steps. */
export type NeedsMode = 'BEFORE' | 'NONE' | 'CHOSEN'

export interface StepRow {
  readonly kind: ActionName
  readonly needsMode: NeedsMode
  readonly initial: StepInput
}

export function toStepRow(initial: StepInput): StepRow {
  const { action, needs } = initial
  return {
    kind: getActionName(action),
    needsMode: needs == null ? 'BEFORE' : needs.length === 0 ? 'NONE' : 'CHOSEN',
    initial,
  }
}

export function readWorkflowForm(formData: FormData, steps: readonly FormRow<StepRow>[]): WorkflowInput {
  const fields = new FieldReader(formData)
  const names = new Map(steps.map(({ key }, index) => [String(key), fields.text(`steps.${index}.name`)]))
  return {
    name: fields.text('name'),
    ...list('inputs', readArgumentRows(formData, 'inputs')),
    steps: steps.map(({ value }, index) => readStep(fields, `steps.${index}`, value, names)),
    ...list('outputs', readNamedValues(fields, 'outputs')),
    ...(fields.text('exclusiveWorktree') === '' ? {} : { exclusiveWorktree: true }),
    ...fields.choice('overlapPolicy', 'BUFFER_ALL'),
    ...fields.choice('overlapScope', 'WORKTREE'),
    ...fields.number('worktreeConcurrencyLimit'),
    ...fields.number('timeoutSeconds'),
  } as WorkflowInput
}

function readStep(
  fields: FieldReader,
  prefix: string,
  { kind, needsMode }: StepRow,
  names: ReadonlyMap<string, string>,
): StepInput {
  const chosen = fields.all(`${prefix}.needs`).map((key) => names.get(key) ?? '')
  const comparison = fields.text(`${prefix}.comparison`)
  const attempts = fields.number(`${prefix}.retry.maxAttempts`, 'maxAttempts')
  return {
    name: fields.text(`${prefix}.name`),
    ...fields.optional(`${prefix}.title`, 'title'),
    ...(needsMode === 'BEFORE' ? {} : { needs: needsMode === 'NONE' ? [] : chosen }),
    ...fields.choice(`${prefix}.condition`, 'SUCCEEDED', 'condition'),
    ...(comparison === ''
      ? {}
      : {
          onlyIf: { value: fields.text(`${prefix}.onlyIf.value`), [comparison]: fields.text(`${prefix}.onlyIf.text`) },
        }),
    ...fields.number(`${prefix}.timeoutSeconds`, 'timeoutSeconds'),
    ...('maxAttempts' in attempts
      ? { retry: { ...attempts, ...fields.number(`${prefix}.retry.delaySeconds`, 'delaySeconds') } }
      : {}),
    action: readAction(fields, `${prefix}.action.${kind}`, kind),
  } as StepInput
}

function readAction(fields: FieldReader, prefix: string, kind: ActionName): ActionInput {
  switch (kind) {
    case 'command':
      return {
        command: { script: fields.lines(`${prefix}.script`), ...list('env', readNamedValues(fields, `${prefix}.env`)) },
      }
    case 'ai':
      return {
        ai: {
          kind: fields.text(`${prefix}.kind`) === 'PLAN' ? 'PLAN' : 'SESSION',
          prompt: fields.lines(`${prefix}.prompt`),
          ...fields.optional(`${prefix}.cli`, 'cli'),
          ...fields.optional(`${prefix}.model`, 'model'),
          ...fields.choice(`${prefix}.permissionPolicy`, 'ASK', 'permissionPolicy'),
          ...list('mcpPresetIds', fields.all(`${prefix}.mcpPresetIds`)),
          ...fields.optional(`${prefix}.worktreeId`, 'worktreeId'),
        },
      } as ActionInput
    case 'workflow':
      return {
        workflow: {
          workflowId: fields.text(`${prefix}.workflowId`),
          ...list('inputs', readNamedValues(fields, `${prefix}.inputs`)),
          ...fields.optional(`${prefix}.worktreeId`, 'worktreeId'),
        },
      } as ActionInput
    case 'build':
      return {
        build: {
          buildConfigurationId: fields.text(`${prefix}.buildConfigurationId`),
          ...fields.optional(`${prefix}.commit`, 'commit'),
          ...fields.choice(`${prefix}.source`, 'COMMIT', 'source'),
          ...fields.choice(`${prefix}.kind`, 'BUILD', 'kind'),
          ...fields.choice(`${prefix}.serverUrlKind`, '', 'serverUrlKind'),
          ...fields.optional(`${prefix}.worktreeId`, 'worktreeId'),
        },
      } as ActionInput
    case 'approval':
      return {
        approval: {
          message: fields.lines(`${prefix}.message`),
          ...fields.number(`${prefix}.deadlineSeconds`, 'deadlineSeconds'),
        },
      }
  }
}

/** Reads the rows of `ArgumentRows`. */
export function readArgumentRows(formData: FormData, group: ArgumentGroup): readonly ArgumentInput[] {
  const fields = new FieldReader(formData)
  return fields.rows(group).map((prefix) => readArgument(fields, prefix))
}

function readArgument(fields: FieldReader, prefix: string): ArgumentInput {
  const type = fields.text(`${prefix}.type`) as ArgumentInput['type']
  const text = fields.text(`${prefix}.default`)
  const choices = fields
    .text(`${prefix}.choices`)
    .split(',')
    .map((choice) => choice.trim())
    .filter((choice) => choice !== '')
  return {
    name: fields.text(`${prefix}.name`),
    type,
    ...fields.optional(`${prefix}.description`, 'description'),
    ...(type === 'CHOICE' ? { choices } : {}),
    ...(text === '' ? {} : { default: toDefault(type, text) }),
    ...(fields.text(`${prefix}.required`) === '' ? {} : { required: true }),
  } as ArgumentInput
}

/** The server refuses a text that is not of the type. */
function toDefault(type: ArgumentInput['type'], text: string): string | number | boolean {
  if (type === 'NUMBER' && Number.isFinite(Number(text))) return Number(text)
  if (type === 'BOOLEAN' && (text === 'true' || text === 'false')) return text === 'true'
  return text
}

/** An empty list is a default, and is left out. */
function list<Name extends string, T>(name: Name, values: readonly T[]): { [N in Name]?: T[] } {
  return (values.length === 0 ? {} : { [name]: [...values] }) as { [N in Name]?: T[] }
}
