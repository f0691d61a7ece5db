import type { ActorRow } from '../../../spec/core/actor.ts'
import { contextOf, initOf } from '../../../spec/core/rows.ts'
import type { Views } from '../../../storage/ports/views.ts'
import { everyMember } from '../core/members.ts'
import { requireRow } from '../core/rows.ts'
import type { Touched } from '../tools/touched.ts'

/** Those that are under way, the last one, and the first one, which it always has. */
export async function turnsTouched(kind: 'plan' | 'session', id: string, views: Views): Promise<Touched> {
  const row = await requireRow(views, kind, id)
  const { lastRun } = contextOf<{ lastRun: { id: string } | null }>(row)
  const live = await views.members(id, 'live/', everyMember)
  const { runId } = initOf<{ runId: string }>(row)
  const ids = [runId, ...live.map(({ key }) => key.slice('live/'.length)), ...(lastRun ? [lastRun.id] : [])]
  return { runIds: [...new Set(ids)] }
}

/** Newest first. */
export async function latestTurns(ownerId: string, views: Views): Promise<readonly ActorRow[]> {
  return await views.list({ kind: 'run', where: { scopeId: ownerId }, descending: true, limit: 20 })
}
