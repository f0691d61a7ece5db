/** All machines over storage in memory, people with devices, and an Apple that answers as a test says. */
import type { Push, PushOutcome } from '../../../../actors/effects/apns/apns.ts'
import { type EffectPorts, effectHandlers, unservedEffects } from '../../../../actors/effects/handlers.ts'
import { createIds } from '../../../../actors/ids.ts'
import { ActorSystem } from '../../../../actors/system.ts'
import { withRowTypes } from '../../../../gateway/operations/typedViews.ts'
import { AppKeys } from '../../../../gateway/secrets/appKeys.ts'
import { sealingsOf } from '../../../../gateway/secrets/sealing.ts'
import { machines } from '../../../../machines/machines.ts'
import type { ActorEvent, ActorRef, ActorRow, Json } from '../../../../spec/core/actor.ts'
import type { ActorKind } from '../../../../spec/core/ids.ts'
import { pushOrigins } from '../../../../spec/devices/deviceTokens.ts'
import type { Storage } from '../../../../storage/storage.ts'
import { ManualClock, settled } from '../../../kit/runtime/manualClock.ts'
import type { Failures } from '../../../kit/runtime/memory/failures.ts'
import { openMemoryStorage } from '../../../kit/runtime/memory/memory.ts'
import { MemoryState } from '../../../kit/runtime/memory/state.ts'
import { inits } from '../../../kit/runtime/samples.ts'

export interface Person {
  readonly userId: string
  readonly sessionId: string
}

export interface World {
  readonly clock: ManualClock
  readonly state: MemoryState
  readonly storage: Storage
  readonly system: ActorSystem
  readonly ports: EffectPorts
  readonly problems: unknown[]
  /** What reached Apple. */
  readonly pushes: Push[]
  /** What Apple does with the next ones. */
  answer: (push: Push) => PushOutcome | Promise<PushOutcome>
  ask(to: ActorRef, event: ActorEvent, create?: Readonly<Record<string, Json>>): Promise<ActorRow>
  newPerson(): Promise<Person>
  /** @param n which token it has */
  newDevice(of: Person, more?: { readonly locale?: string; readonly n?: number }): Promise<ActorRef>
  register(device: ActorRef, of: Person, n: number): Promise<void>
  /** A run that ends FAILED at once: its worktree has no queue. */
  endRun(more?: Readonly<Record<string, Json>>): Promise<ActorRef>
  all(kind: ActorKind): Promise<readonly ActorRow[]>
  statuses(kind: ActorKind): Promise<readonly string[]>
}

export const tokenOf = (n: number): string => n.toString(16).padStart(2, '0').repeat(32)

export interface WorldOptions {
  readonly push?: 'off'
  /** Another process on the same database. */
  readonly beside?: World
  readonly failures?: Failures
}

export function openWorld({ push, beside, failures }: WorldOptions = {}): World {
  const clock = beside?.clock ?? new ManualClock()
  const state = beside?.state ?? new MemoryState()
  const owner = beside ? 'two' : 'one'
  const storage = openMemoryStorage({ owner, state, ...(failures && { failures }) })
  const ids = createIds(clock)
  const tokens = sealingsOf(new AppKeys(new Uint8Array(32))).deviceToken
  const problems: unknown[] = []
  const pushes: Push[] = []
  const apns = {
    send: async (one: Push) => {
      pushes.push(one)
      return await world.answer(one)
    },
  }
  const ports: EffectPorts = {
    ...storage,
    views: withRowTypes(storage.views),
    clock,
    ask: (...given) => system.ask(...given),
    apns: push === 'off' ? undefined : apns,
    tokens,
    acceptedKeyIds: ['now'],
  }
  const system: ActorSystem = new ActorSystem({
    ...storage,
    definitions: Object.values(machines),
    clock,
    owner,
    shared: beside !== undefined,
    handlers: effectHandlers(ports),
    unserved: unservedEffects(ports),
    random: () => 0.5,
    problem: (error) => problems.push(error),
  })
  system.start()
  const ask: World['ask'] = async (to, event, create) => {
    const origin = { cause: 'request', principal: 'test', requestId: 'r1', receivedAt: clock.now() } as const
    return (await system.ask({ to, event, ...(create ? { create } : {}) }, origin)).row
  }
  const make = async (kind: ActorKind, create: Readonly<Record<string, Json>>): Promise<ActorRef> => {
    const to = { kind, id: ids.next(kind) }
    await ask(to, { type: 'create' }, create)
    return to
  }
  const sealed = (id: string, n: number) => tokens.seal(tokenOf(n), { owner: id, origin: pushOrigins.PRODUCTION })
  let devices = 0
  const all = (kind: ActorKind) => storage.views.list({ kind, limit: 1_000 })
  const world: World = {
    clock,
    state,
    storage,
    system,
    ports,
    problems,
    pushes,
    answer: () => ({ type: 'taken' }),
    ask,
    async newPerson() {
      const createdAt = clock.now()
      const user = await make('user', { ...inits.user, email: `${ids.next('user')}@x.org` })
      const session = { userId: user.id, tokenHash: ids.next('run'), secretKeyId: 'now', userAgent: null, createdAt }
      return { userId: user.id, sessionId: (await make('authSession', session)).id }
    },
    async newDevice(of, { locale, n = ++devices } = {}) {
      const to = { kind: 'notificationDevice', id: ids.next('notificationDevice') } as const
      const create = {
        environment: 'PRODUCTION',
        topic: 'org.example.app',
        clientRegistrationId: to.id,
        token: sealed(to.id, n),
        details: { displayName: 'Phone', ...(locale ? { locale } : {}) },
        ...of,
        createdAt: clock.now(),
      }
      await ask(to, { type: 'create' }, create)
      return to
    },
    async register(device, of, n) {
      const details = { displayName: 'Phone' }
      await ask(device, { type: 'register', token: sealed(device.id, n), details, ...of })
    },
    async endRun(more = {}) {
      const worktreeId = ids.next('worktree')
      const ref = await make('run', {
        ...inits.run,
        title: 'Fix login',
        agentId: ids.next('agent'),
        worktreeId,
        ...more,
      })
      await settled()
      return ref
    },
    all,
    statuses: async (kind) => (await all(kind)).map(({ columns }) => columns.status),
  }
  return world
}
