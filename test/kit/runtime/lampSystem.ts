/** The two small machines of `lampAndWall.ts` on storage in memory, with failures that a test plans. */

import type { EffectHandler } from '../../../actors/outbox/dispatcher.ts'
import type { ActorEvent, ActorRef, ActorRow } from '../../../spec/core/actor.ts'
import { type ActorKind, idPrefixes } from '../../../spec/core/ids.ts'
import { type LampKind, lamp, lampPrefixes, storedLamp, storedWall, wall } from './lampAndWall.ts'
import type { ManualClock } from './manualClock.ts'
import type { Failures } from './memory/failures.ts'
import { openMemoryStorage } from './memory/memory.ts'
import { MemoryState } from './memory/state.ts'
import { type Context, type OwnKinds, openSystemOf, type TestSystem, type TestSystemOptions } from './testSystem.ts'

/** @typeParam K the kinds of the two machines */
export interface LampSystem<K extends string = LampKind> extends TestSystem<ManualClock, K> {
  /** The content of the database. */
  readonly state: MemoryState
  newLamp(init?: Context): Promise<ActorRef<K>>
  newWall(): Promise<ActorRef<K>>
  send(ref: ActorRef<K>, event: ActorEvent, receivedAt?: number): Promise<ActorRow<K>>
}

export interface LampSystemOptions<K extends string = LampKind>
  extends Omit<TestSystemOptions<ManualClock, K>, 'handlers' | 'storage'> {
  /** An earlier or another process, whose database and clock this one shares. */
  readonly beside?: LampSystem<K>
  readonly failures?: Failures
  readonly ring?: EffectHandler
}

export function openLamps(options: LampSystemOptions = {}): LampSystem {
  return openLampsOf({ definitions: [lamp, wall], prefixes: lampPrefixes }, ['lamp', 'wall'], options)
}

/** The same under kinds of the product, for tests with PostgreSQL, searches or operations of the gateway. */
export function openStoredLamps(options: LampSystemOptions<ActorKind> = {}): LampSystem<ActorKind> {
  return openLampsOf({ definitions: [storedLamp, storedWall], prefixes: idPrefixes }, ['plan', 'session'], options)
}

function openLampsOf<K extends string>(
  own: OwnKinds<K>,
  [lampKind, wallKind]: readonly [K, K],
  { beside, failures, ring, ...options }: LampSystemOptions<K>,
): LampSystem<K> {
  const { owner = 'one', clock = beside?.clock } = options
  const state = beside?.state ?? new MemoryState()
  const opened = openSystemOf<K>({
    ...own,
    storage: openMemoryStorage({ owner, state, ...(failures && { failures }) }),
    ...options,
    ...(clock && { clock }),
    handlers: new Map([['ring', ring ?? (async () => undefined)]]),
  })
  const create = async (kind: K, init: Context): Promise<ActorRef<K>> => {
    const to: ActorRef<K> = { kind, id: opened.newId(kind) }
    await opened.ask(to, { type: 'created' }, init)
    return to
  }
  return {
    ...opened,
    state,
    newLamp: (init = {}) => create(lampKind, init),
    newWall: () => create(wallKind, {}),
    send: (to, event, receivedAt) => opened.ask(to, event, undefined, receivedAt),
  }
}
