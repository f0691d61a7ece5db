/** A preset: an ordered choice of tools under a name, which runs of one kind are given. */
import * as v from 'valibot'
import { text } from '../../core/types.ts'
import type { ToolSelection } from '../tool.ts'

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
