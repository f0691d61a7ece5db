/** `reportCodebases`: what an agent found on its machine. Only what is new or changed becomes a message. */
import * as v from 'valibot'
import { epoch } from '../agents/agentSession.ts'
import { mutation } from '../core/operation.ts'
import { atMost, int, named } from '../core/types.ts'
import { codebaseReport, codebasesMax, worktreesMax } from './codebaseReportInput.ts'

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
    v.object({ accepted: int, refused: atMost(codebasesMax * (worktreesMax + 1), refusedReport) }),
  ),
})

export const codebaseReportOperations = [reportCodebases]
