/** The real machines over storage in memory: an agent, a worktree with its queue, and runs on it. */

import assert from 'node:assert/strict'
import { keptDefinition } from '../../../actors/upgrade.ts'
import type { ActorRef, ActorRow } from '../../../spec/core/actor.ts'
import { siblingId } from '../../../spec/core/ids.ts'
import { inits } from './samples/samples.ts'
import { type Context, startSystem, type TestSystem } from './testSystem.ts'

export interface WorktreeSystem extends TestSystem {
  readonly agent: ActorRef
  readonly worktree: ActorRef
  /** A run of one command; its job has its name. */
  run(id: string, more?: Context): Promise<ActorRow>
}

export async function startWorktree(): Promise<WorktreeSystem> {
  const started = startSystem({ problem: (error) => assert.fail(String(error)) })
  const { ask, make, newId, storage } = started
  await storage.definitions.keep(started.system.logics.map(keptDefinition))
  const agent = await make('agent', inits.agent)
  const worktree: ActorRef = { kind: 'worktree', id: newId('worktree') }
  const queue: ActorRef = { kind: 'worktreeQueue', id: siblingId('worktreeQueue', worktree.id) }
  const place = { worktreeId: worktree.id, agentId: agent.id }
  await ask(worktree, { type: 'create' }, { ...inits.worktree, adopted: true, agentId: agent.id })
  await ask(queue, { type: 'create' }, { ...inits.worktreeQueue, ...place })
  const run: WorktreeSystem['run'] = (id, more = {}) =>
    ask({ kind: 'run', id }, { type: 'create' }, { ...inits.run, ...place, ...more })
  return { ...started, agent, worktree, run }
}
