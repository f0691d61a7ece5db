/** All machines over storage in memory, people with devices, and an Apple that answers as the test chooses. */
import type { Push, PushOutcome } from '../../../../actors/effects/apns/apns.ts'
import { type EffectPorts, effectHandlers } from '../../../../actors/effects/handlers.ts'
import { withRowTypes } from '../../../../gateway/operations/typedViews.ts'
import { AppKeys } from '../../../../gateway/secrets/appKeys.ts'
import { sealingsOf } from '../../../../gateway/secrets/sealing.ts'
import type { ActorRef, ActorRow, Json } from '../../../../spec/core/actor.ts'
import type { ActorKind } from '../../../../spec/core/ids.ts'
import { pushOrigins } from '../../../../spec/devices/deviceTokens.ts'
import { ThreadedBlobHashes } from '../../../../storage/blobs/hashing/threadedBlobHashes.ts'
import { ManualClock, settled } from '../../../kit/runtime/manualClock.ts'
import { MemoryBlobs } from '../../../kit/runtime/memory/blobs.ts'
import type { Failures } from '../../../kit/runtime/memory/failures.ts'
import { openMemoryStorage } from '../../../kit/runtime/memory/memory.ts'
import { MemoryState } from '../../../kit/runtime/memory/state.ts'
import { inits } from '../../../kit/runtime/samples/samples.ts'
import { startSystem, type TestSystem } from '../../../kit/runtime/testSystem.ts'

export interface Person {
  readonly userId: string
  readonly sessionId: string
}

export interface PushSystem extends TestSystem {
  readonly state: MemoryState
  readonly ports: EffectPorts
  /** The pushes that reached Apple. */
  readonly pushes: Push[]
  /** Apple's outcome of the next pushes. */
  answer: (push: Push) => PushOutcome | Promise<PushOutcome>
  newPerson(): Promise<Person>
  /** @param n the number of its token */
  newDevice(of: Person, more?: { readonly locale?: string; readonly n?: number }): Promise<ActorRef>
  register(device: ActorRef, of: Person, n: number): Promise<void>
  /** A run that ends FAILED at once: its worktree has no queue. */
  endRun(more?: Readonly<Record<string, Json>>): Promise<ActorRef>
  all(kind: ActorKind): Promise<readonly ActorRow[]>
  statuses(kind: ActorKind): Promise<readonly string[]>
}

export const tokenOf = (n: number): string => n.toString(16).padStart(2, '0').repeat(32)

export interface PushOptions {
  readonly push?: 'off'
  /** Another process on the same database. */
  readonly beside?: PushSystem
  readonly failures?: Failures
}

export function startPushes({ push, beside, failures }: PushOptions = {}): PushSystem {
  const clock = beside?.clock ?? new ManualClock()
  const state = beside?.state ?? new MemoryState()
  const owner = beside ? 'two' : 'one'
  const storage = openMemoryStorage({ owner, state, ...(failures && { failures }) })
  const tokens = sealingsOf(new AppKeys(new Uint8Array(32))).deviceToken
  const pushes: Push[] = []
  const apns = {
    send: async (one: Push) => {
      pushes.push(one)
      return await world.answer(one)
    },
  }
  const blobs = new MemoryBlobs()
  const ports: EffectPorts = {
    ...storage,
    views: withRowTypes(storage.views),
    clock,
    ask: (...given) => started.system.ask(...given),
    apns: push === 'off' ? undefined : apns,
    tokens,
    acceptedKeyIds: ['now'],
    blobs,
    hashes: new ThreadedBlobHashes(blobs),
    findDeadlock: async () => undefined,
    requestOperation: () => Promise.reject(new Error('no actor requests an operation here')),
    indexDsyms: () => Promise.reject(new Error('no dSYM is indexed here')),
    symbolicateReport: () => Promise.reject(new Error('no crash report is symbolicated here')),
    symbolicateWaiting: () => Promise.reject(new Error('no crash report is symbolicated here')),
  }
  const started: TestSystem = startSystem({
    storage,
    clock,
    owner,
    shared: beside !== undefined,
    handlers: effectHandlers(ports),
  })
  const { ask, make, newId } = started
  const sealed = (id: string, n: number) => tokens.seal(tokenOf(n), { owner: id, origin: pushOrigins.PRODUCTION })
  let devices = 0
  const all = (kind: ActorKind) => storage.views.list({ kind, limit: 1_000 })
  const world: PushSystem = {
    ...started,
    state,
    ports,
    pushes,
    answer: () => ({ type: 'taken' }),
    async newPerson() {
      const createdAt = clock.now()
      const user = await make('user', { ...inits.user, email: `${newId('user')}@x.org` })
      const session = { userId: user.id, tokenHash: newId('run'), secretKeyId: 'now', userAgent: null, createdAt }
      return { userId: user.id, sessionId: (await make('authSession', session)).id }
    },
    async newDevice(of, { locale, n = ++devices } = {}) {
      const to = { kind: 'notificationDevice', id: newId('notificationDevice') } as const
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
      const worktreeId = newId('worktree')
      const ref = await make('run', {
        ...inits.run,
        title: 'Fix login',
        agentId: newId('agent'),
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
