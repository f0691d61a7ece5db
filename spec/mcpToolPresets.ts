import type { ToolSelection } from './tools/tool.ts'
import type { Views } from './views.ts'

export async function presetSelections(_id: string, _views: Views): Promise<readonly ToolSelection[] | undefined> {
  return undefined
}
