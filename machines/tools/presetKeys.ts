/** The members of the only `mcpToolPreset` actor. */
import { memberKeys } from '../framework/memberKeys.ts'

export const presetMembers = Object.freeze({
  /** Presets, by ID. */
  preset: memberKeys('preset/'),
})
