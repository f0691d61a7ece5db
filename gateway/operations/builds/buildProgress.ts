import { reportBuildProgress } from '../../../spec/builds/buildProgress.ts'
import { ownAttempt } from '../agents/ownAttempt.ts'
import { handle } from '../handler.ts'

export const buildProgressHandlers = [
  handle(reportBuildProgress, ['actors', 'presence'], {
    translate: async ({ phase, commit, ...input }, context) => {
      const { ownerId: id, receipt } = await ownAttempt('build', input, context)
      return {
        messages: [{ to: { kind: 'build', id }, event: { type: 'progressed', phase, commit } }],
        answer: () => receipt,
      }
    },
  }),
]
