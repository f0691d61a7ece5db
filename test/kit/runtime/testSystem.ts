/** An actor system for one test: its storage is in memory and its clock is moved by the test, unless the test gives other ones. */
import type { KindDefinition } from '../../../actors/anyKind.ts'
import type { Origin } from '../../../actors/messages.ts'
import type { Clock } from '../../../actors/ports/clock.ts'
import { ActorSystem, type SystemOptions } from '../../../actors/system.ts'
import { createIds } from '../../../gateway/ids.ts'
import { machines } from '../../../machines/machines.ts'
import type { ActorEvent, ActorRef, ActorRow, JournalEntry, Json } from '../../../spec/core/actor.ts'
import { Failure } from '../../../spec/core/failure.ts'
import { type ActorKind, idPrefixes, kindOfId } from '../../../spec/core/ids.ts'
import type { Storage } from '../../../storage/storage.ts'
import { ManualClock } from './manualClock.ts'
import { openMemoryStorage } from './memory/memory.ts'

export type Context = Readonly<Record<string, Json>>

/** @typeParam K the kinds of its actors */
export interface TestSystem<C extends Clock = ManualClock, K extends string = ActorKind> extends AsyncDisposable {
  readonly clock: C
  readonly storage: Storage
  readonly system: ActorSystem<K>
  /** The errors that the runtime has reported. */
  readonly problems: unknown[]
  newId(kind: K): string
  /** @throws Failure */
  ask(to: ActorRef<K>, event: ActorEvent, create?: Context, receivedAt?: number): Promise<ActorRow<K>>
  /** Creates an actor with a new ID. */
  make(kind: K, create?: Context): Promise<ActorRef<K>>
  history(ref: Pick<ActorRef, 'id'>): Promise<readonly JournalEntry[]>
  /** Stops the system and closes the storage. */
  stop(): Promise<void>
}

export interface TestSystemOptions<C extends Clock = ManualClock, K extends string = ActorKind>
  extends Partial<Omit<SystemOptions<K>, 'clock'>> {
  readonly clock?: C
  readonly storage?: Storage
}

/** Kinds that a test brings, with the prefixes of their IDs. */
export interface OwnKinds<K extends string> {
  readonly definitions: readonly KindDefinition<K>[]
  readonly prefixes: Readonly<Record<K, string>>
}

/** Without its timers and effects: `system.start()` begins with them. All kinds of the project, unless `definitions` are given. */
export function openSystem<C extends Clock = ManualClock>(options: TestSystemOptions<C> = {}): TestSystem<C> {
  return openSystemOf({ definitions: Object.values(machines), prefixes: idPrefixes, kindOfId, ...options })
}

/** An actor system with the kinds that the test brings. */
export function openSystemOf<K extends string, C extends Clock = ManualClock>({
  prefixes,
  ...options
}: TestSystemOptions<C, K> & OwnKinds<K>): TestSystem<C, K> {
  const { owner = 'one', storage = openMemoryStorage({ owner }), ...more } = options
  const clock = options.clock ?? (new ManualClock() as Clock as C)
  const problems: unknown[] = []
  const ids = createIds(clock, prefixes)
  const system = new ActorSystem<K>({
    ...storage,
    kindOfId: (id) => (Object.keys(prefixes) as K[]).find((kind) => id.startsWith(`${prefixes[kind]}_`)),
    shared: false,
    handlers: new Map(),
    random: () => 0.5,
    problem: (error) => void problems.push(error),
    ...more,
    clock,
    owner,
  })
  const ask: TestSystem<C, K>['ask'] = async (to, event, create, receivedAt = clock.now()) => {
    const origin: Origin = { cause: 'request', principal: 'usr_test', requestId: 'r1', receivedAt }
    return (await system.ask({ to, event, ...(create && { create }) }, origin)).row
  }
  const stop = async (): Promise<void> => {
    await system.stop(100)
    await storage.close()
  }
  return {
    clock,
    storage,
    system,
    problems,
    newId: (kind) => ids.next(kind),
    ask,
    async make(kind, create = {}) {
      const to: ActorRef<K> = { kind, id: ids.next(kind) }
      await ask(to, { type: 'create' }, create)
      return to
    },
    history: ({ id }) => storage.views.history({ id, limit: 10_000 }),
    stop,
    [Symbol.asyncDispose]: stop,
  }
}

export function startSystem<C extends Clock = ManualClock>(options: TestSystemOptions<C> = {}): TestSystem<C> {
  const opened = openSystem(options)
  opened.system.start()
  return opened
}

/** The refusal of a message or an operation that must not be accepted. */
export async function refusal(asked: Promise<unknown>): Promise<Failure> {
  const outcome = await asked.then(
    () => undefined,
    (error: unknown) => error,
  )
  if (outcome instanceof Failure) return outcome
  throw new Error(`expected a refusal, and it was ${outcome === undefined ? 'accepted' : String(outcome)}`)
}
