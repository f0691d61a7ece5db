import { presetMembers } from '../../../../machines/tools/presetKeys.ts'
import { Failure } from '../../../../spec/core/failure.ts'
import { presetCatalogId } from '../../../../spec/core/ids.ts'
import { type KeptPreset, mostPresets } from '../../../../spec/tools/presets/preset.ts'
import type { TypedViews } from '../../typedViews.ts'
import { type Preset, sortPresets } from './preset.ts'

type Reader = Pick<TypedViews, 'members'>

const readPreset = ({ key, value }: { readonly key: string; readonly value: unknown }): Preset => ({
  id: presetMembers.preset.toId(key),
  ...(value as KeptPreset),
})

/** All presets, sorted by kind and name. */
export async function loadPresets(views: Reader): Promise<readonly Preset[]> {
  return sortPresets((await views.members(presetCatalogId, presetMembers.preset.prefix, mostPresets)).map(readPreset))
}

export async function findPreset(views: Reader, id: string): Promise<Preset | undefined> {
  const [member] = await views.members(presetCatalogId, presetMembers.preset.toKey(id), 1)
  return member && readPreset(member)
}

/** Reads the presets in the order of the IDs, all from one snapshot. @throws Failure NOT_FOUND with the first missing ID */
export async function requirePresets(views: Reader, ids: readonly string[], field: string): Promise<readonly Preset[]> {
  const [first] = ids
  const all = ids.length > 1 ? await loadPresets(views) : first === undefined ? [] : [await findPreset(views, first)]
  const byId = new Map(all.flatMap((preset) => (preset === undefined ? [] : [[preset.id, preset] as const])))
  return ids.map((id, index) => {
    const preset = byId.get(id)
    if (preset === undefined) throw presetNotFound(id, ids.length > 1 ? `${field}[${index}]` : field)
    return preset
  })
}

export function presetNotFound(id: string, field: string): Failure {
  return new Failure('NOT_FOUND', `There is no preset ${id}. mcpToolPresets lists the existing presets.`, {
    details: { field, id },
  })
}
