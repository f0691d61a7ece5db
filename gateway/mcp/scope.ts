/** Reads from the URL which tools a request uses: all built-in tools, those of a preset, or those of a run. */
import type { TypedRow } from '../../machines/rows.ts'
import { Failure } from '../../spec/core/failure.ts'
import type { Access, Principal } from '../../spec/core/principal.ts'
import type { ToolGrant } from '../../spec/tools/toolGrants.ts'
import { authorize } from '../auth/access.ts'
import { grantOf } from '../operations/tools/toolGrants.ts'
import type { TypedViews } from '../operations/typedViews.ts'

/** The scope that the URL specifies. */
export type NamedScope =
  | { readonly type: 'all' }
  | { readonly type: 'preset'; readonly presetId: string }
  | { readonly type: 'run'; readonly runId: string }

/** @param query without the question mark. @throws Failure INVALID_MCP_SCOPE */
export function namedScope(query: string): NamedScope {
  const given = new URLSearchParams(query)
  const unknown = [...given.keys()].find((name) => name !== 'preset' && name !== 'run')
  if (unknown !== undefined)
    throw invalid(
      `"${shown(unknown)}" is not a parameter of this endpoint: give preset or run, in lower case, or neither.`,
    )
  const presets = given.getAll('preset')
  const runs = given.getAll('run')
  if (presets.length + runs.length > 1) throw invalid('Give either preset or run, and only once.')
  const [presetId] = presets
  const [runId] = runs
  if (presetId === '' || runId === '')
    throw invalid('preset and run must name one: leave them out for all built-in tools.')
  if (presetId !== undefined) return { type: 'preset', presetId }
  return runId === undefined ? { type: 'all' } : { type: 'run', runId }
}

/** Shortens names in messages, since callers may send anything. */
function shown(name: string): string {
  return name.length > 64 ? `${name.slice(0, 64)}…` : name
}

function invalid(message: string): Failure {
  return new Failure('INVALID_MCP_SCOPE', message)
}

/** The row of the credential matrix for each scope. */
export const scopeAccess = { all: 'people', preset: 'people', run: 'runMcp' } as const satisfies Record<
  NamedScope['type'],
  Access
>

/** @throws Failure FORBIDDEN, UNAUTHENTICATED */
export function authorizeScope({ type }: NamedScope, principal: Principal): void {
  const what = type === 'run' ? 'A run’s MCP endpoint' : 'The MCP endpoint without a run'
  authorize(what, scopeAccess[type], principal)
}

/** The run that has the tools, and its principal. */
export interface RunScope {
  readonly principal: Extract<Principal, { kind: 'run' }>
  readonly row: TypedRow<'run'>
  /** Undefined if the run was created without presets. */
  readonly grant: ToolGrant | undefined
}

/** @throws Failure RUN_NOT_FOUND, RUN_MCP_FORBIDDEN */
export async function runScope(runId: string, principal: Principal, views: TypedViews): Promise<RunScope> {
  const row = await views.get('run', runId)
  if (row === undefined) throw new Failure('RUN_NOT_FOUND', 'There is no run with this ID.')
  const { agentId } = row.init
  const isTheirs =
    principal.kind === 'run' ? principal.runId === runId : principal.kind === 'agent' && principal.agentId === agentId
  if (!isTheirs) throw new Failure('RUN_MCP_FORBIDDEN', 'This run is carried out by another agent.')
  if (row.columns.terminal)
    throw new Failure('RUN_MCP_FORBIDDEN', `This run has ended (${row.columns.status}), and its tools with it.`)
  return { principal: { kind: 'run', runId, agentId }, row, grant: await grantOf(runId, views) }
}
