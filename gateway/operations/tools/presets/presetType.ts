import type * as v from 'valibot'
import { toDateTime } from '../../../../spec/core/types.ts'
import type { presetSchema } from '../../../../spec/tools/presets/presetType.ts'
import type { TypedViews } from '../../typedViews.ts'
import type { Preset } from './preset.ts'
import { loadServerNames } from './servers.ts'

export type PresetAnswer = v.InferInput<typeof presetSchema>

const serverIdsOf = ({ tools }: Preset): string[] =>
  tools.flatMap((tool) => (tool.source === 'EXTERNAL' ? [tool.serverId] : []))

export async function makePresetAnswers(
  presets: readonly Preset[],
  views: Pick<TypedViews, 'getMany'>,
): Promise<PresetAnswer[]> {
  const names = await loadServerNames(views, presets.flatMap(serverIdsOf))
  return presets.map(({ id, name, kind, tools, revision, createdAt, changedAt }) => ({
    id,
    name,
    kind,
    tools: tools.map((tool) =>
      tool.source === 'BUILTIN'
        ? { source: tool.source, name: tool.name, serverId: null, serverName: null }
        : { ...tool, serverName: names.get(tool.serverId) ?? null },
    ),
    toolNames: tools.flatMap((tool) => (tool.source === 'BUILTIN' ? [tool.name] : [])),
    revision,
    createdAt: toDateTime(createdAt),
    updatedAt: toDateTime(changedAt),
  }))
}
