/** The real machines over storage in memory: an agent, a worktree with its queue, and runs on it. */
import assert from 'node:assert/strict'
import { createIds } from '../../../actors/ids.ts'
import { ActorSystem } from '../../../actors/system.ts'
import { machines } from '../../../machines/machines.ts'
import type { ActorEvent, ActorRef, ActorRow, Json } from '../../../spec/core/actor.ts'
import { siblingId } from '../../../spec/core/ids.ts'
import type { Storage } from '../../../storage/storage.ts'
import { ManualClock } from './manualClock.ts'
import { openMemoryStorage } from './memory/memory.ts'
import { inits } from './samples.ts'

export interface Fleet {
  readonly clock: ManualClock
  readonly storage: Storage
  readonly agent: ActorRef
  readonly worktree: ActorRef
  newRunId(): string
  /** A run of one command; its job has its name. */
  run(id: string, more?: Readonly<Record<string, Json>>): Promise<ActorRow>
  send(to: ActorRef, event: ActorEvent, create?: Readonly<Record<string, Json>>): Promise<ActorRow>
  peek(ref: ActorRef): Promise<ActorRow | undefined>
}

export async function openFleet(): Promise<Fleet> {
  const clock = new ManualClock()
  const storage = openMemoryStorage()
  const ids = createIds(clock)
  const definitions = Object.values(machines)
  const problem = (error: unknown) => assert.fail(String(error))
  const options = { clock, owner: 'one', shared: false, handlers: new Map(), random: () => 0.5, problem }
  const system = new ActorSystem({ ...storage, ...options, definitions })
  for (const { definition, machine, source } of system.logics)
    await storage.definitions.keep({ kind: definition.kind, machine, definition: source })
  system.start()
  const send: Fleet['send'] = async (to, event, create) => {
    const origin = { cause: 'request', principal: 'test', requestId: 'r', receivedAt: clock.now() } as const
    return (await system.ask({ to, event, ...(create && { create }) }, origin)).row
  }
  const agent: ActorRef = { kind: 'agent', id: ids.next('agent') }
  const worktree: ActorRef = { kind: 'worktree', id: ids.next('worktree') }
  const queue: ActorRef = { kind: 'worktreeQueue', id: siblingId('worktreeQueue', worktree.id) }
  await send(agent, { type: 'create' }, inits.agent)
  await send(worktree, { type: 'create' }, { ...inits.worktree, adopted: true, agentId: agent.id })
  await send(queue, { type: 'create' }, { ...inits.worktreeQueue, worktreeId: worktree.id, agentId: agent.id })
  return {
    clock,
    storage,
    agent,
    worktree,
    newRunId: () => ids.next('run'),
    run: (id, more = {}) =>
      send(
        { kind: 'run', id },
        { type: 'create' },
        { ...inits.run, worktreeId: worktree.id, agentId: agent.id, ...more },
      ),
    send,
    peek: (ref) => system.peek(ref),
  }
}
