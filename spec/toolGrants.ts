/** What a run may call: the tools as they were when it was made. Nothing that happens to presets or servers later changes it. */
import { siblingId } from './ids.ts'
import { initOf } from './rows.ts'
import type { McpEndpoint } from './tools/external.ts'
import type { ToolDefinition, ToolSelection } from './tools/tool.ts'
import type { Views } from './views.ts'

/** One tool as the run's client is told of it. */
export interface GrantedTool {
  readonly selection: ToolSelection
  readonly definition: ToolDefinition
  /** Of an external tool: what it was when the run was made, and where. */
  readonly external?: { readonly hash: string; readonly endpoint: McpEndpoint }
}

export interface ToolGrant {
  readonly presetIds: readonly string[]
  /** The logical repository that the run works on; null where its codebase has none. */
  readonly repositoryId: string | null
  /** In the order of their advertised names. */
  readonly tools: readonly GrantedTool[]
}

/** Has the same 26 characters as its run. */
export const grantId = (runId: string): string => siblingId('toolGrant', runId)

export async function grantOf(runId: string, views: Pick<Views, 'get'>): Promise<ToolGrant | undefined> {
  const row = await views.get(grantId(runId))
  return row === undefined ? undefined : initOf<ToolGrant>(row)
}
