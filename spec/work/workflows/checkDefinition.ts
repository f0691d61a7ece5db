/** The rules of a workflow's definition that concern several of its fields. */
import { Failure } from '../../core/failure.ts'
import { defaultTimeoutSeconds } from '../../runs/timeLimit.ts'
import type { Argument } from '../arguments.ts'
import { checkDeclaredArguments } from '../checkDeclaredArguments.ts'
import { variablesMax } from '../environment.ts'
import { describePosition, parseTemplate } from '../template.ts'
import type { DefinitionInput, WorkflowDefinition } from './definition.ts'
import { parseReference } from './references.ts'
import type { StepDefinition, StepInput } from './steps.ts'

/** The maximum size of a definition as JSON, in characters. */
const definitionMax = 256 * 1_024
export const defaultDelaySeconds = 10

/** The definition with its defaults, as it is stored. @throws Failure BAD_USER_INPUT */
export function toDefinition(input: DefinitionInput): WorkflowDefinition {
  const inputs = checkDeclaredArguments(input.inputs, 'inputs')
  const steps = input.steps.map((step, index) => toStep(step, index, input.steps))
  steps.forEach((step, index) => {
    const field = `steps.${index}`
    checkNeeds(step, index, steps, field)
    checkVariables(step, inputs, field)
    const needed = neededBy(step, steps)
    for (const [part, text] of textsOf(step)) checkReferences(text, `${field}.${part}`, inputs, needed)
  })
  const outputs = input.outputs ?? []
  const all = new Set(steps.map(({ name }) => name))
  outputs.forEach(({ name, value }, index) => {
    if (outputs.findIndex((one) => one.name === name) < index)
      throw refusal(`outputs.${index}.name`, `two outputs have the name "${name}". Rename one of them.`)
    checkReferences(value, `outputs.${index}.value`, inputs, all)
  })
  const definition = {
    name: input.name,
    inputs,
    steps,
    outputs,
    exclusiveWorktree: input.exclusiveWorktree ?? false,
    overlapScope: input.overlapScope ?? 'WORKTREE',
    overlapPolicy: input.overlapPolicy ?? 'BUFFER_ALL',
    worktreeConcurrencyLimit: input.worktreeConcurrencyLimit ?? 0,
    timeoutSeconds: input.timeoutSeconds ?? defaultTimeoutSeconds,
  } as const
  const size = JSON.stringify(definition).length
  if (size > definitionMax)
    throw refusal('steps', `the definition has ${size} characters as JSON. It may have at most ${definitionMax}.`)
  return definition
}

/** A command gets each input of the workflow and each variable of its own. Their sizes are known when it starts. */
function checkVariables({ action }: StepDefinition, inputs: readonly Argument[], field: string): void {
  const count = inputs.length + (action.command?.env.length ?? 0)
  if (action.command === null || count <= variablesMax) return
  throw refusal(
    `${field}.action.command.env`,
    `the command would have ${count} variables: one for each input of the workflow, and those in \`env\`. It can have at most ${variablesMax}.`,
  )
}

function refusal(field: string, message: string): Failure {
  return new Failure('BAD_USER_INPUT', `${field}: ${message}`, { details: { field } })
}

function toStep(step: StepInput, index: number, steps: readonly StepInput[]): StepDefinition {
  const { name, title, needs, condition, onlyIf, timeoutSeconds, retry, action } = step
  const before = steps[index - 1]
  const { command, ai, workflow, build, approval } = action
  const field = `steps.${index}`
  if (onlyIf && (onlyIf.equals ?? null) === null && (onlyIf.differsFrom ?? null) === null)
    throw refusal(`${field}.onlyIf`, 'give `equals` or `differsFrom`, the text with which the value is compared.')
  if (approval !== undefined && retry) throw refusal(`${field}.retry`, 'an approval is decided once. Leave it out.')
  if (approval !== undefined && timeoutSeconds)
    throw refusal(`${field}.timeoutSeconds`, 'an approval has `deadlineSeconds` instead. Leave it out.')
  if (build?.source === 'WORKTREE' && build.commit)
    throw refusal(`${field}.action.build.commit`, 'a build of the files of a worktree names no commit. Leave it out.')
  return {
    name,
    title: title ?? name,
    kind: kindOf(action),
    needs: [...new Set(needs ?? (before === undefined ? [] : [before.name]))],
    condition: condition ?? 'SUCCEEDED',
    onlyIf: onlyIf
      ? { value: onlyIf.value, equals: onlyIf.equals ?? null, differsFrom: onlyIf.differsFrom ?? null }
      : null,
    timeoutSeconds: timeoutSeconds ?? null,
    retry: { maxAttempts: retry?.maxAttempts ?? 1, delaySeconds: retry?.delaySeconds ?? defaultDelaySeconds },
    action: {
      command: command === undefined ? null : { script: command.script, env: command.env ?? [] },
      ai:
        ai === undefined
          ? null
          : {
              kind: ai.kind,
              prompt: ai.prompt,
              cli: ai.cli ?? null,
              model: ai.model ?? null,
              permissionPolicy: ai.permissionPolicy ?? null,
              mcpPresetIds: [...(ai.mcpPresetIds ?? [])],
              worktreeId: ai.worktreeId ?? null,
            },
      workflow:
        workflow === undefined
          ? null
          : {
              workflowId: workflow.workflowId,
              inputs: workflow.inputs ?? [],
              worktreeId: workflow.worktreeId ?? null,
            },
      build:
        build === undefined
          ? null
          : {
              buildConfigurationId: build.buildConfigurationId,
              worktreeId: build.worktreeId ?? null,
              commit: build.commit || null,
              source: build.source ?? 'COMMIT',
              kind: build.kind ?? 'BUILD',
              serverUrlKind: build.serverUrlKind ?? null,
            },
      approval:
        approval === undefined
          ? null
          : { message: approval.message, deadlineSeconds: approval.deadlineSeconds ?? null },
    },
  }
}

