/** The tool catalog of one scope, for lists and calls. */
import type { ToolCallSource } from '../../spec/tools/audit.ts'
import type { ToolDefinition } from '../../spec/tools/tool.ts'
import type { ServedTool } from '../operations/tools/servedTool.ts'

export interface ToolCatalog {
  readonly source: ToolCallSource
  /** The preset or run. */
  readonly scopeId: string | null
  /** By advertised name, in the order of the list. */
  readonly tools: ReadonlyMap<string, ServedTool>
  /** The definitions in the response of `tools/list`. */
  readonly definitions: readonly ToolDefinition[]
}

export function createToolCatalog(
  source: ToolCallSource,
  scopeId: string | null,
  tools: readonly ServedTool[],
): ToolCatalog {
  const named = tools.map((tool) => [tool.definition.name, tool] as const)
  named.sort(([a], [b]) => (a < b ? -1 : 1))
  const definitions = named.map(([, { definition }]) => definition)
  return { source, scopeId, tools: new Map(named), definitions }
}
