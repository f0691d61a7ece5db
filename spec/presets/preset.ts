/** A preset: an ordered choice of tools under a name, which runs of one kind are given. */
import * as v from 'valibot'
import type { ToolSelection } from '../tools/tool.ts'
import { text } from '../types.ts'

export const presetKinds = ['PLAN', 'SESSION'] as const
export type PresetKind = (typeof presetKinds)[number]

/** A preset as it is kept, without its ID. */
export type KeptPreset = {
  readonly name: string
  readonly kind: PresetKind
  /** In the order in which they were chosen; each once. */
  readonly tools: readonly ToolSelection[]
  /** Counts its changes, from 1. */
  readonly revision: number
  /** Milliseconds since 1970. */
  readonly createdAt: number
  readonly changedAt: number
}

export type Preset = KeptPreset & { readonly id: string }

/** All presets are one actor's, so their number is bounded: it holds them in memory while somebody changes one. */
export const mostPresets = 500
export const mostTools = 500

/** Where the catalogue keeps a preset. */
export const presetKey = (id: string): string => `preset/${id}`
export const presetKeys = 'preset/'

/** One line, without blanks around it: it stands in lists to choose from. */
export const presetName = v.pipe(
  text({ min: 1, max: 100 }),
  v.check((name) => name.trim() === name && !/[\r\n\t]/.test(name), 'must be one line without blanks around it'),
)

/** What makes two names of one kind the same to people. */
export function sameName(kind: PresetKind, name: string): string {
  return `${kind}/${name.normalize('NFKC').toLowerCase()}`
}

/** What makes two selections the same tool. */
export function selectionKey(selection: ToolSelection): string {
  return selection.source === 'BUILTIN' ? selection.name : `${selection.serverId}/${selection.name}`
}

/** @returns the indexes of the first two that are the same tool */
export function twice(keys: readonly string[]): readonly [number, number] | undefined {
  const seen = new Map<string, number>()
  for (const [index, key] of keys.entries()) {
    const first = seen.get(key)
    if (first !== undefined) return [first, index]
    seen.set(key, index)
  }
  return undefined
}

/** By kind and name, which no two share: the order in which presets are listed and exported. */
export function inOrder<P extends { readonly kind: PresetKind; readonly name: string }>(presets: readonly P[]): P[] {
  const keyed = presets.map((preset) => [sameName(preset.kind, preset.name), preset] as const)
  keyed.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
  return keyed.map(([, preset]) => preset)
}
