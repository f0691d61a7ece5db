import { Failure } from '../../../spec/core/failure.ts'
import type { RequestContext } from '../requestContext.ts'
import { ownJob } from './jobs.ts'

interface AttemptInput {
  readonly epoch: number
  readonly jobId: string
  readonly attempt: number
}

/**
 * Loads the job of a report on the progress of its owner, and requires the present attempt.
 * @returns the ID of the owner, and the answer to the report. @throws Failure FORBIDDEN, NOT_FOUND, STALE_EPOCH, FAILED_PRECONDITION
 */
export async function ownAttempt(
  kind: 'build' | 'deployment',
  { epoch, jobId, attempt }: AttemptInput,
  context: RequestContext<'actors' | 'presence'>,
) {
  const { init, context: job, columns } = await ownJob({ jobId, epoch }, context)
  if (init.owner.kind !== kind)
    throw new Failure('FAILED_PRECONDITION', `The job does not belong to a ${kind}, so it has no such phase.`, {
      details: { jobId },
    })
  if (job.attempt !== attempt)
    throw new Failure('FAILED_PRECONDITION', `attempt is ${attempt}, but the job is at attempt ${job.attempt}.`, {
      details: { attempt: job.attempt },
    })
  return { ownerId: init.owner.id, receipt: { jobId, attempt, status: columns.status } }
}
