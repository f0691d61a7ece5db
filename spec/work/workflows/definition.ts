/** The definition of a workflow: its steps, inputs and outputs, and the conditions under which its runs are admitted. */
import * as v from 'valibot'
import { atMost, int, named, text } from '../../core/types.ts'
import { timeoutSeconds } from '../../runs/newRuns.ts'
import { namedValue } from '../../runs/outputs.ts'
import { concurrencyLimit } from '../../worktrees/concurrencyLimit.ts'
import { type Argument, argumentInputs, argumentOutputs } from '../arguments.ts'
import { stepDefinition, stepInput, stepName, stepsMax } from './steps.ts'

/** The maximum number of outputs of a workflow. */
const outputsMax = 20

export const overlapScope = named(
  'OverlapScope',
  'The set of runs that the overlap policy considers: the workflow’s runs on the same worktree, or all of its runs.',
  v.picklist(['WORKTREE', 'GLOBAL']),
)

export const overlapPolicy = named(
  'OverlapPolicy',
  'The rule for a workflow that is started while a run of it is active. The policies are those of Temporal’s schedules.',
  v.picklist(['ALLOW_ALL', 'BUFFER_ALL', 'BUFFER_ONE', 'SKIP', 'CANCEL_OTHER', 'TERMINATE_OTHER']),
)

export const workflowDefinition = named(
  'WorkflowDefinition',
  'The steps, inputs and outputs of a workflow, and the conditions under which its runs are admitted.',
  v.object({
    name: v.string(),
    inputs: v.pipe(argumentOutputs, v.description('The inputs that a start can give.')),
    steps: atMost(stepsMax, stepDefinition),
    outputs: atMost(outputsMax, namedValue),
    exclusiveWorktree: v.pipe(v.boolean(), v.description('Whether each top-level run reserves its worktree.')),
    overlapScope,
    overlapPolicy,
    worktreeConcurrencyLimit: v.pipe(
      int,
      v.description('The maximum number of workflow runs on the worktree at the same time. 0: no limit.'),
    ),
    timeoutSeconds: int,
  }),
)

/** A definition as it is stored. */
export interface WorkflowDefinition extends Omit<v.InferOutput<typeof workflowDefinition>, 'inputs'> {
  readonly inputs: readonly Argument[]
}

export const definitionFields = {
  name: text({ min: 1, max: 100 }),
  inputs: v.pipe(
    v.nullish(argumentInputs),
    v.description(
      'The inputs that a start can give. Commands read the input `branch` as `"$INPUT_BRANCH"`. Default: none.',
    ),
  ),
  steps: v.pipe(
    v.array(stepInput),
    v.minLength(1),
    v.maxLength(stepsMax),
    v.description('The steps. Each starts when the steps that it needs have ended.'),
  ),
  outputs: v.pipe(
    v.nullish(
      v.pipe(
        v.array(
          named(
            'WorkflowOutputInput',
            'An output of a workflow. A workflow that starts this one can use it.',
            v.object({
              name: stepName,
              value: v.pipe(text({ max: 20_000 }), v.description('The value, for example `{{steps.build.version}}`.')),
            }),
          ),
        ),
        v.maxLength(outputsMax),
      ),
    ),
    v.description('The outputs of a run that has succeeded. Default: none.'),
  ),
  exclusiveWorktree: v.pipe(
    v.nullish(v.boolean()),
    v.description('Whether each top-level run reserves its worktree. Default: false.'),
  ),
  overlapScope: v.pipe(
    v.nullish(overlapScope),
    v.description('The set of runs that the overlap policy considers. Default: WORKTREE.'),
  ),
  overlapPolicy: v.pipe(
    v.nullish(overlapPolicy),
    v.description('The rule for a start while a run of the workflow is active. Default: BUFFER_ALL.'),
  ),
  worktreeConcurrencyLimit: v.pipe(
    v.nullish(concurrencyLimit),
    v.description('The maximum number of workflow runs on the worktree at the same time. 0: no limit. Default: 0.'),
  ),
  timeoutSeconds,
}

export type DefinitionInput = v.InferOutput<ReturnType<typeof v.object<typeof definitionFields, undefined>>>
