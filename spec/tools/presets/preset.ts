/** A preset: a named, ordered selection of tools for runs of one kind. */
import * as v from 'valibot'
import { text } from '../../core/types.ts'
import type { ToolSelection } from '../tool.ts'
import type { PresetKind } from './presetKinds.ts'

/** A preset as it is stored, without its ID. */
export type KeptPreset = {
  readonly name: string
  readonly kind: PresetKind
  /** In the order in which they were selected, without duplicates. */
  readonly tools: readonly ToolSelection[]
  /** The number of its changes, from 1. */
  readonly revision: number
  /** Milliseconds since 1970. */
  readonly createdAt: number
  readonly changedAt: number
}

/** One actor stores all presets and has them in memory while a user changes one. So their number is bounded. */
export const mostPresets = 500
export const mostTools = 500

/** One line without blanks around it, since it is shown in selection lists. */
export const presetName = v.pipe(
  text({ min: 1, max: 100 }),
  v.check((name) => name.trim() === name && !/[\r\n\t]/.test(name), 'must be one line without spaces at its ends'),
)

/** Two names of one kind are the same for users if this text is the same. */
export function presetNameKey(kind: PresetKind, name: string): string {
  return `${kind}/${name.normalize('NFKC').toLowerCase()}`
}
