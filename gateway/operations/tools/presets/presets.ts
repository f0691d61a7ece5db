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
import { refuseRun } from '../refuseRun.ts'
import { findPreset, loadPresets, presetNotFound } from './catalog.ts'
import { makePresetAnswers, type PresetAnswer } from './presetType.ts'
import { readSelections, requireTools } from './selections.ts'

const catalogMessage = (event: Envelope['event'], presetId?: string): Envelope => ({
  to: { kind: 'mcpToolPreset', id: presetCatalogId },
  event,
  ...(presetId === undefined ? {} : { makes: { kind: 'mcpToolPreset', id: presetId } }),
})

/** Later runs of other callers would get the tools that a run has added. */
const notByRuns =
  'Runs cannot change presets: later runs of other callers get their tools. Create another preset, or ask a person to change this one.'

/** The current state of the preset. */
async function loadPresetAnswer(id: string, { views }: RequestContext<'views'>): Promise<{ preset: PresetAnswer }> {
  const found = await findPreset(views, id)
  const [preset] = found === undefined ? [] : await makePresetAnswers([found], views)
  if (preset === undefined) throw presetNotFound(id, 'presetId')
  return { preset }
}

export const presetHandlers = [
  handle(mcpToolPresets, ['views'], {
    listCounts: async ({ kind }, { views }) => {
      const presets = (await loadPresets(views)).filter((preset) => !kind || preset.kind === kind)
      const tools = presets.reduce((sum, preset) => sum + preset.tools.length, 0)
      return { items: presets.length, lists: { tools: { items: tools } } }
    },
    read: async ({ kind }, { views }) => {
      const presets = await loadPresets(views)
      return await makePresetAnswers(kind ? presets.filter((preset) => preset.kind === kind) : presets, views)
    },
  }),
  handle(createMcpToolPreset, ['views', 'tools', 'externalTools', 'ids'], {
    // A preset is a member of the catalog and has no actor, so a repeat is always `pending`.
    repeat: {
      message: 0,
      answer: ({ row }, context) => loadPresetAnswer(row.id, context),
      pending: (presetId, _, context) => loadPresetAnswer(presetId, context),
    },
    translate: async (input, context) => {
      const selections = readSelections(input)
      if (selections === undefined) {
        const problem = 'must be given: the tools of the preset'
        throw new Failure('BAD_USER_INPUT', `tools ${problem}.`, { details: { field: 'tools', problem } })
      }
      await requireTools(selections, [], context, input.tools ? 'tools' : 'toolNames')
      const { name, kind } = input
      const presetId = context.ids.newId('mcpToolPreset')
      return {
        messages: [catalogMessage({ type: 'add', presetId, name, kind, tools: selections }, presetId)],
        answer: ([reply]: readonly Reply[]) => loadPresetAnswer(reply?.made?.id ?? presetId, context),
      }
    },
  }),
  handle(updateMcpToolPreset, ['views', 'tools', 'externalTools'], {
    translate: async (input, context) => {
      await refuseRun(notByRuns, context)
      const { presetId, name, kind, expectedRevision } = input
      const before = await findPreset(context.views, presetId)
      if (before === undefined) throw presetNotFound(presetId, 'presetId')
      const selections = readSelections(input)
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
      return { messages: [catalogMessage(event)], answer: () => loadPresetAnswer(presetId, context) }
    },
  }),
  handle(deleteMcpToolPreset, [], {
    translate: ({ presetId, expectedRevision }) => ({
      messages: [catalogMessage({ type: 'remove', presetId, ...expecting(expectedRevision) })],
      answer: () => ({ presetId }),
    }),
  }),
]
