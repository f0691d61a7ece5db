/** The report of an agent on a build that it executes. */
import * as v from 'valibot'
import { jobAttempt, jobReceipt } from '../agents/jobs.ts'
import { mutation } from '../core/operation.ts'
import { named } from '../core/types.ts'

export const reportBuildProgress = mutation({
  name: 'reportBuildProgress',
  description:
    'Reports that the commit of a build is checked out, or that its steps have ended and its files are read.',
  access: 'agents',
  input: v.object({
    ...jobAttempt,
    phase: named('BuildProgress', 'The new phase of a build.', v.picklist(['BUILDING', 'COLLECTING'])),
    commit: v.pipe(
      v.string(),
      v.regex(/^[0-9a-f]{40}([0-9a-f]{24})?$/, 'must be the full hash of a commit'),
      v.description('The full hash of the commit that is built.'),
    ),
  }),
  output: jobReceipt,
})
