import { reportDeploymentProgress } from '../../../../spec/builds/deployments/deploymentProgress.ts'
import { Failure } from '../../../../spec/core/failure.ts'
import { siblingId } from '../../../../spec/core/ids.ts'
import { ownJob } from '../../agents/jobs.ts'
import { handle } from '../../handler.ts'

export const deploymentProgressHandlers = [
  handle(reportDeploymentProgress, ['actors', 'presence'], {
    translate: async ({ epoch, jobId, attempt, phase, receivedBytes }, context) => {
      const row = await ownJob({ jobId, epoch }, context)
      const { owner } = row.init
      if (owner.kind !== 'deployment')
        throw new Failure('FAILED_PRECONDITION', 'The job does not belong to a deployment, so it has no such phase.')
      const { attempt: current } = row.context
      if (current !== attempt)
        throw new Failure('FAILED_PRECONDITION', `attempt is ${attempt}, but the job is at attempt ${current}.`, {
          details: { attempt: current },
        })
      const hasBytes = phase === 'TRANSFERRING' && receivedBytes !== null && receivedBytes !== undefined
      const received = { type: 'received', bytes: receivedBytes ?? 0 }
      const transfer = { kind: 'artifactTransfer', id: siblingId('artifactTransfer', owner.id) } as const
      return {
        messages: [
          hasBytes
            ? { to: transfer, event: received }
            : { to: { kind: 'deployment', id: owner.id }, event: { type: 'progressed', phase } },
        ],
        answer: () => ({ jobId, attempt: current, status: row.columns.status }),
      }
    },
  }),
]
