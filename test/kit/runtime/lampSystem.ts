/** A small actor system over storage in memory, with a clock that a test moves and failures that it plans. */

import { createIds } from '../../../actors/ids.ts'
import type { Origin } from '../../../actors/messages.ts'
import type { EffectHandler } from '../../../actors/outbox/dispatcher.ts'
import { ActorSystem, type SystemOptions } from '../../../actors/system.ts'
import type { ActorEvent, ActorRef, ActorRow, JournalEntry, Json } from '../../../spec/core/actor.ts'
import { Failure } from '../../../spec/core/failure.ts'
import type { Storage } from '../../../storage/storage.ts'
import { lamp, wall } from './lampAndWall.ts'
import { ManualClock } from './manualClock.ts'
import type { Failures } from './memory/failures.ts'
import { openMemoryStorage } from './memory/memory.ts'
import { MemoryState } from './memory/state.ts'

export interface World {
  readonly clock: ManualClock
  /** What "the database" holds. */
  readonly state: MemoryState
  readonly storage: Storage
  readonly system: ActorSystem
  readonly problems: unknown[]
  newLamp(init?: Record<string, Json>): Promise<ActorRef>
  newWall(): Promise<ActorRef>
  send(ref: ActorRef, event: ActorEvent, receivedAt?: number): Promise<ActorRow>
  /** The code and message of the refusal that a message gets. */
  refusal(asked: Promise<unknown>): Promise<Failure>
  history(ref: ActorRef): Promise<readonly JournalEntry[]>
}

export interface WorldOptions extends Partial<Omit<SystemOptions, 'handlers'>> {
  /** The world of an earlier or another process, whose database and clock this one shares. */
  readonly beside?: World
  readonly failures?: Failures
  readonly clock?: ManualClock
  readonly ring?: EffectHandler
}

const noRing: EffectHandler = async () => undefined

export function openWorld(options: WorldOptions = {}): World {
  const clock = options.clock ?? options.beside?.clock ?? new ManualClock()
  const owner = options.owner ?? 'one'
  const state = options.beside?.state ?? new MemoryState()
  const storage = openMemoryStorage({ owner, state, ...(options.failures && { failures: options.failures }) })
  const problems: unknown[] = []
  const ids = createIds(clock)
  const system = new ActorSystem({
    definitions: [lamp, wall],
    journal: storage.journal,
    outbox: storage.outbox,
    timers: storage.timers,
    quarantine: storage.quarantine,
    feed: storage.feed,
    shared: false,
    random: () => 0.5,
    problem: (error) => problems.push(error),
    ...options,
    clock,
    owner,
    handlers: new Map([['ring', options.ring ?? noRing]]),
  })
  const origin = (receivedAt = clock.now()): Origin => ({
    cause: 'request',
    principal: 'usr_test',
    requestId: 'r1',
    receivedAt,
  })
  const create = async (kind: 'plan' | 'session', init: Record<string, Json>): Promise<ActorRef> => {
    const to: ActorRef = { kind, id: ids.next(kind) }
    await system.ask({ to, event: { type: 'created' }, create: init }, origin())
    return to
  }
  return {
    clock,
    state,
    storage,
    system,
    problems,
    newLamp: (init = {}) => create('plan', init),
    newWall: () => create('session', {}),
    send: async (to, event, receivedAt) => (await system.ask({ to, event }, origin(receivedAt))).row,
    async refusal(asked) {
      const outcome = await asked.then(
        () => undefined,
        (error: unknown) => error,
      )
      if (outcome instanceof Failure) return outcome
      throw new Error(`expected a refusal, and it was ${outcome === undefined ? 'accepted' : String(outcome)}`)
    },
    history: ({ id }) => storage.views.history({ id, limit: 1_000 }),
  }
}
