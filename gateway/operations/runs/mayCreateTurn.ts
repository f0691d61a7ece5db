import { turnMembers } from '../../../machines/work/turnKeys.ts'
import type { TypedViews } from '../typedViews.ts'

/**
 * Whether the request creates the run of a session's turn. It does not if the session queued the turn, or has started it from its queue.
 *
 * A queued turn moves on while this reads: first to the active turns, then its run is created and ends. So the places are read in that
 * order, one after the other. At least one of them has it.
 */
export async function mayCreateTurn(sessionId: string, runId: string, views: TypedViews): Promise<boolean> {
  const read = async (keys: { toKey(id: string): string }) => (await views.members(sessionId, keys.toKey(runId), 1))[0]
  const { queued, withdrawn, live } = turnMembers
  if ((await read(queued)) !== undefined || (await read(withdrawn)) !== undefined) return false
  const turn = await read(live)
  if (turn !== undefined) return Object(turn.value).asked !== undefined
  return (await views.get('run', runId)) === undefined
}
