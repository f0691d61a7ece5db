import { Failure } from '../../../spec/core/failure.ts'
import type { RequestContext } from '../requestContext.ts'
import { restrictingRun } from './requestingRun.ts'

/** @throws Failure FORBIDDEN with the message, if the authority of a run restricts the request */
export async function refuseRun(message: string, { principal, views }: RequestContext<'views'>): Promise<void> {
  if ((await restrictingRun(principal, views)) !== undefined) throw new Failure('FORBIDDEN', message)
}
