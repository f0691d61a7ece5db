/** Reads from the URL which tools a request uses: all built-in tools, those of a preset, or those of a run. */
import { Failure } from '../../spec/core/failure.ts'
import type { Access, Principal } from '../../spec/core/principal.ts'
import { authorize } from '../auth/access.ts'

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
