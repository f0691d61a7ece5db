import { runEventStream } from '../../../../machines/runs/runKeys.ts'
import type { Json } from '../../../../spec/core/actor.ts'
import { siblingId } from '../../../../spec/core/ids.ts'
import { runEventRoutes } from '../../../../spec/runs/runEventRoutes.ts'
import { until } from '../../../kit/program/until.ts'
import { inits } from '../../../kit/runtime/samples/samples.ts'
import { with_ } from './callers.ts'
import type { Cases } from './caseForm.ts'
import type { TroubledGateways } from './troubledGateways.ts'

/** Creates a run whose events have ended after two. */
async function endedRun({ world }: TroubledGateways): Promise<string> {
  const runId = world.newId('run')
  await world.ask({ kind: 'run', id: runId }, { type: 'create' }, inits.run)
  await world.append(runEventStream(runId), 0, ['{}', '{}'], true)
  return runId
}

const stream = async (stage: TroubledGateways, query = '') =>
  await with_(stage, { params: { id: await endedRun(stage) }, query })

export const runCases: readonly Cases[] = [
  {
    route: runEventRoutes.streamRunEvents,
    right: (stage) => stream(stage),
    own: {
      '204': (stage) => stream(stage, '?lastEventId=1'),
      '400 BAD_USER_INPUT': (stage) => stream(stage, '?lastEventId=seven'),
      '404 NOT_FOUND': (stage) => with_(stage, { params: { id: stage.world.newId('run') } }),
      '410 HISTORY_GONE': async (stage) => {
        const id = stage.world.newId('run')
        await stage.world.ask({ kind: 'run', id }, { type: 'create' }, inits.run)
        return await with_(stage, { params: { id }, query: '?lastEventId=7' })
      },
    },
  },
]

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
