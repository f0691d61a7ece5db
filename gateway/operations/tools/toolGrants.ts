import type * as v from 'valibot'
import type { TypedRow } from '../../../machines/rows.ts'
import { siblingId } from '../../../spec/core/ids.ts'
import { grantedTool, type ToolGrant, toolGrantSchema } from '../../../spec/tools/toolGrants.ts'
import { computedConnection, positionOfText } from '../core/computedConnection.ts'
import type { PartType } from '../objectType.ts'
import type { TypedViews } from '../typedViews.ts'

/** The ID of a run's grant has the same 26 characters as that of the run. */
export const grantId = (runId: string): string => siblingId('toolGrant', runId)

export async function loadGrant(runId: string, views: Pick<TypedViews, 'get'>): Promise<ToolGrant | undefined> {
  const row = await views.get('toolGrant', grantId(runId))
  return row?.init
}

export function toGrantObject(row: TypedRow<'toolGrant'> | undefined): v.InferInput<typeof toolGrantSchema> | null {
  if (row === undefined) return null
  const { presetIds, repositoryId } = row.init
  return { runId: siblingId('run', row.id), presetIds: [...presetIds], repositoryId }
}

export const toolGrantType: PartType = {
  name: 'ToolGrant',
  schema: toolGrantSchema,
  relations: {
    tools: computedConnection('GrantedTool', grantedTool, {
      description: 'The tools that the run can call, by the names with which it calls them.',
      positionOf: ({ advertisedName }) => positionOfText(advertisedName),
      load: async (parents, { views }) => {
        const ids = parents.map(({ runId }) => grantId(String(runId)))
        const grants = await views.getMany('toolGrant', ids)
        return ids.map((id) => toGrantedTools(grants.get(id)))
      },
    }),
  },
}

function toGrantedTools(grant: TypedRow<'toolGrant'> | undefined): v.InferInput<typeof grantedTool>[] {
  return (grant?.init.tools ?? []).map(({ selection, definition }) => ({
    source: selection.source,
    name: selection.name,
    advertisedName: definition.name,
    serverId: selection.source === 'EXTERNAL' ? selection.serverId : null,
  }))
}
