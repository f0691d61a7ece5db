/** Jobs as the API returns them. A job is one piece of work for one agent. */
import * as v from 'valibot'
import { oneById } from '../core/oneById.ts'
import { query } from '../core/operation.ts'
import { problem } from '../core/problem.ts'
import { dateTime, id, int, named } from '../core/types.ts'
import { jobKind } from './jobs.ts'

export const jobStatus = named(
  'JobStatus',
  'The status of a job. INCIDENT: an effect of the job failed and waits for an operator.',
  v.picklist([
    'QUEUED',
    'OFFERED',
    'RUNNING',
    'CANCELING',
    'INCIDENT',
    'SUCCEEDED',
    'FAILED',
    'CANCELED',
    'LOST',
    'TIMED_OUT',
  ]),
)

export const jobSchema = named(
  'Job',
  'One piece of work of one agent: the commands of a run, a build, a deployment, the creation or removal of a worktree, or the reading of an image.',
  v.object({
    id,
    kind: jobKind,
    status: jobStatus,
    attempt: v.pipe(int, v.description('The number of times that the job was offered to its agent.')),
    agentId: id,
    worktreeId: v.pipe(v.nullable(id), v.description('Null for a deployment.')),
    runId: v.pipe(
      v.nullable(id),
      v.description('The ID of the run that the job belongs to. Null if the job belongs to a step, or to no run.'),
    ),
    stepId: v.pipe(v.nullable(id), v.description('The ID of the step of a workflow’s run that the job belongs to.')),
    buildId: v.pipe(v.nullable(id), v.description('The ID of the build that the job executes.')),
    deploymentId: v.pipe(v.nullable(id), v.description('The ID of the deployment that the job executes.')),
    problem: v.nullable(problem),
    exitCode: v.nullable(int),
    createdAt: dateTime,
  }),
)

export const job = query(oneById('job', jobSchema))
