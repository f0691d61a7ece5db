/** Runs that start runs, on one worktree and on others: no two runs wait for each other. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { siblingId } from '../../../spec/core/ids.ts'
import { at, inits } from '../../kit/runtime/samples/samples.ts'
import { UnorderedActors } from '../../kit/runtime/unorderedActors.ts'

const suffix = (n: number): string => String(n).padStart(26, '0')
const agent = { kind: 'agent', id: `agt_${suffix(1)}` } as const
const worktrees = [`wt_${suffix(1)}`, `wt_${suffix(2)}`] as const
const runId = (n: number): string => `run_${suffix(n)}`

const deliverAll = (world: UnorderedActors): void => {
  while (world.mail.length > 0) world.deliver(0)
}

function newWorld(): UnorderedActors {
  const world = new UnorderedActors()
  world.create(agent, inits.agent)
  for (const worktreeId of worktrees) {
    const init = { worktreeId, codebaseId: 'c', agentId: agent.id, createdAt: at }
    world.create({ kind: 'worktreeQueue', id: siblingId('worktreeQueue', worktreeId) }, init)
  }
  world.send(agent, { type: 'connect', facts: inits.agent.facts, clis: [], forgot: [], gone: [] })
  deliverAll(world)
  return world
}

/** One session at a time on each worktree. */
function start(world: UnorderedActors, n: number, worktreeId: string, above: readonly number[]): string {
  const lineage = above.map(runId)
  const more = { worktreeId, agentId: agent.id, ownerId: `ses_${suffix(n)}`, above: lineage, limit: 1 }
  world.create({ kind: 'run', id: runId(n) }, { ...inits.run, ...more, parentRunId: lineage.at(-1) ?? null })
  deliverAll(world)
  return world.state(runId(n))
}

test('a run on the worktree of a run above it is admitted at once, even with another worktree between them', () => {
  const world = newWorld()
  assert.equal(start(world, 1, worktrees[0], []), 'ADMITTED')
  assert.equal(start(world, 2, worktrees[1], [1]), 'ADMITTED')
  assert.equal(start(world, 3, worktrees[0], [1, 2]), 'ADMITTED')
  assert.equal(start(world, 4, worktrees[1], [1, 2, 3]), 'ADMITTED')
  assert.equal(start(world, 5, worktrees[0], []), 'QUEUED', 'an unrelated run waits')
})

test('a draining agent executes the child runs of its active runs, on any of its worktrees', () => {
  const world = newWorld()
  start(world, 1, worktrees[0], [])
  world.send(agent, { type: 'drain' })
  deliverAll(world)
  assert.equal(start(world, 2, worktrees[1], []), 'QUEUED')
  assert.equal(start(world, 3, worktrees[1], [1]), 'ADMITTED')
  assert.equal(world.state(siblingId('job', runId(3))), 'OFFERED')
})
