/** Operations that list, create, change and delete presets. */
import * as v from 'valibot'
import { idempotencyKey } from '../../core/idempotencyKey.ts'
import { mutation, query } from '../../core/operation.ts'
import { expectedRevision } from '../../core/revision.ts'
import { id, idOf, named } from '../../core/types.ts'
import { presetName } from './preset.ts'
import { presetKind, presetSchema } from './presetType.ts'
import { toolNames, tools } from './selections.ts'

export const mcpToolPresets = query({
  name: 'mcpToolPresets',
  description: 'Returns the tool presets, ordered by kind and name.',
  access: 'people',
  tool: {
    group: 'tools',
    name: 'get_mcp_tool_presets',
    title: 'List tool presets',
    description:
      'Lists the tool presets, ordered by kind and name, each with its tools: PLAN presets for plan runs, SESSION presets for ' +
      'session runs. The ID of a preset is the value of ?preset= of the MCP endpoint, and of mcpPresetIds of create_agent_run, ' +
      'create_run_follow_up and play_plan.',
  },
  input: v.object({
    kind: v.pipe(v.nullish(presetKind), v.description('Returns only the presets of this kind. Default: all.')),
  }),
  output: v.array(presetSchema),
  cost: 10,
})

const payload = (typeName: string, description: string) =>
  named(typeName, description, v.object({ preset: presetSchema }))

export const createMcpToolPreset = mutation({
  name: 'createMcpToolPreset',
  description: 'Creates a tool preset.',
  access: 'people',
  tool: {
    openWorld: true,
    group: 'tools',
    title: 'Create a tool preset',
    description:
      'Creates a preset: a named selection of tools for plan runs (PLAN) or session runs (SESSION). Pass all tools of the ' +
      'preset in tools. get_mcp_tool_presets shows existing presets. It returns the preset with its ID.',
  },
  input: named(
    'McpToolPresetInput',
    'The fields of a new preset.',
    v.object({ name: presetName, kind: presetKind, tools, toolNames, idempotencyKey }),
  ),
  output: payload('CreateMcpToolPresetPayload', 'The created preset.'),
})

export const presetId = v.pipe(
  idOf('mcpToolPreset'),
  v.description('The ID of the preset, as get_mcp_tool_presets returns it.'),
)

export const updateMcpToolPreset = mutation({
  name: 'updateMcpToolPreset',
  description:
    'Changes a preset. Omitted fields do not change. Existing runs keep the tools that they were created with.',
  access: 'people',
  tool: {
    openWorld: true,
    group: 'tools',
    title: 'Change a tool preset',
    description:
      'Changes the name, the kind or the tools of a preset. Omitted fields do not change. tools replaces all tools of the ' +
      'preset. Existing runs keep the tools that they were created with. Pass the revision from get_mcp_tool_presets as ' +
      'expectedRevision, so that no other change is lost. Runs cannot change presets.',
    idempotent: true,
  },
  input: v.object({
    presetId,
    name: v.nullish(presetName),
    kind: v.nullish(presetKind),
    tools,
    toolNames,
    expectedRevision,
    idempotencyKey,
  }),
  output: payload('UpdateMcpToolPresetPayload', 'The preset after the change.'),
})

export const deleteMcpToolPreset = mutation({
  name: 'deleteMcpToolPreset',
  description: 'Deletes a preset. Existing runs keep the tools that they were created with.',
  access: 'people',
  tool: {
    group: 'tools',
    title: 'Delete a tool preset',
    description:
      'Deletes a preset. MCP clients that are connected with ?preset= get no tools any more. Existing runs keep the tools that they were created with. export_mcp_tool_presets saves a copy.',
    destroys: true,
  },
  input: v.object({ presetId, expectedRevision, idempotencyKey }),
  output: named('DeleteMcpToolPresetPayload', 'The deleted preset.', v.object({ presetId: id })),
})
