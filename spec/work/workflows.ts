/** Workflows: command steps that are drafted, published and started on worktrees. */
import * as v from 'valibot'
import { idempotencyKey } from '../agents/enrollments.ts'
import { connectionOf, orderByOf, pageArguments } from '../core/connections.ts'
import { oneById } from '../core/oneById.ts'
import { mutation, query } from '../core/operation.ts'
import { expectedRevision, revision } from '../core/revision.ts'
import { atMost, dateTime, id, idOf, int, named, text } from '../core/types.ts'
import { runPayload, timeoutSeconds } from '../runs/newRuns.ts'

export const overlapScope = named(
  'OverlapScope',
  'The set of runs that the overlap policy is measured against.',
  v.picklist(['WORKTREE', 'GLOBAL']),
)

export const overlapPolicy = named(
  'OverlapPolicy',
  'What happens when a workflow is started while a run of it is under way, after the policies of Temporal’s schedules.',
  v.picklist(['ALLOW_ALL', 'BUFFER_ALL', 'BUFFER_ONE', 'SKIP', 'CANCEL_OTHER', 'TERMINATE_OTHER']),
)

export const workflowStatus = named(
  'WorkflowStatus',
  'The state of a workflow.',
  v.picklist(['DRAFT', 'PUBLISHED', 'ARCHIVED']),
)

export const workflowSchema = named(
  'Workflow',
  'A list of command steps.',
  v.object({
    id,
    status: workflowStatus,
    version: v.pipe(int, v.description('Counts its publications.')),
    revision: v.pipe(
      revision,
      v.description('Counts the changes of its draft, from 1. Give it back as `expectedRevision`.'),
    ),
    overlapPolicy,
    overlapScope,
    createdAt: dateTime,
  }),
)

export const workflows = query({
  name: 'workflows',
  description: 'Workflows, newest first, without archived ones unless `statuses` names ARCHIVED.',
  access: 'people',
  tool: {
    group: 'runs',
    name: 'get_workflows',
    title: 'List workflows',
    description:
      'Lists the workflows (lists of shell commands), newest first, each with its name and steps as they are drafted and as they ' +
      'are published. A published one is started with `start_workflow`.',
  },
  input: v.object({
    ...pageArguments,
    orderBy: orderByOf('Workflow', ['CREATED_AT']),
    statuses: v.pipe(
      v.nullish(v.pipe(v.array(workflowStatus), v.maxLength(3))),
      v.description('Only workflows with one of these statuses.'),
    ),
  }),
  output: connectionOf('Workflow', workflowSchema),
})

export const workflow = query({
  ...oneById('workflow', workflowSchema),
  tool: {
    group: 'runs',
    name: 'get_workflow',
    title: 'Get a workflow',
    description:
      'One workflow: how its runs overlap, its draft and what is published of it. Its runs come from `get_runs` with `workflowId`.',
  },
})

const stepSchema = named(
  'WorkflowStep',
  'One command, run by the shell in the worktree.',
  v.object({ name: v.string(), command: v.string() }),
)

/** The maximum number of steps of a workflow. */
const stepsMax = 50

export const workflowDefinition = named(
  'WorkflowDefinition',
  'What a workflow does: its steps and how its runs are admitted.',
  v.object({
    name: v.string(),
    steps: v.pipe(
      atMost(stepsMax, stepSchema),
      v.description('In the order in which they run. The first one that fails ends the run.'),
    ),
    exclusiveWorktree: v.pipe(v.boolean(), v.description('Each top-level run reserves its worktree.')),
    overlapScope,
    overlapPolicy,
    worktreeConcurrencyLimit: v.pipe(int, v.description('0: no limit.')),
    timeoutSeconds: int,
  }),
)

export const definitionFields = {
  name: text({ min: 1, max: 100 }),
  steps: v.pipe(
    v.array(
      named(
        'WorkflowStepInput',
        'One command, run by the shell in the worktree.',
        v.object({ name: text({ min: 1, max: 100 }), command: text({ min: 1, max: 20_000 }) }),
      ),
    ),
    v.minLength(1),
    v.maxLength(stepsMax),
    v.description('Run one after the other; the first that fails ends the run.'),
  ),
  exclusiveWorktree: v.pipe(
    v.nullish(v.boolean()),
    v.description('Each top-level run reserves its worktree. Default: false.'),
  ),
  overlapScope: v.pipe(v.nullish(overlapScope), v.description('Default: WORKTREE.')),
  overlapPolicy: v.pipe(v.nullish(overlapPolicy), v.description('Default: BUFFER_ALL.')),
  worktreeConcurrencyLimit: v.pipe(
    v.nullish(v.pipe(int, v.minValue(0), v.maxValue(32))),
    v.description('0, the default: no limit.'),
  ),
  timeoutSeconds,
}

const payload = (typeName: string) =>
  named(typeName, 'The workflow after the change.', v.object({ workflow: workflowSchema }))

export const createWorkflow = mutation({
  name: 'createWorkflow',
  description: 'Makes a workflow as a draft.',
  access: 'people',
  tool: {
    group: 'runs',
    title: 'Create a workflow',
    description:
      'Makes a workflow: shell commands that run one after the other in a worktree. It is a draft: `publish_workflow` makes it ' +
      'ready for `start_workflow`.',
  },
  input: v.object({ ...definitionFields, idempotencyKey }),
  output: payload('CreateWorkflowPayload'),
})

export const saveWorkflowDraft = mutation({
  name: 'saveWorkflowDraft',
  description: 'Replaces the draft of a workflow; what is published stays until the draft is published.',
  access: 'people',
  tool: {
    group: 'runs',
    title: 'Save a workflow’s draft',
    description:
      'Replaces the whole draft of a workflow: give every field that is to stay, from `get_workflow`. What is published stays ' +
      'until `publish_workflow`; runs that there are keep their steps. Give the `revision` that you have read as `expectedRevision`, so that ' +
      'nobody’s change is lost.',
    idempotent: true,
  },
  input: v.object({ workflowId: idOf('workflow'), ...definitionFields, expectedRevision }),
  output: payload('SaveWorkflowDraftPayload'),
})

export const publishWorkflow = mutation({
  name: 'publishWorkflow',
  description: 'Publishes the draft of a workflow: later runs follow it.',
  access: 'people',
  tool: {
    group: 'runs',
    title: 'Publish a workflow',
    description:
      'Publishes the draft of a workflow: runs that are started from now on follow it, those that there are do not.',
  },
  input: v.object({ workflowId: idOf('workflow'), expectedRevision }),
  output: payload('PublishWorkflowPayload'),
})

export const startWorkflow = mutation({
  name: 'startWorkflow',
  description: 'Starts a published workflow on a worktree.',
  access: 'people',
  tool: {
    openWorld: true,
    group: 'runs',
    title: 'Start a workflow',
    description:
      'Starts a published workflow on a worktree as a new run, which waits for its turn: follow it with `get_run` and ' +
      '`get_run_log`. Where another run of it is under way, its `overlapPolicy` decides: wait, be SKIPPED, or end the other.',
  },
  input: v.object({ workflowId: idOf('workflow'), worktreeId: idOf('worktree'), idempotencyKey }),
  output: runPayload('StartWorkflowPayload'),
})
