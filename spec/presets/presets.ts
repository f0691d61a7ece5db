/** Presets: which there are, and how they are made, changed and deleted. */
import * as v from 'valibot'
import { idempotencyKey } from '../enrollments.ts'
import { Failure } from '../failure.ts'
import { presetCatalogueId } from '../ids.ts'
import { type Envelope, type MessageContext, mutation, query, type Reply } from '../operation.ts'
import { id, idOf, int, named } from '../types.ts'
import { allPresets, findPreset, noPreset } from './catalogue.ts'
import { presetName } from './preset.ts'
import { type PresetAnswer, presetAnswers, presetKind, presetSchema } from './presetType.ts'
import { membershipOf, requireTools, toolNames, tools } from './selections.ts'

const mcpToolPresets = query({
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
  rows: async ({ kind }, { views }) =>
    (await allPresets(views)).filter((preset) => !kind || preset.kind === kind).length,
  read: async ({ kind }, { views }) => {
    const presets = await allPresets(views)
    return await presetAnswers(kind ? presets.filter((preset) => preset.kind === kind) : presets, views)
  },
})

const payload = (typeName: string, description: string) =>
  named(typeName, description, v.object({ preset: presetSchema }))

const toCatalogue = (event: Envelope['event'], presetId?: string): Envelope => ({
  to: { kind: 'mcpToolPreset', id: presetCatalogueId },
  event,
  ...(presetId === undefined ? {} : { makes: { kind: 'mcpToolPreset', id: presetId } }),
})

/** As it is by now. */
async function answered(id: string, { views }: MessageContext): Promise<{ preset: PresetAnswer }> {
  const found = await findPreset(views, id)
  const [preset] = found === undefined ? [] : await presetAnswers([found], views)
  if (preset === undefined) throw noPreset(id, 'presetId')
  return { preset }
}

const createMcpToolPreset = mutation({
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
  translate: async (input, context) => {
    const selections = membershipOf(input)
    if (selections === undefined) {
      const problem = 'must be given: the tools that the preset holds'
      throw new Failure('BAD_USER_INPUT', `tools ${problem}.`, { details: { field: 'tools', problem } })
    }
    await requireTools(selections, [], context, input.tools ? 'tools' : 'toolNames')
    const { name, kind } = input
    const presetId = context.newId('mcpToolPreset')
    return {
      messages: [toCatalogue({ type: 'add', presetId, name, kind, tools: selections }, presetId)],
      answer: ([reply]: readonly Reply[]) => answered(reply?.made?.id ?? presetId, context),
    }
  },
})

const presetId = v.pipe(idOf('mcpToolPreset'), v.description('The preset’s ID, as get_mcp_tool_presets gives it.'))

const expectedRevision = v.pipe(
  v.nullish(v.pipe(int, v.minValue(1))),
  v.description('The revision that you have seen: where the preset has another by now, nothing is done (CONFLICT).'),
)

const updateMcpToolPreset = mutation({
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
  translate: async (input, context) => {
    const { presetId, name, kind, expectedRevision } = input
    const before = await findPreset(context.views, presetId)
    if (before === undefined) throw noPreset(presetId, 'presetId')
    const selections = membershipOf(input)
    if (selections !== undefined)
      await requireTools(selections, before.tools, context, input.tools ? 'tools' : 'toolNames')
    const event = {
      type: 'update',
      presetId,
      ...(name ? { name } : {}),
      ...(kind ? { kind } : {}),
      ...(selections === undefined ? {} : { tools: selections }),
      ...(input.toolNames ? { legacy: true } : {}),
      ...(expectedRevision ? { expectedRevision } : {}),
    }
    return { messages: [toCatalogue(event)], answer: () => answered(presetId, context) }
  },
})

const deleteMcpToolPreset = mutation({
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
  translate: ({ presetId, expectedRevision }) => ({
    messages: [toCatalogue({ type: 'remove', presetId, ...(expectedRevision ? { expectedRevision } : {}) })],
    answer: () => ({ presetId }),
  }),
})

export const presetOperations = [mcpToolPresets, createMcpToolPreset, updateMcpToolPreset, deleteMcpToolPreset]
