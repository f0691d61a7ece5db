import { workflowMembers } from '../../../../machines/work/workflowKeys.ts'
import type { Json } from '../../../../spec/core/actor.ts'
import { Failure } from '../../../../spec/core/failure.ts'
import { kindOfId } from '../../../../spec/core/ids.ts'
import type { Principal } from '../../../../spec/core/principal.ts'
import { readArguments } from '../../../../spec/work/argumentValues.ts'
import { readDefinition } from '../../../../spec/work/workflows/storedDefinition.ts'
import { startWorkflow } from '../../../../spec/work/workflows/workflows.ts'
import { requireRow } from '../../core/rows.ts'
import { handle } from '../../handler.ts'
import { createRunOfOwner, lineage, repeatedRunOfOwner, runEnvelope, usableWorktree } from '../../runs/newRuns.ts'
import { endedByStart } from './endedByStart.ts'
import { requireBuildTargets } from './requireTargets.ts'

/** A step gives its values as texts, because they can have outputs of other steps in them. */
const isStep = (principal: Principal): boolean =>
  principal.kind === 'actor' && kindOfId(principal.actorId) === 'workflowStep'

export const startWorkflowHandlers = [
  handle(startWorkflow, ['views', 'ids'], {
    touches: endedByStart,
    repeat: repeatedRunOfOwner,
    translate: async ({ workflowId, worktreeId, inputs: given }, context) => {
      const workflow = await requireRow(context.views, 'workflow', workflowId)
      const { version } = workflow.context
      const [published] = await context.views.members(workflowId, workflowMembers.published, 1)
      if (workflow.columns.status !== 'PUBLISHED' || published === undefined) {
        throw new Failure(
          'FAILED_PRECONDITION',
          `The workflow is ${workflow.columns.status}. Only a PUBLISHED workflow can be started.`,
        )
      }
      const definition = readDefinition(published.value as Json)
      const areTexts = isStep(context.principal)
      const inputs = readArguments(definition.inputs, given ?? {}, { field: 'inputs', owner: 'workflow', areTexts })
      const on = await usableWorktree(worktreeId, context)
      await requireBuildTargets(definition.steps, context, on)
      const runId = context.ids.newId('run')
      const { parentRunId, above } = await lineage(context)
      const spec = { worktreePath: on.worktreePath, definition, inputs: Object.fromEntries(inputs) }
      const run = runEnvelope(
        {
          id: runId,
          kind: 'WORKFLOW',
          title: definition.name,
          ownerId: workflowId,
          limit: definition.worktreeConcurrencyLimit,
          exclusive: definition.exclusiveWorktree,
          timeoutSeconds: definition.timeoutSeconds,
          jobKind: 'STEPS',
          spec: spec as unknown as Json,
          parentRunId,
          above,
        },
        on,
        context,
      )
      // If its buffer is full, the workflow refuses.
      const event = { type: 'start', runId, worktreeId, above, version }
      return await createRunOfOwner({ to: { kind: 'workflow', id: workflowId }, event }, { run }, context)
    },
  }),
]
