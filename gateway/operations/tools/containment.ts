/** Restricts the calls of a run to the runs that it has started and to its repository. */
import { isRowOfKind } from '../../../machines/rows.ts'
import { Failure } from '../../../spec/core/failure.ts'
import { kindOfId } from '../../../spec/core/ids.ts'
import type { Query } from '../handler.ts'
import type { RequestContext } from '../requestContext.ts'
import { restrictingRun } from './requestingRun.ts'
import { loadGrant } from './toolGrants.ts'

/** @throws Failure FORBIDDEN */
export async function refuseForeignObjects(
  { touches }: Pick<Query, 'touches'>,
  input: unknown,
  context: RequestContext,
): Promise<void> {
  const { principal, views } = context
  if (touches === undefined) return
  const callerId = await restrictingRun(principal, views)
  if (callerId === undefined) return
  const { runIds = [], repositoryId, requesters = [] } = await touches(input as never, context)
  for (const by of requesters) await refuseForeignRequest(by, callerId, context)
  const rows = await views.findMany(runIds)
  for (const runId of runIds) {
    const row = rows.get(runId)
    // The operation itself refuses a run that does not exist.
    if (row !== undefined && !(isRowOfKind('run', row) && row.init.above.includes(callerId)))
      throw foreignObject(`Runs can act only on runs that they have started. ${runId} is not one of them.`, { runId })
  }
  if (repositoryId === undefined) return
  const own = (await loadGrant(callerId, views))?.repositoryId ?? null
  if (repositoryId !== own) {
    const of = own === null ? 'and it has none' : `which is ${own}`
    throw foreignObject(`Runs can act only on their own repository, ${of}.`, { repositoryId })
  }
}

async function refuseForeignRequest(by: string, callerId: string, { views }: RequestContext): Promise<void> {
  if (by === callerId) return
  const row = kindOfId(by) === 'run' ? await views.get('run', by) : undefined
  if (row?.init.above.includes(callerId)) return
  throw foreignObject('Runs can act only on builds that they, or runs that they have started, have requested.', {
    requestedById: by,
  })
}

function foreignObject(message: string, details: Record<string, unknown>): Failure {
  return new Failure('FORBIDDEN', message, { details })
}
