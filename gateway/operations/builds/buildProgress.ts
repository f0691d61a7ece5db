import { reportBuildProgress } from '../../../spec/builds/buildProgress.ts'
import { Failure } from '../../../spec/core/failure.ts'
import { ownJob } from '../agents/jobs.ts'
import { handle } from '../handler.ts'

export const buildProgressHandlers = [
  handle(reportBuildProgress, ['actors', 'presence'], {
    translate: async ({ epoch, jobId, attempt, phase, commit }, context) => {
      const row = await ownJob({ jobId, epoch }, context)
      const { owner } = row.init
      if (owner.kind !== 'build')
        throw new Failure('FAILED_PRECONDITION', 'The job does not belong to a build, so it has no such phase.')
      const { attempt: current } = row.context
      if (current !== attempt)
        throw new Failure('FAILED_PRECONDITION', `attempt is ${attempt}, but the job is at attempt ${current}.`, {
          details: { attempt: current },
        })
      return {
        messages: [{ to: { kind: 'build', id: owner.id }, event: { type: 'progressed', phase, commit } }],
        answer: () => ({ jobId, attempt: current, status: row.columns.status }),
      }
    },
  }),
]
