/**
 * A run that its plan, session or workflow creates. The request for it is one transition of the owner, and the owner's message creates the
 * run. So the run is created exactly once, even if the server ends during the request.
 */
import type { Json } from '../../spec/core/actor.ts'
import { siblingId } from '../../spec/core/ids.ts'
import type { Tell } from '../framework/define.ts'

export type NewRun = {
  /** The values that the run is created with. */
  readonly run: Readonly<Record<string, Json>> & { readonly spec: Readonly<Record<string, Json>> }
  /** The tools of the run. Null if it gets none. */
  readonly grant: Readonly<Record<string, Json>> | null
}

export function createRun(runId: string, { run, grant }: NewRun): readonly Tell[] {
  const create: Tell = { to: { kind: 'run', id: runId }, event: { type: 'create' }, create: run }
  if (grant === null) return [create]
  const id = siblingId('toolGrant', runId)
  return [{ to: { kind: 'toolGrant', id }, event: { type: 'create' }, create: grant }, create]
}
