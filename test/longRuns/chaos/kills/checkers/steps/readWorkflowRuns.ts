/** The runs of workflows with the steps of their definitions, by the stored rows. */
import { stepIdOf } from '../../../../../../machines/work/steps/stepKeys.ts'
import { siblingId } from '../../../../../../spec/core/ids.ts'
import type { StepDefinition } from '../../../../../../spec/work/workflows/steps.ts'
import type { Seen, SeenActor } from '../../seen.ts'

export interface StepOfRun {
  readonly id: string
  readonly runId: string
  readonly definition: StepDefinition
  /** Undefined if it has not begun. */
  readonly actor: SeenActor | undefined
  /** The steps that it needs. */
  readonly needs: readonly StepOfRun[]
  /** Whether a restart keeps the outputs of an earlier run: the step had succeeded, and no step that it needs is executed again. */
  readonly isKept: boolean
}

export interface SeenWorkflowRun {
  readonly run: SeenActor
  readonly execution: SeenActor | undefined
  readonly steps: readonly StepOfRun[]
  readonly inputs: Readonly<Record<string, string>>
  /** The steps that had succeeded before a restart, by name. */
  readonly reuse: Readonly<Record<string, { readonly stepId: string }>>
  /** The expression of its output, which is a reference to a step. */
  readonly output: string | undefined
}

type Spec = {
  readonly definition: {
    readonly steps: readonly StepDefinition[]
    readonly outputs: readonly { readonly value: string }[]
  }
  readonly inputs: SeenWorkflowRun['inputs']
  readonly reuse?: SeenWorkflowRun['reuse']
}

export function readWorkflowRuns({ actors }: Seen): readonly SeenWorkflowRun[] {
  return [...actors.values()].flatMap((run) => {
    if (run.kind !== 'run' || run.init.jobKind !== 'STEPS') return []
    const { definition, inputs, reuse = {} } = run.init.spec as unknown as Spec
    const byName = new Map<string, StepOfRun>()
    for (const [index, step] of definition.steps.entries()) {
      const id = stepIdOf(run.id, index)
      const needs = step.needs.flatMap((name) => byName.get(name) ?? [])
      const isKept = reuse[step.name] !== undefined && !needs.some(isExecuted)
      byName.set(step.name, { id, runId: run.id, definition: step, actor: actors.get(id), needs, isKept })
    }
    const execution = actors.get(siblingId('workflowExecution', run.id))
    const output = definition.outputs[0]?.value
    return [{ run, execution, steps: [...byName.values()], inputs, reuse, output }]
  })
}

type Beginning = { readonly type: string; readonly problem?: { readonly code: string } }

export const beginningOf = (actor: SeenActor | undefined): Beginning => Object(actor?.init.begin)

/** A step that its own condition skips is not executed, and has no new outcome for the steps behind it. */
function isExecuted({ actor, isKept }: StepOfRun): boolean {
  const { type, problem } = beginningOf(actor)
  return !isKept && (type !== 'skip' || problem?.code === 'NEEDED_STEP_FAILED')
}

export const attemptOf = ({ actor }: StepOfRun): number => Number(actor?.context.attempt ?? 0)
