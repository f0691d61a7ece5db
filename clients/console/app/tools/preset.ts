/** Types and names of presets that the views share. */

export type PresetKind = 'PLAN' | 'SESSION'

export interface Selection {
  readonly source: 'BUILTIN' | 'EXTERNAL'
  readonly name: string
  readonly serverId: string | null
}

export interface PresetTool extends Selection {
  readonly serverName: string | null
}

export interface Preset {
  readonly id: string
  readonly name: string
  readonly kind: PresetKind
  readonly revision: number
  readonly updatedAt: string
  readonly tools: readonly PresetTool[]
}

export const kinds = ['PLAN', 'SESSION'] as const

export const kindNames = { PLAN: 'For planning', SESSION: 'For carrying out' } as const

/** Returns a key that is equal for selections of the same tool. */
export function keyOf({ serverId, name }: Omit<Selection, 'source'>): string {
  return `${serverId ?? ''}/${name}`
}
