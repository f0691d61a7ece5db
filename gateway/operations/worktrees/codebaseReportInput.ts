import type * as v from 'valibot'
import type { codebaseReport, worktreeReport } from '../../../spec/worktrees/codebaseReportInput.ts'

export type CodebaseReport = v.InferOutput<typeof codebaseReport>
export type WorktreeReport = v.InferOutput<typeof worktreeReport>
