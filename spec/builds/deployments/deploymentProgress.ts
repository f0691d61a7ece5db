/** The report of an agent on a deployment that it executes. */
import * as v from 'valibot'
import { jobAttempt, jobReceipt } from '../../agents/jobs.ts'
import { mutation } from '../../core/operation.ts'
import { named } from '../../core/types.ts'

export const reportDeploymentProgress = mutation({
  name: 'reportDeploymentProgress',
  description: 'Reports how far a deployment is.',
  access: 'agents',
  input: v.object({
    ...jobAttempt,
    phase: named(
      'DeploymentProgress',
      'The phase of a deployment.',
      v.picklist(['TRANSFERRING', 'INSTALLING', 'RUNNING']),
    ),
    receivedBytes: v.pipe(
      v.nullish(v.pipe(v.number(), v.safeInteger(), v.minValue(0), v.metadata({ scalar: 'Float' } as const))),
      v.description('The number of bytes of the artifact that are stored on the machine. Only with TRANSFERRING.'),
    ),
  }),
  output: jobReceipt,
})
