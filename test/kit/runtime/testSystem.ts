/** An actor system for one test: its storage is in memory and its clock is moved by the test, unless the test gives other ones. */
import { createIds } from '../../../actors/ids.ts'
import type { Origin } from '../../../actors/messages.ts'
import type { Clock } from '../../../actors/ports/clock.ts'
import { ActorSystem, type SystemOptions } from '../../../actors/system.ts'
import { machines } from '../../../machines/machines.ts'
import type { ActorEvent, ActorRef, ActorRow, JournalEntry, Json } from '../../../spec/core/actor.ts'
import { Failure } from '../../../spec/core/failure.ts'
import type { ActorKind } from '../../../spec/core/ids.ts'
import type { Storage } from '../../../storage/storage.ts'
import { ManualClock } from './manualClock.ts'
import { openMemoryStorage } from './memory/memory.ts'

export type Context = Readonly<Record<string, Json>>

export interface TestSystem<C extends Clock = ManualClock> extends AsyncDisposable {
  readonly clock: C
  readonly storage: Storage
  readonly system: ActorSystem
  /** The errors that the runtime has reported. */
  readonly problems: unknown[]
  newId(kind: ActorKind): string
  /** @throws Failure */
  ask(to: ActorRef, event: ActorEvent, create?: Context, receivedAt?: number): Promise<ActorRow>
  /** Creates an actor with a new ID. */
  make(kind: ActorKind, create?: Context): Promise<ActorRef>
  history(ref: Pick<ActorRef, 'id'>): Promise<readonly JournalEntry[]>
  /** Stops the system and closes the storage. */
  stop(): Promise<void>
}

export interface TestSystemOptions<C extends Clock = ManualClock> extends Partial<Omit<SystemOptions, 'clock'>> {
  readonly clock?: C
  readonly storage?: Storage
}

/** Without its timers and effects: `system.start()` begins with them. All kinds of the project, unless `definitions` are given. */
export function openSystem<C extends Clock = ManualClock>(options: TestSystemOptions<C> = {}): TestSystem<C> {
  const { owner = 'one', storage = openMemoryStorage({ owner }), ...more } = options
  const clock = options.clock ?? (new ManualClock() as Clock as C)
  const problems: unknown[] = []
  const ids = createIds(clock)
  const system = new ActorSystem({
    ...storage,
    definitions: Object.values(machines),
    shared: false,
    handlers: new Map(),
    random: () => 0.5,
    problem: (error) => void problems.push(error),
    ...more,
    clock,
    owner,
  })
  const ask: TestSystem['ask'] = async (to, event, create, receivedAt = clock.now()) => {
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
      const to: ActorRef = { kind, id: ids.next(kind) }
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
