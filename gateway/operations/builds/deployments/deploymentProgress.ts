import { reportDeploymentProgress } from '../../../../spec/builds/deployments/deploymentProgress.ts'
import { siblingId } from '../../../../spec/core/ids.ts'
import { ownAttempt } from '../../agents/ownAttempt.ts'
import { handle } from '../../handler.ts'

export const deploymentProgressHandlers = [
  handle(reportDeploymentProgress, ['actors', 'presence'], {
    translate: async ({ phase, receivedBytes: bytes, ...input }, context) => {
      const { ownerId: id, receipt } = await ownAttempt('deployment', input, context)
      const transfer = { kind: 'artifactTransfer', id: siblingId('artifactTransfer', id) } as const
      return {
        messages: [
          phase === 'TRANSFERRING' && typeof bytes === 'number'
            ? { to: transfer, event: { type: 'received', bytes } }
            : { to: { kind: 'deployment', id }, event: { type: 'progressed', phase } },
        ],
        answer: () => receipt,
      }
    },
  }),
]
