/** A process with all machines and operations, whose actors can request operations. Several may share one storage in memory. */

import { findDeadlock as findDeadlockEffect } from '../../../../actors/effects/findDeadlock.ts'
import { requestOperation } from '../../../../actors/effects/requestOperation.ts'
import type { EffectHandler } from '../../../../actors/outbox/dispatcher.ts'
import type { Clock } from '../../../../actors/ports/clock.ts'
import { findDeadlock } from '../../../../gateway/operations/runs/deadlocks.ts'
import { withRowTypes } from '../../../../gateway/operations/typedViews.ts'
import type { ActorRef, ActorRow } from '../../../../spec/core/actor.ts'
import { siblingId } from '../../../../spec/core/ids.ts'
import type { Storage } from '../../../../storage/storage.ts'
import { commandStep } from '../../program/commandStep.ts'
import { type Ask, type Asking, asking } from '../asking.ts'
import { fakeExternalTools } from '../fakeExternalTools.ts'
import { ManualClock } from '../manualClock.ts'
import { openMemoryStorage } from '../memory/memory.ts'
import { MemoryState } from '../memory/state.ts'
import { inits } from '../samples/samples.ts'
import { openSystem, type TestSystem } from '../testSystem.ts'

export interface WorkflowProcess<C extends Clock = ManualClock> extends TestSystem<C> {
  /** Executes an operation as the gateway does. */
  readonly execute: Ask
  readonly askTool: Ask
  readonly requestOperation: Asking['requestOperation']
  /** An agent with a worktree that is present. */
  newWorktree(): Promise<{ readonly agent: ActorRef; readonly worktree: ActorRef }>
  /** The ID of a published workflow of one command. */
  newWorkflow(more?: Readonly<Record<string, unknown>>): Promise<string>
  runsOf(workflowId: string): Promise<readonly ActorRow[]>
}

export interface WorkflowProcessOptions<C extends Clock> {
  readonly clock?: C
  readonly owner?: string
  readonly storage?: Storage
  /** Whether other processes use the same storage. */
  readonly shared?: boolean
  /** Handlers beside the one for the requests of actors. */
  readonly handlers?: ReadonlyMap<string, EffectHandler>
}

export function startWorkflowProcess<C extends Clock = ManualClock>({
  clock = new ManualClock() as Clock as C,
  owner = 'one',
  storage = openMemoryStorage({ owner, state: new MemoryState() }),
  shared = false,
  handlers = new Map(),
}: WorkflowProcessOptions<C> = {}): WorkflowProcess<C> {
  const opened = openSystem<C>({
    ...{ clock, owner, storage, shared },
    handlers: new Map([
      ['findDeadlock', findDeadlockEffect({ findDeadlock: (runId) => findDeadlock(runId, views) })],
      ['requestOperation', requestOperation({ requestOperation: (request) => asked.requestOperation(request) })],
      ['notify', async () => undefined],
      ...handlers,
    ]),
  })
  const { system, make, newId, ask } = opened
  const views = withRowTypes(storage.views)
  const asked = asking({ system, clock, views, numbers: storage.counters, externalTools: fakeExternalTools() })
  system.start()
  return {
    ...opened,
    execute: asked.ask,
    askTool: asked.askTool,
    requestOperation: asked.requestOperation,
    async newWorktree() {
      const name = newId('agent')
      const agent = await make('agent', { ...inits.agent, name, credentialHash: name })
      const codebase = await make('codebase', { ...inits.codebase, agentId: agent.id })
      const worktree = { kind: 'worktree', id: newId('worktree') } as const
      const place = { agentId: agent.id, codebaseId: codebase.id }
      await ask(worktree, { type: 'create' }, { ...inits.worktree, ...place, adopted: true })
      const queue = { kind: 'worktreeQueue', id: siblingId('worktreeQueue', worktree.id) } as const
      await ask(queue, { type: 'create' }, { ...inits.worktreeQueue, ...place, worktreeId: worktree.id })
      return { agent, worktree }
    },
    async newWorkflow(more = {}) {
      const input = { name: 'check', steps: [commandStep('test', 'true')], ...more }
      const { workflow } = await asked.ask<{ workflow: { id: string } }>('createWorkflow', input)
      await asked.ask('publishWorkflow', { workflowId: workflow.id })
      return workflow.id
    },
    runsOf: async (workflowId) => await views.list({ kind: 'run', where: { scopeId: workflowId }, limit: 1_000 }),
  }
}
