/** `reportCodebases`: what an agent found on its machine. Only what is new or changed becomes a message. */
import * as v from 'valibot'
import { epoch, requireEpoch } from './agentSession.ts'
import { compareReports } from './codebaseComparison.ts'
import { codebaseReport, codebasesMax } from './codebaseReportInput.ts'
import { Failure } from './failure.ts'
import { mutation } from './operation.ts'
import { int, named } from './types.ts'

const refusedReport = named(
  'RefusedReport',
  'A codebase or worktree of a report whose change was refused. The rest of the report took effect.',
  v.object({ path: v.string(), code: v.string(), message: v.string() }),
)

const reportCodebases = mutation({
  name: 'reportCodebases',
  description: 'The git repositories found on the machine, with their worktrees.',
  access: 'agents',
  exemptFromCost: true,
  input: v.object({ epoch, codebases: v.pipe(v.array(codebaseReport), v.maxLength(codebasesMax)) }),
  output: named(
    'ReportCodebasesPayload',
    'How many codebases and worktrees were new or had changed, and which of these changes were refused.',
    v.object({ accepted: int, refused: v.array(refusedReport) }),
  ),
  translate: async ({ epoch: own, codebases }, context) => {
    const agentId = await requireEpoch(own, context)
    const { messages, phases, paths } = await compareReports(codebases, agentId, context)
    return {
      messages,
      phases,
      answer: (_, refusals) => ({
        accepted: messages.length - refusals.size,
        refused: [...refusals].map(([index, error]) => {
          // Whatever may succeed at the next attempt is an error of the whole report, which the agent repeats.
          if (!(error instanceof Failure) || error.retryable) throw error
          return { path: paths[index] ?? '', code: error.code, message: error.message }
        }),
      }),
    }
  },
})

export const codebaseReportOperations = [reportCodebases]
