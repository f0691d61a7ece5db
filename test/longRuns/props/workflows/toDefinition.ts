/** The definition for a workflow of a history. */
import type { Json } from '../../../../spec/core/actor.ts'
import type { WorkflowDefinition } from '../../../../spec/work/workflows/definition.ts'
import type { StepDefinition } from '../../../../spec/work/workflows/steps.ts'
import type { DrawnStep, DrawnWorkflow } from './workflowHistory.ts'

export function toDefinition(
  { steps, ...rules }: DrawnWorkflow,
  ids: { readonly worktrees: readonly string[]; readonly workflows: readonly string[] },
): Json {
  const definition: WorkflowDefinition = {
    name: 'w',
    inputs: [],
    steps: steps.map((step, index) => toStep(step, index, ids)),
    outputs: [{ name: 'version', value: '{{steps.s0.version}}' }],
    ...rules,
  }
  return definition as unknown as Json
}

function toStep(
  drawn: DrawnStep,
  index: number,
  ids: { readonly worktrees: readonly string[]; readonly workflows: readonly string[] },
): StepDefinition {
  const name = `s${index}`
  const needs = [0, 1, 2].filter((other) => other < index && (drawn.needs & (1 << other)) !== 0).map((n) => `s${n}`)
  const worktreeId = drawn.worktree === null ? null : (ids.worktrees[drawn.worktree] ?? null)
  const value = needs[0] === undefined ? 'x' : `{{steps.${needs[0]}.version}}`
  const text = drawn.refers ? value : 'x'
  const none = { command: null, ai: null, workflow: null, build: null, approval: null }
  const workflowId = ids.workflows[drawn.workflow % ids.workflows.length] ?? ''
  const options = { cli: null, model: null, permissionPolicy: null, mcpPresetIds: [] }
  const source =
    index % 2 === 0 ? ({ source: 'COMMIT', commit: text } as const) : ({ source: 'WORKTREE', commit: null } as const)
  const actions = {
    COMMAND: { ...none, command: { script: 'make', env: [{ name: 'V', value: text }] } },
    AI: {
      ...none,
      ai: { kind: index % 2 === 0 ? ('SESSION' as const) : ('PLAN' as const), prompt: text, ...options, worktreeId },
    },
    WORKFLOW: { ...none, workflow: { workflowId, inputs: [], worktreeId } },
    BUILD: {
      ...none,
      build: { ...source, buildConfigurationId: 'bcf_1', worktreeId, kind: 'BUILD', serverUrlKind: null },
    },
    APPROVAL: { ...none, approval: { message: text, deadlineSeconds: drawn.deadlineSeconds } },
  } satisfies Record<StepDefinition['kind'], StepDefinition['action']>
  const kind = drawn.kind as StepDefinition['kind']
  return {
    name,
    title: name,
    kind,
    needs,
    condition: drawn.condition as StepDefinition['condition'],
    onlyIf: toTest(drawn.onlyIf, value),
    timeoutSeconds: drawn.timeoutSeconds,
    retry: { maxAttempts: drawn.maxAttempts, delaySeconds: drawn.delaySeconds },
    action: actions[kind],
  }
}

function toTest(onlyIf: string | null, value: string): StepDefinition['onlyIf'] {
  if (onlyIf === null) return null
  return onlyIf === 'equals' ? { value, equals: '1', differsFrom: null } : { value, equals: null, differsFrom: '1' }
}
