/** A run from before tools were frozen keeps the built-in ones that it was made with. */
import { deepEqual, equal } from 'node:assert/strict'
import { it } from 'node:test'
import { operations } from '../../../gateway/operations/operations.ts'
import { siblingId } from '../../../spec/core/ids.ts'
import { rpc } from '../../kit/program/mcp.ts'
import { inits } from '../../kit/runtime/samples/samples.ts'
import { startTestGateway } from '../../kit/runtime/testGateway.ts'

it('a run without a grant has the built-in tools that it names, and no others', async (t) => {
  const world = await startTestGateway({ options: { operations } })
  t.after(() => world.stop())
  const { agentId, token } = await world.agent()
  const [worktreeId, runId] = [world.newId('worktree'), world.newId('run')]
  const place = { worktreeId, agentId }
  const create = { type: 'create' } as const
  await world.ask({ kind: 'worktree', id: worktreeId }, create, { ...inits.worktree, ...place, adopted: true })
  const queue = { kind: 'worktreeQueue', id: siblingId('worktreeQueue', worktreeId) } as const
  await world.ask(queue, create, { ...inits.worktreeQueue, ...place })
  const mcpToolNames = ['get_agents', 'get_health', 'gone_since']
  await world.ask({ kind: 'run', id: runId }, create, { ...inits.run, ...place, mcpToolNames })

  const within = { headers: { authorization: `Bearer ${token}` }, scope: `?run=${runId}` }
  const listed = await rpc(world, 'tools/list', {}, within)
  deepEqual(
    listed.body?.result?.tools.map(({ name }: { name: string }) => name),
    ['get_agents', 'get_health'],
  )
  const called = await rpc(world, 'tools/call', { name: 'get_agents' }, within)
  equal(called.body?.result?.isError, undefined, JSON.stringify(called.body))
  const other = await rpc(world, 'tools/call', { name: 'get_runs' }, within)
  equal(other.body?.error?.code, -32602)
})
