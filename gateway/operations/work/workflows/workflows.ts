import * as v from 'valibot'
import type { WorkflowRules } from '../../../../machines/work/workflow.ts'
import { workflowMembers } from '../../../../machines/work/workflowKeys.ts'
import type { ActorEvent, Json } from '../../../../spec/core/actor.ts'
import { principalName } from '../../../../spec/core/principal.ts'
import { expecting } from '../../../../spec/core/revision.ts'
import { toDateTime } from '../../../../spec/core/types.ts'
import { toDefinition } from '../../../../spec/work/workflows/checkDefinition.ts'
import { type DefinitionInput, workflowDefinition } from '../../../../spec/work/workflows/definition.ts'
import { readDefinition } from '../../../../spec/work/workflows/storedDefinition.ts'
import {
  archiveWorkflow,
  createWorkflow,
  publishWorkflow,
  saveWorkflowDraft,
  unarchiveWorkflow,
  workflow,
  workflowSchema,
  workflows,
} from '../../../../spec/work/workflows/workflows.ts'
import type { Envelope } from '../../../messages.ts'
import { pageOfRows } from '../../core/connections.ts'
import { loadMember } from '../../core/members.ts'
import { oneRow } from '../../core/oneRow.ts'
import { oneMessage, requireKind } from '../../core/replies.ts'
import { handle } from '../../handler.ts'
import type { Additions, ObjectType } from '../../objectType.ts'
import type { RequestContext } from '../../requestContext.ts'
import { countDefinition } from './definitionCounts.ts'
import { refusePublicationOfRun } from './refusePublication.ts'
import { requireTargets } from './requireTargets.ts'
import { versionsOfWorkflow } from './versions.ts'

const toOutput = (stored: unknown) => readDefinition(stored as Json)

const definitions = {
  name: {
    type: 'derived',
    output: v.string(),
    nullable: false,
    description: 'The name in the published definition, or in the draft if it was never published.',
    load: async (parents, context) => {
      const [published, drafts] = await Promise.all([
        loadMember(workflowMembers.published)(parents, context),
        loadMember(workflowMembers.draft)(parents, context),
      ])
      return parents.map((_, index) => toOutput(published[index] ?? drafts[index]).name)
    },
  },
  draft: {
    type: 'derived',
    output: workflowDefinition,
    nullable: false,
    description: 'The definition that is edited. `publishWorkflow` publishes it, and the draft stays.',
    load: loadMember(workflowMembers.draft, { convert: toOutput }),
  },
  published: {
    type: 'derived',
    output: workflowDefinition,
    nullable: true,
    description: 'The definition that new runs use. Null if the workflow was never published.',
    load: loadMember(workflowMembers.published, { convert: toOutput }),
  },
} as const satisfies Additions

export const workflowType: ObjectType<'workflow', typeof workflowSchema> = {
  name: 'Workflow',
  kind: 'workflow',
  schema: workflowSchema,
  relations: {
    ...definitions,
    versions: versionsOfWorkflow,
    runs: {
      type: 'connection',
      target: 'WorkflowRun',
      kind: 'run',
      by: 'scopeId',
      nullable: false,
      description: 'The runs of the workflow, newest first.',
    },
    schedules: {
      type: 'connection',
      target: 'Schedule',
      kind: 'schedule',
      by: 'scopeId',
      terminal: false,
      nullable: false,
      description: 'The schedules of the workflow that were not deleted, newest first.',
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

function split(input: DefinitionInput) {
  const definition = toDefinition(input)
  const { overlapPolicy, overlapScope } = definition
  const rules: WorkflowRules = { overlapPolicy, overlapScope }
  return { rules, definition: definition as unknown as Json }
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
    listCounts: async ({ id }, { views }) => {
      const count = async (key: string) => {
        const [member] = await views.members(id, key, 1)
        return member === undefined ? {} : countDefinition(toOutput(member.value))
      }
      const { draft, published } = workflowMembers
      return { lists: { draft: await count(draft), published: await count(published) } }
    },
    read: oneRow(workflowType),
  }),
  handle(createWorkflow, ['presence', 'ids', 'views'], {
    repeat: {
      message: 0,
      answer: ({ row }, context) => ({ workflow: workflowType.fromRow(requireKind('workflow', row), context) }),
    },
    translate: async (input, context) => {
      await requireTargets(toDefinition(input).steps, context)
      const create = { ...split(input), createdAt: context.now, createdBy: principalName(context.principal) }
      return toWorkflow(context.ids.newId('workflow'), { type: 'create' }, context, create)
    },
  }),
  handle(saveWorkflowDraft, ['presence', 'views'], {
    translate: async ({ workflowId, expectedRevision, ...input }, context) => {
      await requireTargets(toDefinition(input).steps, context)
      return toWorkflow(workflowId, { type: 'saveDraft', ...split(input), ...expecting(expectedRevision) }, context)
    },
  }),
  handle(publishWorkflow, ['presence', 'views'], {
    translate: async ({ workflowId, expectedRevision }, context) => {
      await refusePublicationOfRun(workflowId, context)
      const by = principalName(context.principal)
      return toWorkflow(workflowId, { type: 'publish', by, ...expecting(expectedRevision) }, context)
    },
  }),
  handle(archiveWorkflow, ['presence'], {
    translate: ({ workflowId }, context) => toWorkflow(workflowId, { type: 'archive' }, context),
  }),
  handle(unarchiveWorkflow, ['presence'], {
    translate: ({ workflowId }, context) => toWorkflow(workflowId, { type: 'unarchive' }, context),
  }),
]
