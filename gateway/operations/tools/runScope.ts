/** Loads the run whose tools a caller uses, and checks that the caller executes the run. */
import type { TypedRow } from '../../../machines/rows.ts'
import { Failure } from '../../../spec/core/failure.ts'
import type { Principal } from '../../../spec/core/principal.ts'
import type { ToolGrant } from '../../../spec/tools/toolGrants.ts'
import type { TypedViews } from '../typedViews.ts'
import { loadGrant } from './toolGrants.ts'

/** The run that has the tools, and its principal. */
export interface RunScope {
  readonly principal: Extract<Principal, { kind: 'run' }>
  readonly row: TypedRow<'run'>
  /** Undefined if the run was created without presets. */
  readonly grant: ToolGrant | undefined
}

/** @throws Failure RUN_NOT_FOUND, RUN_MCP_FORBIDDEN */
export async function loadRunScope(runId: string, principal: Principal, views: TypedViews): Promise<RunScope> {
  const row = await views.get('run', runId)
  if (row === undefined) throw new Failure('RUN_NOT_FOUND', 'There is no run with this ID.')
  const { agentId } = row.init
  const isExecutor =
    principal.kind === 'run' ? principal.runId === runId : principal.kind === 'agent' && principal.agentId === agentId
  if (!isExecutor) throw new Failure('RUN_MCP_FORBIDDEN', 'Another agent executes this run.')
  if (row.columns.terminal)
    throw new Failure('RUN_MCP_FORBIDDEN', `This run has ended (${row.columns.status}), and its tools with it.`)
  return { principal: { kind: 'run', runId, agentId }, row, grant: await loadGrant(runId, views) }
}
