import { type KeptPreset, presetNameKey } from '../../../../spec/tools/presets/preset.ts'
import type { PresetKind } from '../../../../spec/tools/presets/presetKinds.ts'
import type { ToolSelection } from '../../../../spec/tools/tool.ts'

export type Preset = KeptPreset & { readonly id: string }

/** Two selections with the same key are the same tool. */
export function selectionKey(selection: ToolSelection): string {
  return selection.source === 'BUILTIN' ? selection.name : `${selection.serverId}/${selection.name}`
}

/** @returns the indexes of the first two equal keys */
export function findRepeated(keys: readonly string[]): readonly [number, number] | undefined {
  const seen = new Map<string, number>()
  for (const [index, key] of keys.entries()) {
    const first = seen.get(key)
    if (first !== undefined) return [first, index]
    seen.set(key, index)
  }
  return undefined
}

/** Sorts presets by kind and name, which together are unique. Lists and exports have this order. */
export function sortPresets<P extends { readonly kind: PresetKind; readonly name: string }>(
  presets: readonly P[],
): P[] {
  const keyed = presets.map((preset) => [presetNameKey(preset.kind, preset.name), preset] as const)
  keyed.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
  return keyed.map(([, preset]) => preset)
}
