import type * as v from 'valibot'
import type { ActorRow } from '../../../spec/core/actor.ts'
import { siblingId } from '../../../spec/core/ids.ts'
import { initOf } from '../../../spec/core/rows.ts'
import type { ToolGrant, toolGrantSchema } from '../../../spec/tools/toolGrants.ts'
import type { Views } from '../../../storage/ports/views.ts'

/** Has the same 26 characters as its run. */
export const grantId = (runId: string): string => siblingId('toolGrant', runId)

export async function grantOf(runId: string, views: Pick<Views, 'get'>): Promise<ToolGrant | undefined> {
  const row = await views.get(grantId(runId))
  return row === undefined ? undefined : initOf<ToolGrant>(row)
}

export function shownGrant(row: ActorRow | undefined): v.InferInput<typeof toolGrantSchema> | null {
  if (row === undefined) return null
  const { presetIds, repositoryId, tools } = initOf<ToolGrant>(row)
  const shown = tools.map(({ selection, definition }) => ({
    source: selection.source,
    name: selection.name,
    advertisedName: definition.name,
    serverId: selection.source === 'EXTERNAL' ? selection.serverId : null,
  }))
  return { presetIds: [...presetIds], repositoryId, tools: shown }
}
