import type { TypedRow } from '../../../machines/rows.ts'
import { everyMember } from '../core/members.ts'
import { requireRow } from '../core/rows.ts'
import type { Touched } from '../tools/touched.ts'
import type { TypedViews } from '../typedViews.ts'

/** Those that are under way, the last one, and the first one, which it always has. */
export async function turnsTouched(kind: 'plan' | 'session', id: string, views: TypedViews): Promise<Touched> {
  const row = await requireRow(views, kind, id)
  const { lastRun } = row.context
  const live = await views.members(id, 'live/', everyMember)
  const { runId } = row.init
  const ids = [runId, ...live.map(({ key }) => key.slice('live/'.length)), ...(lastRun ? [lastRun.id] : [])]
  return { runIds: [...new Set(ids)] }
}

/** Newest first. */
export async function latestTurns(ownerId: string, views: TypedViews): Promise<readonly TypedRow<'run'>[]> {
  return await views.list({ kind: 'run', where: { scopeId: ownerId }, descending: true, limit: 20 })
}
