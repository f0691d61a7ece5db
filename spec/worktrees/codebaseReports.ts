/** `reportCodebases`: the git repositories that an agent found on its machine. Only new and changed ones become messages. */
import * as v from 'valibot'
import { epoch } from '../agents/agentSession.ts'
import { mutation } from '../core/operation.ts'
import { atMost, int, named } from '../core/types.ts'
import { codebaseReport, codebasesMax } from './codebaseReportInput.ts'

/** The maximum number of refused changes in an answer. */
export const refusedMax = 200

const refusedReport = named(
  'RefusedReport',
  'A codebase or worktree of a report whose change was refused. The rest of the report took effect.',
  v.object({ path: v.string(), code: v.string(), message: v.string() }),
)

export const reportCodebases = mutation({
  name: 'reportCodebases',
  description: 'Reports the git repositories on the agent’s machine, with their worktrees.',
  access: 'agents',
  exemptFromCost: true,
  input: v.object({ epoch, codebases: v.pipe(v.array(codebaseReport), v.maxLength(codebasesMax)) }),
  output: named(
    'ReportCodebasesPayload',
    'The number of codebases and worktrees that were new or had changed, and the changes that were refused.',
    v.object({
      accepted: int,
      refused: v.pipe(
        atMost(refusedMax, refusedReport),
        v.description(`The first ${refusedMax} refused changes. \`refusedCount\` is the number of all.`),
      ),
      refusedCount: int,
    }),
  ),
})
