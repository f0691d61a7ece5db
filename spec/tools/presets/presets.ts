/** Operations that list, create, change and delete presets. */
import * as v from 'valibot'
import { idempotencyKey } from '../../agents/enrollments.ts'
import { mutation, query } from '../../core/operation.ts'
import { expectedRevision } from '../../core/revision.ts'
import { id, idOf, named } from '../../core/types.ts'
import { presetName } from './preset.ts'
import { presetKind, presetSchema } from './presetType.ts'
import { toolNames, tools } from './selections.ts'

export const mcpToolPresets = query({
  name: 'mcpToolPresets',
  description: 'The presets, by kind and name.',
  access: 'people',
  tool: {
    group: 'tools',
    name: 'get_mcp_tool_presets',
    title: 'List tool presets',
    description:
      'The presets that there are, by kind and name, each with its tools. A preset’s id is what ?preset= of the MCP endpoint takes, and what mcpPresetIds of create_agent_run, create_run_follow_up and play_plan take: PLAN presets for planning, SESSION presets for carrying out.',
  },
  input: v.object({
    kind: v.pipe(v.nullish(presetKind), v.description('Only those of one kind; without it, all.')),
  }),
  output: v.array(presetSchema),
  cost: 10,
})

const payload = (typeName: string, description: string) =>
  named(typeName, description, v.object({ preset: presetSchema }))

export const createMcpToolPreset = mutation({
  name: 'createMcpToolPreset',
  description: 'Makes a preset.',
  access: 'people',
  tool: {
    openWorld: true,
    group: 'tools',
    title: 'Create a tool preset',
    description:
      'Makes a preset: a named choice of tools for planning (PLAN) or for carrying out (SESSION). Give the complete membership in tools; get_mcp_tool_presets shows how others are made up. Answers with the preset and its id.',
  },
  input: named(
    'McpToolPresetInput',
    'A preset as it is to be.',
    v.object({ name: presetName, kind: presetKind, tools, toolNames, idempotencyKey }),
  ),
  output: payload('CreateMcpToolPresetPayload', 'The preset that was made.'),
})

export const presetId = v.pipe(
  idOf('mcpToolPreset'),
  v.description('The preset’s ID, as get_mcp_tool_presets gives it.'),
)

export const updateMcpToolPreset = mutation({
  name: 'updateMcpToolPreset',
  description: 'Changes a preset. What is left out stays; runs that there are keep the tools that they were made with.',
  access: 'people',
  tool: {
    openWorld: true,
    group: 'tools',
    title: 'Change a tool preset',
    description:
      'Changes the name, the kind or the tools of a preset; what is left out stays. tools is the complete membership, not what is added. Runs that there are keep the tools that they were made with. Give the revision from get_mcp_tool_presets as expectedRevision, so that nobody else’s change is lost.',
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
  description: 'Deletes a preset. Runs that there are keep the tools that they were made with.',
  access: 'people',
  tool: {
    group: 'tools',
    title: 'Delete a tool preset',
    description:
      'Deletes a preset: MCP clients that are connected with ?preset= get no tools any more. Runs that there are keep the tools that they were made with. export_mcp_tool_presets keeps a copy.',
    destroys: true,
  },
  input: v.object({ presetId, expectedRevision, idempotencyKey }),
  output: named('DeleteMcpToolPresetPayload', 'Which preset is gone.', v.object({ presetId: id })),
})
