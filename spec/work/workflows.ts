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
  'The set of runs that the overlap policy considers: the workflow’s runs on the same worktree, or all of its runs.',
  v.picklist(['WORKTREE', 'GLOBAL']),
)

export const overlapPolicy = named(
  'OverlapPolicy',
  'The rule for a workflow that is started while a run of it is active. The policies are those of Temporal’s schedules.',
  v.picklist(['ALLOW_ALL', 'BUFFER_ALL', 'BUFFER_ONE', 'SKIP', 'CANCEL_OTHER', 'TERMINATE_OTHER']),
)

export const workflowStatus = named(
  'WorkflowStatus',
  'The status of a workflow.',
  v.picklist(['DRAFT', 'PUBLISHED', 'ARCHIVED']),
)

export const workflowSchema = named(
  'Workflow',
  'A list of command steps.',
  v.object({
    id,
    status: workflowStatus,
    version: v.pipe(int, v.description('The number of times that the workflow was published.')),
    revision: v.pipe(
      revision,
      v.description('The number of changes of the draft, from 1. Pass it as `expectedRevision`.'),
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
      'Lists the workflows (lists of shell commands), newest first, each with its name and commands in the draft and in the ' +
      'published version. `start_workflow` starts a published workflow.',
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
      'Returns one workflow: its overlap policy, its draft and its published version. `get_runs` with `workflowId` returns its runs.',
  },
})

const stepSchema = named(
  'WorkflowStep',
  'One command that the shell runs in the worktree.',
  v.object({ name: v.string(), command: v.string() }),
)

/** The maximum number of steps of a workflow. */
const stepsMax = 50

export const workflowDefinition = named(
  'WorkflowDefinition',
  'The steps of a workflow, and the conditions under which its runs are admitted.',
  v.object({
    name: v.string(),
    steps: v.pipe(
      atMost(stepsMax, stepSchema),
      v.description('The commands, in the order in which they run. The first command that fails ends the run.'),
    ),
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

export const definitionFields = {
  name: text({ min: 1, max: 100 }),
  steps: v.pipe(
    v.array(
      named(
        'WorkflowStepInput',
        'One command that the shell runs in the worktree.',
        v.object({ name: text({ min: 1, max: 100 }), command: text({ min: 1, max: 20_000 }) }),
      ),
    ),
    v.minLength(1),
    v.maxLength(stepsMax),
    v.description('The commands, in the order in which they run. The first command that fails ends the run.'),
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
    v.nullish(v.pipe(int, v.minValue(0), v.maxValue(32))),
    v.description('The maximum number of workflow runs on the worktree at the same time. 0: no limit. Default: 0.'),
  ),
  timeoutSeconds,
}

const payload = (typeName: string) =>
  named(typeName, 'The workflow after the change.', v.object({ workflow: workflowSchema }))

export const createWorkflow = mutation({
  name: 'createWorkflow',
  description: 'Creates a workflow as a draft.',
  access: 'people',
  tool: {
    group: 'runs',
    title: 'Create a workflow',
    description:
      'Creates a workflow: shell commands that run one after the other in a worktree. It is a draft until `publish_workflow`. ' +
      'Then `start_workflow` starts it.',
  },
  input: v.object({ ...definitionFields, idempotencyKey }),
  output: payload('CreateWorkflowPayload'),
})

export const saveWorkflowDraft = mutation({
  name: 'saveWorkflowDraft',
  description: 'Replaces the draft of a workflow. The published version stays until the draft is published.',
  access: 'people',
  tool: {
    group: 'runs',
    title: 'Save a workflow’s draft',
    description:
      'Replaces the whole draft of a workflow: pass every field that should stay, as `get_workflow` returns it. The published ' +
      'version stays until `publish_workflow`, and existing runs keep the commands that they started with. Pass the ' +
      '`revision` that you have read as `expectedRevision`, so that no change is lost.',
    idempotent: true,
  },
  input: v.object({ workflowId: idOf('workflow'), ...definitionFields, expectedRevision }),
  output: payload('SaveWorkflowDraftPayload'),
})

export const publishWorkflow = mutation({
  name: 'publishWorkflow',
  description: 'Publishes the draft of a workflow. Later runs execute it.',
  access: 'people',
  tool: {
    group: 'runs',
    title: 'Publish a workflow',
    description:
      'Publishes the draft of a workflow. Later runs execute it, and existing runs keep the commands that they started with.',
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
      'Starts a published workflow on a worktree as a new run, which is queued: follow it with `get_run` and `get_run_log`. If ' +
      'another run of the workflow is active, its `overlapPolicy` decides whether the new run waits, is SKIPPED, or ends the ' +
      'other.',
  },
  input: v.object({ workflowId: idOf('workflow'), worktreeId: idOf('worktree'), idempotencyKey }),
  output: runPayload('StartWorkflowPayload'),
})
