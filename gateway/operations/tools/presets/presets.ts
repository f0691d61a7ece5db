import { Failure } from '../../../../spec/core/failure.ts'
import { presetCatalogId } from '../../../../spec/core/ids.ts'
import { expecting } from '../../../../spec/core/revision.ts'
import {
  createMcpToolPreset,
  deleteMcpToolPreset,
  mcpToolPresets,
  updateMcpToolPreset,
} from '../../../../spec/tools/presets/presets.ts'
import type { Envelope, Reply } from '../../../messages.ts'
import { handle } from '../../handler.ts'
import type { RequestContext } from '../../requestContext.ts'
import { allPresets, findPreset, noPreset } from './catalog.ts'
import { type PresetAnswer, presetAnswers } from './presetType.ts'
import { membershipOf, requireTools } from './selections.ts'

const toCatalog = (event: Envelope['event'], presetId?: string): Envelope => ({
  to: { kind: 'mcpToolPreset', id: presetCatalogId },
  event,
  ...(presetId === undefined ? {} : { makes: { kind: 'mcpToolPreset', id: presetId } }),
})

/** The current state of the preset. */
async function answered(id: string, { views }: RequestContext<'views'>): Promise<{ preset: PresetAnswer }> {
  const found = await findPreset(views, id)
  const [preset] = found === undefined ? [] : await presetAnswers([found], views)
  if (preset === undefined) throw noPreset(id, 'presetId')
  return { preset }
}

export const presetHandlers = [
  handle(mcpToolPresets, ['views'], {
    listCounts: async ({ kind }, { views }) => {
      const presets = (await allPresets(views)).filter((preset) => !kind || preset.kind === kind)
      const tools = presets.reduce((sum, preset) => sum + preset.tools.length, 0)
      return { items: presets.length, lists: { tools: { items: tools } } }
    },
    read: async ({ kind }, { views }) => {
      const presets = await allPresets(views)
      return await presetAnswers(kind ? presets.filter((preset) => preset.kind === kind) : presets, views)
    },
  }),
  handle(createMcpToolPreset, ['views', 'tools', 'externalTools', 'ids'], {
    translate: async (input, context) => {
      const selections = membershipOf(input)
      if (selections === undefined) {
        const problem = 'must be given: the tools of the preset'
        throw new Failure('BAD_USER_INPUT', `tools ${problem}.`, { details: { field: 'tools', problem } })
      }
      await requireTools(selections, [], context, input.tools ? 'tools' : 'toolNames')
      const { name, kind } = input
      const presetId = context.ids.newId('mcpToolPreset')
      return {
        messages: [toCatalog({ type: 'add', presetId, name, kind, tools: selections }, presetId)],
        answer: ([reply]: readonly Reply[]) => answered(reply?.made?.id ?? presetId, context),
      }
    },
  }),
  handle(updateMcpToolPreset, ['views', 'tools', 'externalTools'], {
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
        ...expecting(expectedRevision),
      }
      return { messages: [toCatalog(event)], answer: () => answered(presetId, context) }
    },
  }),
  handle(deleteMcpToolPreset, [], {
    translate: ({ presetId, expectedRevision }) => ({
      messages: [toCatalog({ type: 'remove', presetId, ...expecting(expectedRevision) })],
      answer: () => ({ presetId }),
    }),
  }),
]
