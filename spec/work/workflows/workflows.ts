/** Workflows: steps that are drafted, published and started on worktrees. */
import * as v from 'valibot'
import { connectionOf, orderByOf, pageArguments } from '../../core/connections.ts'
import { idempotencyKey } from '../../core/idempotencyKey.ts'
import { oneById } from '../../core/oneById.ts'
import { mutation, query } from '../../core/operation.ts'
import { expectedRevision, revision } from '../../core/revision.ts'
import { dateTime, id, idOf, int, named } from '../../core/types.ts'
import { runPayload } from '../../runs/newRuns.ts'
import { argumentsByName } from '../arguments.ts'
import { definitionFields, overlapPolicy, overlapScope, workflowDefinition } from './definition.ts'

export const workflowStatus = named(
  'WorkflowStatus',
  'The status of a workflow.',
  v.picklist(['DRAFT', 'PUBLISHED', 'ARCHIVED']),
)

export const workflowSchema = named(
  'Workflow',
  'Steps that are executed on a worktree: commands, prompts for coding CLIs, other workflows, builds, and approvals.',
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

export const workflowVersion = named(
  'WorkflowVersion',
  'A published version of a workflow.',
  v.object({
    version: v.pipe(int, v.description('Counts the publications from 1.')),
    definition: workflowDefinition,
    publishedById: v.pipe(
      v.nullable(id),
      v.description('The user, API key or run that published it. Null for versions from before this was stored.'),
    ),
    publishedAt: dateTime,
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
      'Lists the workflows, newest first, each with its name, and its steps in the draft and in the published version. ' +
      '`start_workflow` starts a published workflow.',
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
      'Creates a workflow: steps that are commands, prompts for coding CLIs, other workflows, builds or approvals. Each step runs ' +
      'when the steps that it `needs` have ended. It is a draft until `publish_workflow`. Then `start_workflow` starts it.',
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
      'Publishes the draft of a workflow. Later runs execute it, and existing runs keep the commands that they started with. ' +
      'A run can publish only the first version of a workflow that it has created: a person publishes the others.',
  },
  input: v.object({ workflowId: idOf('workflow'), expectedRevision }),
  output: payload('PublishWorkflowPayload'),
})

export const archiveWorkflow = mutation({
  name: 'archiveWorkflow',
  description: 'Archives a workflow: it cannot be started or changed. It is refused while runs of it are active.',
  access: 'people',
  tool: {
    group: 'runs',
    title: 'Archive a workflow',
    description:
      'Archives a workflow: it can no longer be started or changed. It is refused while runs of the workflow are active: wait, ' +
      'or cancel them with `cancel_run`. `unarchive_workflow` restores it.',
    idempotent: true,
  },
  input: v.object({ workflowId: idOf('workflow') }),
  output: payload('ArchiveWorkflowPayload'),
})

export const unarchiveWorkflow = mutation({
  name: 'unarchiveWorkflow',
  description: 'Restores an archived workflow, as a draft or published as it was.',
  access: 'people',
  tool: {
    group: 'runs',
    title: 'Unarchive a workflow',
    description: 'Restores an archived workflow. If it was published, `start_workflow` can start it again.',
    idempotent: true,
  },
  input: v.object({ workflowId: idOf('workflow') }),
  output: payload('UnarchiveWorkflowPayload'),
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
      'Starts a published workflow on a worktree as a new run, which is queued: follow it with `get_run`, whose `steps` have ' +
      'their status, and read the output of a step with `get_run_log` and `step`. `inputs` has the values by name, as ' +
      '`get_workflow` lists them. If another run of the workflow is active, its `overlapPolicy` decides whether the new run ' +
      'waits, is SKIPPED, or ends the other.',
  },
  input: v.object({
    workflowId: idOf('workflow'),
    worktreeId: idOf('worktree'),
    inputs: v.pipe(
      v.nullish(argumentsByName),
      v.description('The values by the names of the inputs: `{ "branch": "main", "count": 3 }`. Default: none.'),
    ),
    idempotencyKey,
  }),
  output: runPayload('StartWorkflowPayload'),
})