function kindOf({ command, ai, workflow, build }: StepInput['action']): StepDefinition['kind'] {
  if (command !== undefined) return 'COMMAND'
  if (ai !== undefined) return 'AI'
  if (workflow !== undefined) return 'WORKFLOW'
  return build === undefined ? 'APPROVAL' : 'BUILD'
}

/** A step can only need steps before it, so steps never wait for each other in a circle. */
function checkNeeds(step: StepDefinition, index: number, steps: readonly StepDefinition[], field: string): void {
  if (steps.findIndex(({ name }) => name === step.name) < index)
    throw refusal(`${field}.name`, `two steps have the name "${step.name}". Rename one of them.`)
  const before = new Set(steps.slice(0, index).map(({ name }) => name))
  const unknown = step.needs.find((name) => !before.has(name))
  if (unknown !== undefined) {
    const known = before.size === 0 ? 'The step is the first one' : `Steps before it: ${[...before].join(', ')}`
    throw refusal(`${field}.needs`, `no step before "${step.name}" has the name "${unknown}". ${known}.`)
  }
  const names = (step.action.command?.env ?? step.action.workflow?.inputs ?? []).map(({ name }) => name)
  const twice = names.find((name, at) => names.indexOf(name) !== at)
  const part = step.kind === 'COMMAND' ? 'command.env' : 'workflow.inputs'
  if (twice !== undefined) throw refusal(`${field}.action.${part}`, `"${twice}" is there twice. Keep one of them.`)
}

/** The steps that have ended when this one starts. */
function neededBy(step: StepDefinition, steps: readonly StepDefinition[]): ReadonlySet<string> {
  const needed = new Set<string>()
  const add = (name: string): void => {
    if (needed.has(name)) return
    needed.add(name)
    for (const next of steps.find((one) => one.name === name)?.needs ?? []) add(next)
  }
  for (const name of step.needs) add(name)
  return needed
}

/** The texts of a step that may contain references, each with its field. */
function textsOf({ action, onlyIf }: StepDefinition): readonly (readonly [field: string, text: string])[] {
  const { command, ai, workflow, build, approval } = action
  return [
    ...(onlyIf ? [['onlyIf.value', onlyIf.value] as const] : []),
    ...(command?.env ?? []).map(({ value }, index) => [`action.command.env.${index}.value`, value] as const),
    ...(ai ? [['action.ai.prompt', ai.prompt] as const] : []),
    ...(workflow?.inputs ?? []).map(({ value }, index) => [`action.workflow.inputs.${index}.value`, value] as const),
    ...(build?.commit ? [['action.build.commit', build.commit] as const] : []),
    ...(approval ? [['action.approval.message', approval.message] as const] : []),
  ]
}

function checkReferences(text: string, field: string, inputs: readonly Argument[], steps: ReadonlySet<string>): void {
  const { placeholders, problem } = parseTemplate(text, 'path')
  for (const { argument: path, index } of placeholders) {
    const reason = refuseReference(path, inputs, steps)
    if (reason !== undefined) throw refusal(field, `${describePosition(text, index)}: {{${path}}} ${reason}`)
  }
  if (problem !== undefined)
    throw refusal(
      field,
      `${describePosition(text, problem.index)}: "${problem.found}" is not a reference. Write {{inputs.name}} or {{steps.name.output}}, or {{{{ for two braces.`,
    )
}

function refuseReference(path: string, inputs: readonly Argument[], steps: ReadonlySet<string>): string | undefined {
  const reference = parseReference(path)
  if (reference === undefined) return 'is not a reference. Write {{inputs.name}} or {{steps.name.output}}.'
  if ('input' in reference) {
    if (inputs.some(({ name }) => name === reference.input)) return undefined
    const known = inputs.length === 0 ? 'no inputs' : `only the inputs ${inputs.map(({ name }) => name).join(', ')}`
    return `names an input that is not declared. The workflow has ${known}.`
  }
  if (steps.has(reference.step)) return undefined
  const known = steps.size === 0 ? 'none' : [...steps].join(', ')
  return `names a step that has not ended by then. Add it to \`needs\`. Steps that have ended: ${known}.`
}
