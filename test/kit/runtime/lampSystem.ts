/** The two small machines of `lampAndWall.ts` on storage in memory, with failures that a test plans. */
import type { EffectHandler } from '../../../actors/outbox/dispatcher.ts'
import type { ActorEvent, ActorRef, ActorRow } from '../../../spec/core/actor.ts'
import { lamp, wall } from './lampAndWall.ts'
import type { Failures } from './memory/failures.ts'
import { openMemoryStorage } from './memory/memory.ts'
import { MemoryState } from './memory/state.ts'
import { type Context, openSystem, type TestSystem, type TestSystemOptions } from './testSystem.ts'

export interface LampSystem extends TestSystem {
  /** The content of the database. */
  readonly state: MemoryState
  newLamp(init?: Context): Promise<ActorRef>
  newWall(): Promise<ActorRef>
  send(ref: ActorRef, event: ActorEvent, receivedAt?: number): Promise<ActorRow>
}

export interface LampSystemOptions extends Omit<TestSystemOptions, 'handlers' | 'storage'> {
  /** An earlier or another process, whose database and clock this one shares. */
  readonly beside?: LampSystem
  readonly failures?: Failures
  readonly ring?: EffectHandler
}

export function openLamps({ beside, failures, ring, ...options }: LampSystemOptions = {}): LampSystem {
  const { owner = 'one', clock = beside?.clock } = options
  const state = beside?.state ?? new MemoryState()
  const opened = openSystem({
    definitions: [lamp, wall],
    storage: openMemoryStorage({ owner, state, ...(failures && { failures }) }),
    ...options,
    ...(clock && { clock }),
    handlers: new Map([['ring', ring ?? (async () => undefined)]]),
  })
  const create = async (kind: 'plan' | 'session', init: Context): Promise<ActorRef> => {
    const to: ActorRef = { kind, id: opened.newId(kind) }
    await opened.ask(to, { type: 'created' }, init)
    return to
  }
  return {
    ...opened,
    state,
    newLamp: (init = {}) => create('plan', init),
    newWall: () => create('session', {}),
    send: (to, event, receivedAt) => opened.ask(to, event, undefined, receivedAt),
  }
}
