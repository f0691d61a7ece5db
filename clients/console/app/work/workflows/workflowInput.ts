/** The definition of a workflow as people write it: without the values that are defaults. */
import { defaultTimeoutSeconds } from '../../../../../spec/runs/timeLimit.ts'
import { defaultDelaySeconds } from '../../../../../spec/work/workflows/checkDefinition.ts'
import { graphql, type ResultOf, type VariablesOf } from '../../data/graphql.ts'

export const workflowDefinitionFragment = graphql(`fragment WorkflowDefinitionFields on WorkflowDefinition {
  name inputs { name description type choices default required } outputs { name value }
  exclusiveWorktree overlapScope overlapPolicy worktreeConcurrencyLimit timeoutSeconds
  steps { name title kind needs condition onlyIf { value equals differsFrom } timeoutSeconds
    retry { maxAttempts delaySeconds }
    action {
      command { script env { name value } }
      ai { kind prompt cli model permissionPolicy mcpPresetIds worktreeId }
      workflow { workflowId inputs { name value } worktreeId }
      build { buildConfigurationId worktreeId commit source kind serverUrlKind }
      approval { message deadlineSeconds }
    }
  }
}`)

export type WorkflowDefinition = ResultOf<typeof workflowDefinitionFragment>
type StoredStep = WorkflowDefinition['steps'][number]

export const createWorkflowMutation = graphql(
  'mutation ($input: CreateWorkflowInput!) { createWorkflow(input: $input) { workflow { id revision } } }',
)

export type WorkflowInput = Omit<VariablesOf<typeof createWorkflowMutation>['input'], 'idempotencyKey'>
export type StepInput = WorkflowInput['steps'][number]
export type ActionInput = StepInput['action']
type PartOf<Name extends string> =
  Extract<ActionInput, Readonly<Record<Name, unknown>>> extends infer Action ? Action[Name & keyof Action] : never

/** The parts of an action, of which exactly one is there. */
export interface ActionParts {
  readonly command?: PartOf<'command'>
  readonly ai?: PartOf<'ai'>
  readonly workflow?: PartOf<'workflow'>
  readonly build?: PartOf<'build'>
  readonly approval?: PartOf<'approval'>
}

/** The field of the API: the inputs of a workflow, or the arguments of a command. */
export type ArgumentGroup = 'inputs' | 'arguments'
export type ArgumentInput = NonNullable<WorkflowInput['inputs']>[number]

/** The values of a form that is empty. */
export const emptyWorkflow: WorkflowInput = { name: '', steps: [{ name: '', action: { command: { script: '' } } }] }

export function toWorkflowInput({ name, inputs, steps, outputs, ...rules }: WorkflowDefinition): WorkflowInput {
  const defaults = {
    exclusiveWorktree: false,
    overlapScope: 'WORKTREE',
    overlapPolicy: 'BUFFER_ALL',
    worktreeConcurrencyLimit: 0,
    timeoutSeconds: defaultTimeoutSeconds,
  }
  return {
    name,
    ...withoutDefaults({ inputs: inputs.map(toArgumentInput) }, {}),
    steps: steps.map((step, index) => toStepInput(step, steps[index - 1])),
    ...withoutDefaults({ outputs }, {}),
    ...withoutDefaults(rules, defaults),
  }
}

function toArgumentInput({ name, type, ...rest }: WorkflowDefinition['inputs'][number]): ArgumentInput {
  return { name, type, ...withoutDefaults(rest, { description: '', required: false }) }
}

function toStepInput(step: StoredStep, before: StoredStep | undefined): StepInput {
  const { name, title, needs, condition, onlyIf, timeoutSeconds, retry, action } = step
  const usualNeeds = before === undefined ? [] : [before.name]
  return {
    name,
    ...(title === name ? {} : { title }),
    ...(needs.join() === usualNeeds.join() ? {} : { needs }),
    ...withoutDefaults({ condition, timeoutSeconds }, { condition: 'SUCCEEDED' }),
    ...(onlyIf ? { onlyIf: { value: onlyIf.value, ...withoutDefaults(onlyIf, { value: onlyIf.value }) } } : {}),
    ...(retry.maxAttempts === 1
      ? {}
      : {
          retry: {
            maxAttempts: retry.maxAttempts,
            ...withoutDefaults({ delaySeconds: retry.delaySeconds }, { delaySeconds: defaultDelaySeconds }),
          },
        }),
    action: toActionInput(action),
  }
}

function toActionInput({ command, ai, workflow, build, approval }: StoredStep['action']): ActionInput {
  if (command) return { command: { script: command.script, ...withoutDefaults({ env: command.env }, {}) } }
  if (ai) {
    const { kind, prompt, ...options } = ai
    return { ai: { kind, prompt, ...withoutDefaults(options, {}) } }
  }
  if (workflow) {
    const { workflowId, ...options } = workflow
    return { workflow: { workflowId, ...withoutDefaults(options, {}) } }
  }
  if (build) {
    const { buildConfigurationId, ...options } = build
    return { build: { buildConfigurationId, ...withoutDefaults(options, { kind: 'BUILD', source: 'COMMIT' }) } }
  }
  const { message = '', deadlineSeconds = null } = approval ?? {}
  return { approval: { message, ...withoutDefaults({ deadlineSeconds }, {}) } }
}

type Present<T> = { [Name in keyof T]?: NonNullable<T[Name]> }

/** Leaves out null, empty lists and defaults. */
function withoutDefaults<T extends object>(values: T, defaults: { readonly [Name in keyof T]?: unknown }): Present<T> {
  const entries = Object.entries(values) as [keyof T, unknown][]
  const isEmpty = (value: unknown) => value === null || (Array.isArray(value) && value.length === 0)
  return Object.fromEntries(
    entries.filter(([name, value]) => !isEmpty(value) && value !== defaults[name]),
  ) as Present<T>
}

const actionNames = ['command', 'ai', 'workflow', 'build', 'approval'] as const

export type ActionName = (typeof actionNames)[number]

/** Returns the name of the part that the action has. */
export function getActionName(action: ActionParts): ActionName {
  return actionNames.find((name) => action[name] !== undefined) ?? 'command'
}
