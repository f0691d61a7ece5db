/** Workflows: command steps that are drafted, published and started on worktrees. */

import * as v from 'valibot'
import type { ActorEvent } from './actor.ts'
import { connectionOf, pageArguments, pageOfRows } from './connections.ts'
import { countOf } from './countOf.ts'
import { idempotencyKey } from './enrollments.ts'
import { Failure } from './failure.ts'
import { memberOf } from './members.ts'
import {
  defaultTimeoutSeconds,
  lineage,
  repeatedRun,
  runByLeave,
  runEnvelope,
  runPayload,
  timeoutSeconds,
  usableWorktree,
} from './newRuns.ts'
import { oneById } from './oneById.ts'
import { type Envelope, type MessageContext, mutation, type ObjectType, query } from './operation.ts'
import { oneMessage } from './replies.ts'
import { contextOf, requireRow } from './rows.ts'
import type { Touched } from './tools/tool.ts'
import { theRunsWhere } from './tools/touched.ts'
import { dateTime, id, idOf, int, json, named, text, toDateTime } from './types.ts'

const overlapScope = named(
  'OverlapScope',
  'The set of runs that the overlap policy is measured against.',
  v.picklist(['WORKTREE', 'GLOBAL']),
)

const overlapPolicy = named(
  'OverlapPolicy',
  'What happens when a workflow is started while a run of it is under way, after the policies of Temporal’s schedules.',
  v.picklist(['ALLOW_ALL', 'BUFFER_ALL', 'BUFFER_ONE', 'SKIP', 'CANCEL_OTHER', 'TERMINATE_OTHER']),
)

export const workflowSchema = named(
  'Workflow',
  'A list of command steps.',
  v.object({
    id,
    status: named('WorkflowStatus', 'How a workflow stands.', v.picklist(['DRAFT', 'PUBLISHED', 'ARCHIVED'])),
    version: v.pipe(int, v.description('Counts its publications.')),
    overlapPolicy,
    overlapScope,
    createdAt: dateTime,
  }),
)

interface Rules {
  readonly overlapPolicy: v.InferOutput<typeof overlapPolicy>
  readonly overlapScope: v.InferOutput<typeof overlapScope>
}

const definitions = {
  draft: {
    type: 'derived',
    output: json,
    nullable: true,
    description: 'Its definition as it is being written.',
    load: memberOf('draft', null),
  },
  published: {
    type: 'derived',
    output: json,
    nullable: true,
    description: 'Its definition as it is started.',
    load: memberOf('published', null),
  },
} as const

export const workflowType: ObjectType<typeof workflowSchema> = {
  name: 'Workflow',
  kind: 'workflow',
  schema: workflowSchema,
  relations: {
    ...definitions,
    runs: {
      type: 'many',
      target: 'WorkflowRun',
      kind: 'run',
      by: 'scopeId',
      limit: 20,
      nullable: false,
      description: 'Its latest 20 runs, newest first. The query `runs` gives all, page by page.',
    },
    runCount: countOf({ kind: 'run', by: 'scopeId' }, 'How many runs it has had.'),
  },
  fromRow: (row) => {
    const { version, rules, draftRules } = contextOf<{ version: number; rules: Rules; draftRules: Rules }>(row)
    return {
      id: row.id,
      status: row.columns.status as v.InferOutput<typeof workflowSchema>['status'],
      version,
      ...(version === 0 ? draftRules : rules),
      createdAt: toDateTime(row.createdAt),
    }
  },
}

const workflows = query({
  name: 'workflows',
  description: 'Workflows that are not archived, newest first.',
  access: 'people',
  tool: {
    group: 'runs',
    name: 'get_workflows',
    title: 'List workflows',
    description:
      'Lists the workflows (lists of shell commands), newest first, each with its name and steps as they are drafted and as they ' +
      'are published. A published one is started with `start_workflow`.',
    additions: definitions,
  },
  input: v.object(pageArguments),
  output: connectionOf('Workflow', workflowSchema),
  read: (page, context) =>
    pageOfRows(context.views, { kind: 'workflow', terminal: false }, page, (row) => workflowType.fromRow(row, context)),
})

const workflow = oneById(workflowType, {
  group: 'runs',
  name: 'get_workflow',
  title: 'Get a workflow',
  description:
    'One workflow: how its runs overlap, its draft and what is published of it. Its runs come from `get_runs` with `workflowId`.',
  additions: definitions,
})

