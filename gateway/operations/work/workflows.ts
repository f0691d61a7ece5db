import type * as v from 'valibot'
import type { WorkflowRules } from '../../../machines/work/workflow.ts'
import { workflowMembers } from '../../../machines/work/workflowKeys.ts'
import type { ActorEvent } from '../../../spec/core/actor.ts'
import { Failure } from '../../../spec/core/failure.ts'
import { expecting } from '../../../spec/core/revision.ts'
import { toDateTime } from '../../../spec/core/types.ts'
import {
  createWorkflow,
  type definitionFields,
  publishWorkflow,
  saveWorkflowDraft,
  startWorkflow,
  workflow,
  workflowDefinition,
  workflowSchema,
  workflows,
} from '../../../spec/work/workflows.ts'
import type { Envelope } from '../../messages.ts'
import { pageOfRows } from '../core/connections.ts'
import { loadMember } from '../core/members.ts'
import { oneRow } from '../core/oneRow.ts'
import { oneMessage } from '../core/replies.ts'
import { requireRow } from '../core/rows.ts'
import { handle } from '../handler.ts'
import type { ObjectType } from '../objectType.ts'
import type { RequestContext } from '../requestContext.ts'
import {
  createRunOfOwner,
  defaultTimeoutSeconds,
  lineage,
  repeatedRun,
  runEnvelope,
  usableWorktree,
} from '../runs/newRuns.ts'
import { endedByStart } from './endedByStart.ts'

const definitions = {
  draft: {
    type: 'derived',
    output: workflowDefinition,
    nullable: false,
    description: 'The definition that is edited. `publishWorkflow` publishes it, and the draft stays.',
    load: loadMember(workflowMembers.draft),
  },
  published: {
    type: 'derived',
    output: workflowDefinition,
    nullable: true,
    description: 'The definition that new runs use. Null if the workflow was never published.',
    load: loadMember(workflowMembers.published),
  },
} as const

export const workflowType: ObjectType<'workflow', typeof workflowSchema> = {
  name: 'Workflow',
  kind: 'workflow',
  schema: workflowSchema,
  relations: {
    ...definitions,
    runs: {
      type: 'connection',
      target: 'WorkflowRun',
      kind: 'run',
      by: 'scopeId',
      nullable: false,
      description: 'The runs of the workflow, newest first.',
    },
  },
  fromRow: (row) => {
    const { version, revision, rules, draftRules } = row.context
    return {
      id: row.id,
      status: row.columns.status as v.InferOutput<typeof workflowSchema>['status'],
      version,
      revision,
      ...(version === 0 ? draftRules : rules),
      createdAt: toDateTime(row.createdAt),
    }
  },
}

interface Definition {
  readonly name: string
  readonly steps: readonly { readonly name: string; readonly command: string }[]
  readonly exclusiveWorktree: boolean
  readonly worktreeConcurrencyLimit: number
  readonly timeoutSeconds: number
}

function split(input: v.InferOutput<ReturnType<typeof v.object<typeof definitionFields, undefined>>>) {
  const rules: WorkflowRules = {
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

const toWorkflow = (id: string, event: ActorEvent, context: RequestContext<'presence'>, create?: Envelope['create']) =>
  oneMessage({ to: { kind: 'workflow', id }, event, ...(create ? { create } : {}) }, (row) => ({
    workflow: workflowType.fromRow(row, context),
  }))

export const workflowHandlers = [
  handle(workflows, ['views', 'presence'], {
    additions: definitions,
    read: ({ statuses, ...page }, context) =>
      pageOfRows(context.views, { kind: 'workflow', statuses: statuses ?? ['DRAFT', 'PUBLISHED'] }, page, (row) =>
        workflowType.fromRow(row, context),
      ),
  }),
  handle(workflow, ['views', 'presence'], {
    additions: definitions,
    read: oneRow(workflowType),
  }),
  handle(createWorkflow, ['presence', 'ids'], {
    translate: (input, context) =>
      toWorkflow(context.ids.newId('workflow'), { type: 'create' }, context, {
        ...split(input),
        createdAt: context.now,
      }),
  }),
  handle(saveWorkflowDraft, ['presence'], {
    translate: ({ workflowId, expectedRevision, ...input }, context) =>
      toWorkflow(workflowId, { type: 'saveDraft', ...split(input), ...expecting(expectedRevision) }, context),
  }),
  handle(publishWorkflow, ['presence'], {
    translate: ({ workflowId, expectedRevision }, context) =>
      toWorkflow(workflowId, { type: 'publish', ...expecting(expectedRevision) }, context),
  }),
  handle(startWorkflow, ['views', 'ids'], {
    touches: endedByStart,
    repeat: repeatedRun,
    translate: async ({ workflowId, worktreeId }, context) => {
      const workflow = await requireRow(context.views, 'workflow', workflowId)
      const { version } = workflow.context
      const [published] = await context.views.members(workflowId, workflowMembers.published, 1)
      if (workflow.columns.status !== 'PUBLISHED' || published === undefined) {
        throw new Failure(
          'FAILED_PRECONDITION',
          `The workflow is ${workflow.columns.status}. Only a PUBLISHED workflow can be started.`,
        )
      }
      const definition = published.value as Definition
      const on = await usableWorktree(worktreeId, context)
      const runId = context.ids.newId('run')
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
      // If its buffer is full, the workflow refuses.
      const event = { type: 'start', runId, worktreeId, above, version }
      return createRunOfOwner({ to: { kind: 'workflow', id: workflowId }, event }, { run }, context)
    },
  }),
]
