/** The tools of one scope, ready to be listed and called. */
import type { ToolCallSource } from '../../spec/tools/audit.ts'
import type { ToolDefinition } from '../../spec/tools/tool.ts'
import type { ServedTool } from '../operations/tools/served.ts'

export interface Shelf {
  readonly source: ToolCallSource
  /** The preset or run. */
  readonly scopeId: string | null
  /** By advertised name, in the order in which they are listed. */
  readonly tools: ReadonlyMap<string, ServedTool>
  /** As they are listed. */
  readonly definitions: readonly ToolDefinition[]
}

export function shelfOf(source: ToolCallSource, scopeId: string | null, tools: readonly ServedTool[]): Shelf {
  const named = tools.map((tool) => [tool.definition.name, tool] as const)
  named.sort(([a], [b]) => (a < b ? -1 : 1))
  const definitions = named.map(([, { definition }]) => definition)
  return { source, scopeId, tools: new Map(named), definitions }
}
