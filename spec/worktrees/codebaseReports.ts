/** `reportCodebases`: what an agent found on its machine. Only what is new or changed becomes a message. */
import * as v from 'valibot'
import { epoch } from '../agents/agentSession.ts'
import { mutation } from '../core/operation.ts'
import { atMost, int, named } from '../core/types.ts'
import { codebaseReport, codebasesMax } from './codebaseReportInput.ts'

/** Refused changes in an answer. */
export const refusedMax = 200

const refusedReport = named(
  'RefusedReport',
  'A codebase or worktree of a report whose change was refused. The rest of the report took effect.',
  v.object({ path: v.string(), code: v.string(), message: v.string() }),
)

export const reportCodebases = mutation({
  name: 'reportCodebases',
  description: 'The git repositories found on the machine, with their worktrees.',
  access: 'agents',
  exemptFromCost: true,
  input: v.object({ epoch, codebases: v.pipe(v.array(codebaseReport), v.maxLength(codebasesMax)) }),
  output: named(
    'ReportCodebasesPayload',
    'How many codebases and worktrees were new or had changed, and which of these changes were refused.',
    v.object({
      accepted: int,
      refused: v.pipe(
        atMost(refusedMax, refusedReport),
        v.description(`The first ${refusedMax} of them. \`refusedCount\` is the number of all.`),
      ),
      refusedCount: int,
    }),
  ),
})
