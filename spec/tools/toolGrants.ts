/** The tools that a run can call, as they were when it was created. Later changes of presets or servers do not change them. */
import * as v from 'valibot'
import { id, idOf, named } from '../core/types.ts'
import type { McpEndpoint } from './external.ts'
import { toolSource } from './presets/selections.ts'
import type { ToolDefinition, ToolSelection } from './tool.ts'

/** One tool in the form in which the run's client receives it. */
export interface GrantedTool {
  readonly selection: ToolSelection
  readonly definition: ToolDefinition
  /** For an external tool: its hash and its endpoint at the time when the run was created. */
  readonly external?: { readonly hash: string; readonly endpoint: McpEndpoint }
}

export interface ToolGrant {
  readonly presetIds: readonly string[]
  /** The logical repository that the run works on; null if its codebase has none. */
  readonly repositoryId: string | null
  /** Sorted by advertised name. */
  readonly tools: readonly GrantedTool[]
}

export const grantedTool = named(
  'GrantedTool',
  'A tool that a run can call.',
  v.object({
    source: toolSource,
    name: v.pipe(
      v.string(),
      v.description('The name that the server gives an external tool. Null for a built-in tool.'),
    ),
    advertisedName: v.pipe(v.string(), v.description('The name with which the run calls the tool.')),
    serverId: v.nullable(id),
  }),
)

export const toolGrantSchema = named(
  'ToolGrant',
  'The tools that a run can call, frozen when the run was created.',
  v.object({
    runId: id,
    presetIds: v.array(id),
    repositoryId: v.pipe(
      v.nullable(id),
      v.description(
        'The ID of the logical repository of the run. The run can read and save only its preparations. Null if there is none.',
      ),
    ),
  }),
)

/** The presets in the input of a run. */
export const mcpPresetIds = v.pipe(
  v.nullish(v.pipe(v.array(idOf('mcpToolPreset')), v.maxLength(20))),
  v.description(
    'The IDs of presets, as get_mcp_tool_presets returns them. The run gets their tools as they are now. Without presets it gets no tools.',
  ),
)
