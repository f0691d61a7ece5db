import type * as v from 'valibot'
import type { TypedRow } from '../../../machines/rows.ts'
import { siblingId } from '../../../spec/core/ids.ts'
import type { ToolGrant, toolGrantSchema } from '../../../spec/tools/toolGrants.ts'
import type { TypedViews } from '../typedViews.ts'

/** Has the same 26 characters as its run. */
export const grantId = (runId: string): string => siblingId('toolGrant', runId)

export async function grantOf(runId: string, views: Pick<TypedViews, 'get'>): Promise<ToolGrant | undefined> {
  const row = await views.get('toolGrant', grantId(runId))
  return row?.init
}

export function shownGrant(row: TypedRow<'toolGrant'> | undefined): v.InferInput<typeof toolGrantSchema> | null {
  if (row === undefined) return null
  const { presetIds, repositoryId, tools } = row.init
  const shown = tools.map(({ selection, definition }) => ({
    source: selection.source,
    name: selection.name,
    advertisedName: definition.name,
    serverId: selection.source === 'EXTERNAL' ? selection.serverId : null,
  }))
  return { presetIds: [...presetIds], repositoryId, tools: shown }
}
