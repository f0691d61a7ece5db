/** The run for which a request is made, and the run whose authority restricts it. */
import { kindOfId } from '../../../spec/core/ids.ts'
import type { Principal } from '../../../spec/core/principal.ts'
import type { TypedViews } from '../typedViews.ts'

/** The run that sends the request: with its own token, or as an actor. */
export function requestingRun(principal: Principal): string | undefined {
  if (principal.kind === 'run') return principal.runId
  return principal.kind === 'actor' && kindOfId(principal.id) === 'run' ? principal.id : undefined
}

/**
 * The run whose tools and whose own runs bound the request. For a workflow run that requests something by itself, it is the nearest run above
 * it that is not a workflow run, or else the run that has made the schedule of the topmost. Otherwise an AI run could start or schedule a
 * workflow that does what the AI run itself may not do. Undefined if the authority is that of a user.
 */
export async function restrictingRun(
  principal: Principal,
  views: Pick<TypedViews, 'get' | 'getMany'>,
): Promise<string | undefined> {
  if (principal.kind === 'run') return principal.runId
  if (principal.kind === 'actor' && principal.restrictedBy !== undefined) return principal.restrictedBy
  const runId = requestingRun(principal)
  const row = runId === undefined ? undefined : await views.get('run', runId)
  if (row === undefined) return undefined
  const ids = [...row.init.above, row.id]
  const rows = await views.getMany('run', ids)
  return ids.findLast((id) => rows.get(id)?.init.kind !== 'WORKFLOW') ?? rows.get(ids[0] ?? '')?.init.restrictedBy
}
