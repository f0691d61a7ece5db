/** The task of a step: its action, with the values of all references. */
import { expandReferences, type ReferenceScope } from '../../../spec/work/workflows/references.ts'
import type { StepDefinition } from '../../../spec/work/workflows/steps.ts'

type Values = Readonly<Record<string, string>>

export type StepTask =
  | { readonly kind: 'COMMAND'; readonly script: string; readonly env: Values }
  | {
      readonly kind: 'AI'
      readonly runKind: 'PLAN' | 'SESSION'
      readonly prompt: string
      readonly cli: string | null
      readonly model: string | null
      readonly permissionPolicy: string | null
      readonly mcpPresetIds: readonly string[]
      readonly worktreeId: string | null
    }
  | {
      readonly kind: 'WORKFLOW'
      readonly workflowId: string
      readonly inputs: Values
      readonly worktreeId: string | null
    }
  | {
      readonly kind: 'BUILD'
      readonly buildConfigurationId: string
      readonly worktreeId: string | null
      readonly commit: string | null
      /** Absent in the first steps of this kind, which build a commit. */
      readonly source?: 'COMMIT' | 'WORKTREE'
      readonly buildKind: 'BUILD' | 'COVERAGE'
      readonly serverUrlKind: string | null
    }
  | { readonly kind: 'APPROVAL'; readonly message: string; readonly deadlineSeconds: number | null }

/** @throws MissingValue */
export function toTask({ action }: StepDefinition, scope: ReferenceScope): StepTask {
  const { command, ai, workflow, build, approval } = action
  const expand = (text: string) => expandReferences(text, scope)
  if (command !== null) {
    const inputs = Object.entries(scope.inputs).map(([name, value]) => [`INPUT_${name.toUpperCase()}`, value] as const)
    const variables = command.env.map(({ name, value }) => [name, expand(value)] as const)
    return { kind: 'COMMAND', script: command.script, env: Object.fromEntries([...inputs, ...variables]) }
  }
  if (ai !== null) {
    const { kind: runKind, prompt, ...options } = ai
    return { kind: 'AI', runKind, prompt: expand(prompt), ...options }
  }
  if (workflow !== null) {
    const { workflowId, worktreeId } = workflow
    const inputs = Object.fromEntries(workflow.inputs.map(({ name, value }) => [name, expand(value)]))
    return { kind: 'WORKFLOW', workflowId, inputs, worktreeId }
  }
  // A definition of before there were BUILD steps has no `build`.
  if (build) {
    const { kind: buildKind, commit, ...options } = build
    return { kind: 'BUILD', buildKind, commit: commit === null ? null : expand(commit) || null, ...options }
  }
  const { message = '', deadlineSeconds = null } = approval ?? {}
  return { kind: 'APPROVAL', message: expand(message), deadlineSeconds }
}

/** Whether the step's own comparison lets it run. A value that is missing is an empty text: its step may have been skipped. */
export function meetsTest({ onlyIf }: StepDefinition, scope: ReferenceScope): boolean {
  if (onlyIf === null) return true
  const value = expandReferences(onlyIf.value, scope, 'empty')
  if (onlyIf.equals !== null && value !== onlyIf.equals) return false
  return onlyIf.differsFrom === null || value !== onlyIf.differsFrom
}