const definitionFields = {
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
    v.maxLength(50),
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

interface Definition {
  readonly name: string
  readonly steps: readonly { readonly name: string; readonly command: string }[]
  readonly exclusiveWorktree: boolean
  readonly worktreeConcurrencyLimit: number
  readonly timeoutSeconds: number
}

function split(input: v.InferOutput<ReturnType<typeof v.object<typeof definitionFields, undefined>>>) {
  const rules: Rules = {
    overlapPolicy: input.overlapPolicy ?? 'BUFFER_ALL',
    overlapScope: input.overlapScope ?? 'WORKTREE',
  }
  const definition = {
    name: input.name,
    steps: input.steps,
    exclusiveWorktree: input.exclusiveWorktree ?? false,
    worktreeConcurrencyLimit: input.worktreeConcurrencyLimit ?? 0,
    timeoutSeconds: input.timeoutSeconds ?? defaultTimeoutSeconds,
    ...rules,
  }
  return { rules: { ...rules }, definition }
}

const payload = (typeName: string) =>
  named(typeName, 'The workflow after the change.', v.object({ workflow: workflowSchema }))

const toWorkflow = (id: string, event: ActorEvent, context: MessageContext, create?: Envelope['create']) =>
  oneMessage({ to: { kind: 'workflow', id }, event, ...(create ? { create } : {}) }, (row) => ({
    workflow: workflowType.fromRow(row, context),
  }))

const createWorkflow = mutation({
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
  translate: (input, context) =>
    toWorkflow(context.newId('workflow'), { type: 'create' }, context, { ...split(input), createdAt: context.now }),
})

const saveWorkflowDraft = mutation({
  name: 'saveWorkflowDraft',
  description: 'Replaces the draft of a workflow; what is published stays until the draft is published.',
  access: 'people',
  tool: {
    group: 'runs',
    title: 'Save a workflow’s draft',
    description:
      'Replaces the whole draft of a workflow: give every field that is to stay, from `get_workflow`. What is published stays ' +
      'until `publish_workflow`; runs that there are keep their steps.',
    idempotent: true,
  },
  input: v.object({ workflowId: idOf('workflow'), ...definitionFields }),
  output: payload('SaveWorkflowDraftPayload'),
  translate: ({ workflowId, ...input }, context) =>
    toWorkflow(workflowId, { type: 'saveDraft', ...split(input) }, context),
})

const publishWorkflow = mutation({
  name: 'publishWorkflow',
  description: 'Publishes the draft of a workflow: later runs follow it.',
  access: 'people',
  tool: {
    group: 'runs',
    title: 'Publish a workflow',
    description:
      'Publishes the draft of a workflow: runs that are started from now on follow it, those that there are do not.',
  },
  input: v.object({ workflowId: idOf('workflow') }),
  output: payload('PublishWorkflowPayload'),
  translate: ({ workflowId }, context) => toWorkflow(workflowId, { type: 'publish' }, context),
})

/** Runs that are ended so that this one may begin. */
async function endedByStart(
  { workflowId, worktreeId }: { readonly workflowId: string; readonly worktreeId: string },
  { views }: Pick<MessageContext, 'views'>,
): Promise<Touched> {
  const { rules } = contextOf<{ rules: Rules }>(await requireRow(views, 'workflow', workflowId))
  if (rules.overlapPolicy !== 'CANCEL_OTHER' && rules.overlapPolicy !== 'TERMINATE_OTHER') return {}
  const where = { scopeId: workflowId, ...(rules.overlapScope === 'WORKTREE' ? { worktreeId } : {}) }
  return await theRunsWhere(views, { where, terminal: false })
}

const startWorkflow = mutation({
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
    touches: endedByStart,
  },
  input: v.object({ workflowId: idOf('workflow'), worktreeId: idOf('worktree'), idempotencyKey }),
  output: runPayload('StartWorkflowPayload'),
  repeat: repeatedRun,
  translate: async ({ workflowId, worktreeId }, context) => {
    const workflow = await requireRow(context.views, 'workflow', workflowId)
    const { version } = contextOf<{ version: number }>(workflow)
    const [published] = await context.views.members(workflowId, 'published', 1)
    if (workflow.columns.status !== 'PUBLISHED' || published === undefined) {
      throw new Failure('FAILED_PRECONDITION', `The workflow is ${workflow.columns.status}: publish it first.`)
    }
    const definition = published.value as Definition
    const on = await usableWorktree(worktreeId, context)
    const runId = context.newId('run')
    const { parentRunId, above } = await lineage(context)
    const { name, timeoutSeconds: seconds } = definition
    const steps = definition.steps.map((step) => ({ name: step.name, command: step.command }))
    const run = runEnvelope(
      {
        id: runId,
        kind: 'WORKFLOW',
        title: name,
        ownerId: workflowId,
        limit: definition.worktreeConcurrencyLimit,
        exclusive: definition.exclusiveWorktree,
        timeoutSeconds: seconds,
        jobKind: 'COMMANDS',
        spec: { worktreePath: on.worktreePath, steps, timeoutSeconds: seconds },
        parentRunId,
        above,
      },
      on,
      context,
    )
    // Where its buffer is full, the workflow refuses.
    const event = { type: 'start', runId, worktreeId, above, version }
    return runByLeave({ to: { kind: 'workflow', id: workflowId }, event }, { run }, context)
  },
})

export const workflowOperations = [
  workflows,
  workflow,
  createWorkflow,
  saveWorkflowDraft,
  publishWorkflow,
  startWorkflow,
]
