/** The kinds of runs for which a preset can be. The console lists them too: this file imports nothing, so its script contains no schemas. */
export const presetKinds = ['PLAN', 'SESSION'] as const

export type PresetKind = (typeof presetKinds)[number]
