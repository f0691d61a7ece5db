/** Presets, for the views that share them. */
import { graphql, type ResultOf } from '../data/graphql.ts'

export const presetsQuery = graphql(
  '{ mcpToolPresets { id name kind revision updatedAt tools { source name serverId serverName } } }',
)

export type Preset = ResultOf<typeof presetsQuery>['mcpToolPresets'][number]
export type PresetTool = Preset['tools'][number]

/** Returns a key that is equal for selections of the same tool. */
export function getToolKey({ serverId, name }: Pick<PresetTool, 'serverId' | 'name'>): string {
  return `${serverId ?? ''}/${name}`
}
