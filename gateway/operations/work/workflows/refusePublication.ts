import { Failure } from '../../../../spec/core/failure.ts'
import { principalName } from '../../../../spec/core/principal.ts'
import type { RequestContext } from '../../requestContext.ts'
import { restrictingRun } from '../../tools/requestingRun.ts'

/**
 * Schedules and other workflows start the published version with the authority of the person who has made them. So a run may publish only a
 * version that no other caller could use before. @throws Failure FORBIDDEN
 */
export async function refusePublicationOfRun(
  workflowId: string,
  { principal, views }: RequestContext<'views'>,
): Promise<void> {
  if ((await restrictingRun(principal, views)) === undefined) return
  const row = await views.get('workflow', workflowId)
  // The actor refuses a workflow that does not exist.
  if (row === undefined) return
  if (row.context.version === 0 && row.init.createdBy === principalName(principal)) return
  throw new Failure(
    'FORBIDDEN',
    'Runs can publish only the first version of a workflow that they have created: its schedules would start any other version with the ' +
      'authority of a person. Save the draft, and ask a person to publish it.',
    { details: { workflowId } },
  )
}
