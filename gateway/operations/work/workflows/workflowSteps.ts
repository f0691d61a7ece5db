import type * as v from 'valibot'
import type { TypedRow } from '../../../../machines/rows.ts'
import { jobIdOf, stepIdOf, stepMembers } from '../../../../machines/work/steps/stepKeys.ts'
import { Failure } from '../../../../spec/core/failure.ts'
import { principalName } from '../../../../spec/core/principal.ts'
import { atMost, toDateTime } from '../../../../spec/core/types.ts'
import { workflowDefinition } from '../../../../spec/work/workflows/definition.ts'
import { stepsMax } from '../../../../spec/work/workflows/steps.ts'
import {
  decideApproval,
  stepOutputs,
  stepOutputsMax,
  workflowStep,
  workflowStepSchema,
} from '../../../../spec/work/workflows/workflowSteps.ts'
import { requesterBy } from '../../accounts/requester.ts'
import { loadMember } from '../../core/members.ts'
import { moment } from '../../core/moment.ts'
import { oneRow } from '../../core/oneRow.ts'
import { oneMessage } from '../../core/replies.ts'
import { handle } from '../../handler.ts'
import type { Additions, ObjectType, Relation } from '../../objectType.ts'
import { definitionOfRun, stepsOfRun } from './stepsOfRun.ts'

type WorkflowStep = v.InferInput<typeof workflowStepSchema>

function deadlineOf({ init, context }: TypedRow<'workflowStep'>): string | null {
  const { begin } = init
  if (begin.type !== 'start' || begin.task.kind !== 'APPROVAL' || begin.task.deadlineSeconds === null) return null
  return context.times.started === null ? null : toDateTime(context.times.started + begin.task.deadlineSeconds * 1_000)
}

function stepFromRow(row: TypedRow<'workflowStep'>): WorkflowStep {
  const { id, init, context, columns } = row
  const { attempt, child, approval, problem, times } = context
  const { begin } = init
  return {
    id,
    runId: init.place.runId,
    name: init.name,
    title: init.stepTitle,
    kind: init.kind,
    status: columns.status as WorkflowStep['status'],
    attempt,
    maxAttempts: init.retry.maxAttempts,
    jobId: init.kind === 'COMMAND' && attempt > 0 ? jobIdOf(id, attempt) : null,
    childRunId: init.kind === 'BUILD' ? null : child.runId,
    buildId: init.kind === 'BUILD' ? child.runId : null,
    reusedFromId: begin.type === 'reuse' ? begin.stepId : null,
    message: begin.type === 'start' && begin.task.kind === 'APPROVAL' ? begin.task.message : null,
    approvalDeadline: deadlineOf(row),
    decision: approval?.decision ?? null,
    decidedById: approval?.by ?? null,
    comment: approval?.comment ?? null,
    problem,
    startedAt: moment(times.started),
    endedAt: moment(times.ended),
  }
}

const toOutputs = (stored: unknown) =>
  Object.entries(stored as Readonly<Record<string, string>>)
    .slice(0, stepOutputsMax)
    .map(([name, value]) => ({ name, value }))

const outputs = {
  type: 'derived',
  output: stepOutputs,
  nullable: false,
  description:
    'The outputs, which later steps can use. Empty before the step has succeeded. A BUILD step that has failed has them too.',
  load: loadMember(stepMembers.outputs, {
    absent: [],
    convert: toOutputs,
    mayHave: ({ kind, status }) => status === 'SUCCEEDED' || kind === 'BUILD',
  }),
} as const satisfies Additions[string]

export const workflowStepType: ObjectType<'workflowStep', typeof workflowStepSchema> = {
  name: 'WorkflowStep',
  kind: 'workflowStep',
  schema: workflowStepSchema,
  relations: {
    outputs,
    run: { type: 'one', target: 'WorkflowRun', by: 'runId', nullable: true, description: 'The run of the workflow.' },
    job: {
      type: 'one',
      target: 'Job',
      by: 'jobId',
      nullable: true,
      description: 'The job of the last attempt of a COMMAND. Its log is that of the step.',
    },
    childRun: {
      type: 'one',
      target: 'Run',
      by: 'childRunId',
      nullable: true,
      description: 'The run of the last attempt of an AI or WORKFLOW step.',
    },
    build: {
      type: 'one',
      target: 'Build',
      by: 'buildId',
      nullable: true,
      description: 'The build of the last attempt of a BUILD step.',
    },
    decidedBy: {
      ...requesterBy('decidedById'),
      description: 'The user or API key that decided. Null before the decision, and if the user was removed.',
    },
  },
  fromRow: stepFromRow,
}

/** A step that has not begun is not an actor yet. It is made from the definition of the run. */
export const stepsOfWorkflowRun = {
  type: 'derived',
  output: atMost(stepsMax, workflowStepSchema),
  nullable: false,
  description:
    'The steps, in the order of the definition. Empty for runs of earlier versions, which executed their steps as one job.',
  load: async (parents, { views }) =>
    await Promise.all(
      parents.map(async ({ id }) => {
        const runId = String(id)
        const steps = await stepsOfRun(runId, views)
        const rows = await views.getMany(
          'workflowStep',
          steps.map((_, index) => stepIdOf(runId, index)),
        )
        return steps.map((step, index): WorkflowStep => {
          const stepId = stepIdOf(runId, index)
          const row = rows.get(stepId)
          if (row !== undefined) return stepFromRow(row)
          const { name, title, kind, retry } = step
          const facts = { id: stepId, runId, name, title, kind, maxAttempts: retry.maxAttempts }
          return { ...notBegun, ...facts }
        })
      }),
    ),
} as const satisfies Relation & { readonly description: string; readonly nullable: boolean }

export const definitionOfWorkflowRun = {
  type: 'derived',
  output: workflowDefinition,
  nullable: true,
  description:
    'The definition with which the run was started. Null for runs of earlier versions, which executed their steps as one job.',
  load: async (parents, { views }) =>
    await Promise.all(parents.map(async ({ id }) => (await definitionOfRun(String(id), views)) ?? null)),
} as const satisfies Relation & { readonly description: string; readonly nullable: boolean }

const notBegun = {
  status: 'PENDING',
  attempt: 0,
  jobId: null,
  childRunId: null,
  buildId: null,
  reusedFromId: null,
  message: null,
  approvalDeadline: null,
  decision: null,
  decidedById: null,
  comment: null,
  problem: null,
  startedAt: null,
  endedAt: null,
} as const

export const workflowStepHandlers = [
  handle(workflowStep, ['views', 'presence'], { additions: { outputs }, read: oneRow(workflowStepType) }),
  handle(decideApproval, ['views', 'presence'], {
    translate: ({ stepId, decision, comment }, context) => {
      const { principal } = context
      if (principal.kind === 'run')
        throw new Failure('FORBIDDEN', 'A run cannot decide an approval. A person must decide it.')
      const event = { type: 'decide', decision, by: principalName(principal), comment: comment ?? null }
      return oneMessage({ to: { kind: 'workflowStep', id: stepId }, event }, (row) => ({ step: stepFromRow(row) }))
    },
  }),
]
