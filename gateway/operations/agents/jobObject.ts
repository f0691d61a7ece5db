import type * as v from 'valibot'
import { job, jobSchema, type jobStatus } from '../../../spec/agents/jobObject.ts'
import { toDateTime } from '../../../spec/core/types.ts'
import { oneRow } from '../core/oneRow.ts'
import { handle } from '../handler.ts'
import type { ObjectType } from '../objectType.ts'

export const jobType: ObjectType<'job', typeof jobSchema> = {
  name: 'Job',
  kind: 'job',
  schema: jobSchema,
  relations: {
    agent: {
      type: 'one',
      target: 'Agent',
      by: 'agentId',
      nullable: false,
      description: 'The agent that executes the job.',
    },
    worktree: {
      type: 'one',
      target: 'Worktree',
      by: 'worktreeId',
      nullable: true,
      description: 'The worktree that the job uses, creates or removes. Null for a deployment.',
    },
    run: {
      type: 'one',
      target: 'Run',
      by: 'runId',
      nullable: true,
      description: 'The run that the job belongs to. Null if the job belongs to a step, or to no run.',
    },
    step: {
      type: 'one',
      target: 'WorkflowStep',
      by: 'stepId',
      nullable: true,
      description: 'The step of a workflow’s run that the job belongs to.',
    },
    build: {
      type: 'one',
      target: 'Build',
      by: 'buildId',
      nullable: true,
      description: 'The build that the job executes.',
    },
    deployment: {
      type: 'one',
      target: 'Deployment',
      by: 'deploymentId',
      nullable: true,
      description: 'The deployment that the job executes.',
    },
  },
  fromRow: (row) => {
    const { kind, agentId, worktreeId, owner, createdAt } = row.init
    const { attempt, problem, exit } = row.context
    return {
      id: row.id,
      kind,
      status: row.columns.status as v.InferOutput<typeof jobStatus>,
      attempt,
      agentId,
      worktreeId,
      runId: owner.kind === 'run' ? owner.id : null,
      stepId: owner.kind === 'workflowStep' ? owner.id : null,
      buildId: owner.kind === 'build' ? owner.id : null,
      deploymentId: owner.kind === 'deployment' ? owner.id : null,
      problem,
      exitCode: exit?.code ?? null,
      createdAt: toDateTime(createdAt),
    }
  },
}

export const jobObjectHandlers = [handle(job, ['views', 'presence'], { read: oneRow(jobType) })]
