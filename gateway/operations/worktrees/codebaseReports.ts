import { Failure } from '../../../spec/core/failure.ts'
import { refusedMax, reportCodebases } from '../../../spec/worktrees/codebaseReports.ts'
import { requireEpoch } from '../agents/agentSession.ts'
import { handle } from '../handler.ts'
import { compareReports } from './codebaseComparison.ts'

export const codebaseReportHandlers = [
  handle(reportCodebases, ['views', 'actors', 'presence', 'ids'], {
    translate: async ({ epoch: own, codebases }, context) => {
      const agentId = await requireEpoch(own, context)
      const { messages, phases, paths } = await compareReports(codebases, agentId, context)
      return {
        messages,
        phases,
        answer: (_, refusals) => {
          const refused = [...refusals].flatMap(([index, error]) => {
            // An error that a retry may resolve is an error of the whole report, which the agent repeats.
            if (!(error instanceof Failure) || error.retryable) throw error
            const path = paths[index]
            return path === undefined ? [] : [{ path, code: error.code, message: error.message }]
          })
          // Repositories that the report creates have no path. They are not counted.
          const changes = paths.filter((path) => path !== undefined).length
          return {
            accepted: changes - refused.length,
            refused: refused.slice(0, refusedMax),
            refusedCount: refused.length,
          }
        },
      }
    },
  }),
]
