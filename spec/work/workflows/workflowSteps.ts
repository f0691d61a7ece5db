/** The steps of the runs of workflows. Each is an actor with a job, a run or a build of its own, or a person to wait for. */
import * as v from 'valibot'
import { oneById } from '../../core/oneById.ts'
import { mutation, query } from '../../core/operation.ts'
import { problem } from '../../core/problem.ts'
import { atMost, dateTime, id, idOf, int, named, text } from '../../core/types.ts'
import { namedValue } from '../../runs/outputs.ts'
import { stepKind } from './steps.ts'

export const stepStatuses = [
  'PENDING',
  'QUEUED',
  'STARTING',
  'RUNNING',
  'WAITING_FOR_APPROVAL',
  'WAITING_TO_RETRY',
  'CANCELING',
  'INCIDENT',
  'SUCCEEDED',
  'FAILED',
  'CANCELED',
  'TIMED_OUT',
  'LOST',
  'SKIPPED',
] as const

export const approvalDecisions = ['APPROVED', 'REJECTED'] as const
export type ApprovalDecision = (typeof approvalDecisions)[number]

const approvalDecision = named('ApprovalDecision', 'The decision of a person.', v.picklist(approvalDecisions))

/** The maximum number of outputs of a step. */
export const stepOutputsMax = 60

export const workflowStepSchema = named(
  'WorkflowStep',
  'A step of the run of a workflow.',
  v.object({
    id,
    runId: v.pipe(id, v.description('The run of the workflow.')),
    name: v.string(),
    title: v.string(),
    kind: stepKind,
    status: named(
      'WorkflowStepStatus',
      'The status of a step. PENDING: it waits for the steps that it needs. SUCCEEDED, FAILED, CANCELED, TIMED_OUT, LOST and SKIPPED are final.',
      v.picklist(stepStatuses),
    ),
    attempt: v.pipe(int, v.description('The number of the attempt. 0 before the first one.')),
    maxAttempts: int,
    jobId: v.pipe(v.nullable(id), v.description('The job of the last attempt of a COMMAND. Null before it exists.')),
    childRunId: v.pipe(
      v.nullable(id),
      v.description('The run of the last attempt of an AI or WORKFLOW step. Null before it exists.'),
    ),
    buildId: v.pipe(
      v.nullable(id),
      v.description('The build of the last attempt of a BUILD step. Null before it exists.'),
    ),
    reusedFromId: v.pipe(
      v.nullable(id),
      v.description('The step of an earlier run whose outputs it has, because the run was restarted after it.'),
    ),
    message: v.pipe(v.nullable(v.string()), v.description('The question of an APPROVAL. Null before it is asked.')),
    approvalDeadline: v.nullable(dateTime),
    decision: v.nullable(approvalDecision),
    decidedById: v.pipe(v.nullable(id), v.description('The user or API key that decided an APPROVAL.')),
    comment: v.nullable(v.string()),
    problem: v.pipe(v.nullable(problem), v.description('The reason why it failed, was skipped, or is repeated.')),
    startedAt: v.nullable(dateTime),
    endedAt: v.nullable(dateTime),
  }),
)

export const stepOutputs = atMost(stepOutputsMax, namedValue)

export const workflowStep = query({
  ...oneById('workflowStep', workflowStepSchema),
  tool: {
    group: 'runs',
    name: 'get_workflow_step',
    title: 'Get a step of a run',
    description:
      'Returns one step of a workflow’s run (`stp_…`): its status, its outputs, its question if it is an APPROVAL, and the reason of a ' +
      'failure. `get_run` lists the steps of a run. A step that has not begun does not exist yet.',
  },
})

export const decideApproval = mutation({
  name: 'decideApproval',
  description:
    'Approves or rejects an APPROVAL step. If it is approved, the steps that need it start. If it is rejected, it fails. Runs cannot decide.',
  access: 'people',
  tool: {
    group: 'runs',
    title: 'Decide an approval',
    description:
      'Approves or rejects a step of a workflow’s run that is WAITING_FOR_APPROVAL (`get_run` lists `steps`). Call it only if the ' +
      'person whom you work for has decided. The token of a run cannot decide approvals.',
    idempotent: true,
  },
  input: v.object({
    stepId: idOf('workflowStep'),
    decision: approvalDecision,
    comment: v.pipe(v.nullish(text({ max: 2_000 })), v.description('The reason, for later readers. Default: none.')),
  }),
  output: named('DecideApprovalPayload', 'The step after the decision.', v.object({ step: workflowStepSchema })),
})
