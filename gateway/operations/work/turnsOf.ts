import { turnMembers } from '../../../machines/work/turnKeys.ts'
import { atMost } from '../../../spec/core/types.ts'
import { runSchema } from '../../../spec/runs/runs.ts'
import { everyMember } from '../core/members.ts'
import { requireRow } from '../core/rows.ts'
import type { Additions } from '../objectType.ts'
import { runObject } from '../runs/runs.ts'
import type { TouchedObjects } from '../tools/touched.ts'
import type { TypedViews } from '../typedViews.ts'

/** The active runs, the last run, and the first run, which always exists. */
export async function turnsTouched(kind: 'plan' | 'session', id: string, views: TypedViews): Promise<TouchedObjects> {
  const row = await requireRow(views, kind, id)
  const { lastRun } = row.context
  const live = await views.members(id, turnMembers.live.prefix, everyMember)
  const { runId } = row.init
  const ids = [runId, ...live.map(({ key }) => turnMembers.live.toId(key)), ...(lastRun ? [lastRun.id] : [])]
  return { runIds: [...new Set(ids)] }
}

const latestMax = 20

/** The latest runs of each plan or session, as tools return them with it. */
export const latestTurns = {
  type: 'derived',
  output: atMost(latestMax, runSchema),
  nullable: false,
  description: `The latest ${latestMax} runs, newest first.`,
  load: async (parents, { views }) => {
    const ids = parents.map((parent) => String(parent.id))
    const runs = await views.listByScope('run', 'scopeId', ids, latestMax)
    return ids.map((id) => (runs.get(id) ?? []).map(runObject))
  },
} as const satisfies Additions[string]
