import type { Json } from '../../../../spec/core/actor.ts'
import { siblingId } from '../../../../spec/core/ids.ts'
import { until } from '../../../kit/program/until.ts'
import { inits } from '../../../kit/runtime/samples.ts'
import type { TroubledGateways } from './troubledGateways.ts'

/** Starts a run with this `spec` on a new agent, and returns the credential of the agent. */
export async function startRunWith({ world }: TroubledGateways, spec: Json): Promise<string> {
  const { agentId, token } = await world.agent()
  const [runId, worktreeId] = [world.newId('run'), world.newId('worktree')]
  const place = { agentId, worktreeId }
  const queue = { kind: 'worktreeQueue', id: siblingId('worktreeQueue', worktreeId) } as const
  await world.ask(queue, { type: 'create' }, { ...inits.worktreeQueue, ...place })
  await world.ask({ kind: 'run', id: runId }, { type: 'create' }, { ...inits.run, ...place, spec })
  await until('the run is admitted', async () => {
    const row = await world.storage.views.get('run', runId)
    return row?.columns.status === 'ADMITTED' ? true : undefined
  })
  return token
}
