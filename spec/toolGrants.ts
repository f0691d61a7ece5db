/** What a run may call: the tools as they were when it was made. Nothing that happens to presets or servers later changes it. */
import * as v from 'valibot'
import type { ActorRow } from './actor.ts'
import { siblingId } from './ids.ts'
import { toolSource } from './presets/selections.ts'
import { initOf } from './rows.ts'
import type { McpEndpoint } from './tools/external.ts'
import type { ToolDefinition, ToolSelection } from './tools/tool.ts'
import { id, idOf, named } from './types.ts'
import type { Views } from './views.ts'

/** One tool as the run's client is told of it. */
export interface GrantedTool {
  readonly selection: ToolSelection
  readonly definition: ToolDefinition
  /** Of an external tool: what it was when the run was made, and where. */
  readonly external?: { readonly hash: string; readonly endpoint: McpEndpoint }
}

export interface ToolGrant {
  readonly presetIds: readonly string[]
  /** The logical repository that the run works on; null where its codebase has none. */
  readonly repositoryId: string | null
  /** In the order of their advertised names. */
  readonly tools: readonly GrantedTool[]
}

/** Has the same 26 characters as its run. */
export const grantId = (runId: string): string => siblingId('toolGrant', runId)

export async function grantOf(runId: string, views: Pick<Views, 'get'>): Promise<ToolGrant | undefined> {
  const row = await views.get(grantId(runId))
  return row === undefined ? undefined : initOf<ToolGrant>(row)
}

const grantedTool = named(
  'GrantedTool',
  'A tool that a run may call.',
  v.object({
    source: toolSource,
    name: v.pipe(v.string(), v.description('Of an external tool, what its own server calls it.')),
    advertisedName: v.pipe(v.string(), v.description('What the run calls it.')),
    serverId: v.nullable(id),
  }),
)

export const toolGrantSchema = named(
  'ToolGrant',
  'What a run may call, as it was frozen when the run was made.',
  v.object({
    presetIds: v.array(id),
    repositoryId: v.pipe(
      v.nullable(v.string()),
      v.description('The logical repository that it works on, whose preparations it may see and save.'),
    ),
    tools: v.array(grantedTool),
  }),
)

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

/** Of those who ask for a run. */
export const mcpPresetIds = v.pipe(
  v.nullish(v.pipe(v.array(idOf('mcpToolPreset')), v.maxLength(20))),
  v.description(
    'The presets whose tools the run is given, frozen as they are now: see get_mcp_tool_presets. Without any it has none.',
  ),
)
