/** A listening gateway over real actors and storage in memory, and the requests that tests make most. */
import { createHash, randomBytes } from 'node:crypto'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pino from 'pino'
import { Registry } from 'prom-client'
import { indexDsyms } from '../../../actors/effects/indexDsyms.ts'
import { removeBlob } from '../../../actors/effects/removeBlob.ts'
import { symbolicateReport } from '../../../actors/effects/symbolicateReport.ts'
import { symbolicateWaiting } from '../../../actors/effects/symbolicateWaiting.ts'
import { verifyUpload } from '../../../actors/effects/verifyUpload.ts'
import type { Clock } from '../../../actors/ports/clock.ts'
import type { ActorSystem } from '../../../actors/system.ts'
import { createIds } from '../../../gateway/ids.ts'
import { createAppEffects } from '../../../gateway/operations/apps/appEffects.ts'
import { CrashThreads } from '../../../gateway/operations/apps/threads/crashThreads.ts'
import { withRowTypes } from '../../../gateway/operations/typedViews.ts'
import type { GatewayOptions, GatewaySettings } from '../../../gateway/options.ts'
import { AppKeys } from '../../../gateway/secrets/appKeys.ts'
import { sealingsOf } from '../../../gateway/secrets/sealing.ts'
import { signingsOf } from '../../../gateway/secrets/signing.ts'
import { type Gateway, startGateway } from '../../../gateway/server.ts'
import { machines } from '../../../machines/machines.ts'
import type { ActorEvent, ActorRef, ActorRow, Json } from '../../../spec/core/actor.ts'
import {
  type ActorKind,
  presetCatalogId,
  registrationId,
  serverUrlSettingsId,
  telemetrySettingsId,
} from '../../../spec/core/ids.ts'
import { ThreadedBlobHashes } from '../../../storage/blobs/hashing/threadedBlobHashes.ts'
import type { Storage } from '../../../storage/storage.ts'
import { publishedStreams } from '../../../storage/streams/publishedStreams.ts'
import { fakeExternalTools } from './fakeExternalTools.ts'
import { fakeInstallation } from './fakeInstallation.ts'
import { MemoryBlobs } from './memory/blobs.ts'
import { openMemoryStorage } from './memory/memory.ts'
import { MemoryState } from './memory/state.ts'
import { systemClock } from './systemClock.ts'
import { objectTypes, operations } from './testOperations.ts'
import { startSystem } from './testSystem.ts'
import { thing } from './thing.ts'

export interface TestGateway extends AsyncDisposable {
  readonly gateway: Gateway
  readonly system: ActorSystem<ActorKind>
  readonly storage: Storage
  readonly blobs: MemoryBlobs
  readonly url: string
  readonly wsUrl: string
  readonly agentWsUrl: string
  /** The log lines, as objects. */
  readonly logs: Record<string, unknown>[]
  /** The names of the queries of the views. */
  readonly queries: string[]
  /** While true, the storage fails. */
  away: boolean
  /** Milliseconds by which the gateway's clock is ahead. */
  ahead: number
  registry: Registry
  ask(to: ActorRef, event: ActorEvent, create?: Readonly<Record<string, Json>>): Promise<ActorRow>
  newId(kind: ActorKind): string
  /** A user with a session. */
  signIn(at?: number): Promise<{ userId: string; sessionId: string; token: string }>
  apiKey(userId: string, expiresInMs?: number): Promise<{ keyId: string; token: string }>
  agent(): Promise<{ agentId: string; token: string }>
  enrollment(expiresInMs?: number): Promise<{ enrollmentId: string; token: string }>
  append(stream: string, sequence: number, texts: readonly string[], end?: boolean): Promise<void>
  /** Deletes the entries below a sequence, as the retention does. */
  dropEntries(stream: string, below: number): void
  graphql(
    query: string,
    variables?: Record<string, unknown>,
    headers?: Record<string, string>,
  ): Promise<{ status: number; body: GraphqlBody; headers: Headers }>
  stop(): Promise<void>
}

export interface GraphqlBody {
  readonly data?: Record<string, never> | null
  readonly errors?: readonly { readonly message: string; readonly extensions: Record<string, unknown> }[]
}

export const sha256 = (text: string | Uint8Array): string => createHash('sha256').update(text).digest('hex')
export const newToken = (prefix = ''): string => prefix + randomBytes(32).toString('base64url')

export interface TestGatewayOptions {
  readonly settings?: Partial<GatewaySettings>
  readonly options?: Partial<GatewayOptions>
}

export async function startTestGateway({ settings = {}, options = {} }: TestGatewayOptions = {}): Promise<TestGateway> {
  const logs: Record<string, unknown>[] = []
  const queries: string[] = []
  const registry = new Registry()
  const state = { away: false, ahead: 0 }
  const memory = new MemoryState()
  const storage = openMemoryStorage({ state: memory, owner: 'test', failures: { away: () => state.away } })
  const blobs = new MemoryBlobs()
  const hashes = new ThreadedBlobHashes(options.blobs ?? blobs)
  const effects = { blobs: options.blobs ?? blobs, hashes, clock: systemClock }
  const streams = publishedStreams(storage.streams, storage.feed)
  const ids = createIds(systemClock)
  const clock: Clock = {
    ...systemClock,
    now: () => systemClock.now() + state.ahead,
    after: systemClock.after.bind(systemClock),
  }
  const room = { requireForPiece: async () => {} }
  const note = (...given: unknown[]) => logs.push({ problem: given })
  const log = { warn: note, error: note }
  const crashThreads = new CrashThreads({ blobs: effects.blobs, room, contents: storage.contents, log })
  const appEffects = createAppEffects({
    ...{ blobs: effects.blobs, views: withRowTypes(storage.views), ids, clock, room, crashThreads },
    system: { ask: (...given) => started.system.ask(...given) },
    folder: join(tmpdir(), 'signalbox-unpacked'),
    log,
  })
  const started = startSystem<Clock>({
    storage,
    definitions: [...Object.values(machines).filter(({ kind }) => kind !== 'plan'), thing],
    clock: options.clock ?? clock,
    owner: 'test',
    handlers: new Map([
      ['removeBlob', removeBlob(effects)],
      ['verifyUpload', verifyUpload(effects)],
      ['indexDsyms', indexDsyms(appEffects)],
      ['symbolicateReport', symbolicateReport(appEffects)],
      ['symbolicateWaiting', symbolicateWaiting(appEffects)],
    ]),
    problem: (error, context) => logs.push({ problem: String(error), ...context }),
  })
  const { system, ask, newId } = started
  await ask({ kind: 'registration', id: registrationId }, { type: 'created' }, {})
  await ask({ kind: 'telemetrySettings', id: telemetrySettingsId }, { type: 'created' }, {})
  await ask({ kind: 'serverUrlSettings', id: serverUrlSettingsId }, { type: 'created' }, {})
  await ask({ kind: 'mcpToolPreset', id: presetCatalogId }, { type: 'created' }, {})
  const inner = new Proxy(storage.views, {
    get(target, name) {
      const own: unknown = Reflect.get(target, name)
      if (typeof own !== 'function') return own
      return (...args: unknown[]) => {
        queries.push(String(name))
        if (state.away) return Promise.reject(new Error('connection refused: postgres://inside'))
        return own.apply(target, args)
      }
    },
  })
  const gateway = await startGateway({
    settings: {
      host: '127.0.0.1',
      port: 0,
      agentWsPort: 0,
      production: false,
      graphqlSandbox: true,
      authMode: 'password',
      rawCrashReportRetentionDays: 90,
      ...settings,
    },
    ...storage,
    externalTools: fakeExternalTools(),
    streams,
    system,
    presence: {
      lastSeen: () => undefined,
      epoch: () => undefined,
      loose: () => undefined,
      status: () => undefined,
      pulse: () => {},
    },
    contents: storage.contents,
    blobs,
    hashes,
    numbers: storage.counters,
    operations,
    objectTypes,
    ids,
    secrets: { currentKeyId: 'now', acceptedKeyIds: ['now', 'before'] },
    outbound: { fetch: () => Promise.reject(new Error('nothing is asked of other servers here')) },
    sealings: sealingsOf(new AppKeys(new Uint8Array(32))),
    signings: signingsOf(new AppKeys(new Uint8Array(32))),
    // Real argon2 costs real time; one test has the real one.
    passwords: { hash: async (p) => `hashed ${p}`, verify: async (h, p) => h === `hashed ${p}` },
    log: pino({ level: 'trace' }, { write: (line: string) => void logs.push(JSON.parse(line)) }),
    metrics: registry,
    healthy: async () => !state.away,
    installation: () => fakeInstallation(storage),
    clock,
    ...options,
    views: options.views ?? withRowTypes(inner),
  })
  const stop = async (): Promise<void> => {
    await gateway.stop({ immediate: true })
    await started.stop()
    await hashes.close()
  }

  const world: TestGateway = {
    gateway,
    system,
    storage,
    blobs,
    logs,
    queries,
    registry,
    url: gateway.url,
    wsUrl: `${gateway.url.replace('http', 'ws')}/graphql`,
    agentWsUrl: `ws://localhost:${gateway.agentPort}/graphql`,
    get away() {
      return state.away
    },
    set away(value) {
      state.away = value
    },
    get ahead() {
      return state.ahead
    },
    set ahead(ms) {
      state.ahead = ms
    },
    ask,
    newId,
    async signIn(createdAt = Date.now()) {
      const userId = newId('user')
      const email = `${userId}@example.com`
      const account = { email, name: 'Ada', passwordHash: null, identity: null, emailVerified: false, createdAt }
      await ask({ kind: 'user', id: userId }, { type: 'create' }, account)
      const sessionId = newId('authSession')
      const token = newToken()
      const create = { userId, tokenHash: sha256(token), secretKeyId: 'now', userAgent: null, createdAt }
      await ask({ kind: 'authSession', id: sessionId }, { type: 'signIn' }, create)
      return { userId, sessionId, token }
    },
    async apiKey(userId, expiresInMs) {
      const keyId = newId('apiKey')
      const token = newToken('svc_')
      const createdAt = Date.now()
      const expiresAt = expiresInMs === undefined ? null : createdAt + expiresInMs
      const create = { userId, name: 'key', tokenHash: sha256(token), createdAt, expiresAt }
      await ask({ kind: 'apiKey', id: keyId }, { type: 'create' }, create)
      return { keyId, token }
    },
    async agent() {
      const { enrollmentId } = await world.enrollment()
      const agentId = newId('agent')
      const token = newToken('agent_')
      const facts = { hostname: 'box', platform: 'linux', arch: 'x64', version: '0' }
      const create = {
        enrollmentId,
        name: 'box',
        credentialHash: sha256(token),
        facts,
        hostname: 'box',
        createdAt: Date.now(),
      }
      await ask({ kind: 'agent', id: agentId }, { type: 'create' }, create)
      return { agentId, token }
    },
    async enrollment(expiresInMs = 3_600_000) {
      const enrollmentId = newId('enrollment')
      const token = newToken('enroll_')
      const createdAt = Date.now()
      const create = {
        tokenHash: sha256(token),
        name: null,
        requestedBy: 'test',
        createdAt,
        expiresAt: createdAt + expiresInMs,
      }
      await ask({ kind: 'enrollment', id: enrollmentId }, { type: 'create' }, create)
      return { enrollmentId, token }
    },
    dropEntries(stream, below) {
      const stored = memory.streams.get(stream)
      if (stored === undefined) throw new Error(`there is no stream ${stream}`)
      stored.entries.splice(
        0,
        stored.entries.findIndex(({ sequence }) => sequence >= below),
      )
      stored.head = { ...stored.head, first: below }
    },
    async append(stream, sequence, texts, end = false) {
      const at = Date.now()
      const entries = texts.map((text) => ({ kind: 'STDOUT', data: Buffer.from(text) }))
      await streams.append({ stream, sequence, entries, at, end })
    },
    async graphql(query, variables = {}, headers = {}) {
      const response = await fetch(`${gateway.url}/api/graphql`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify({ query, variables }),
      })
      return { status: response.status, body: (await response.json()) as GraphqlBody, headers: response.headers }
    },
    stop,
    [Symbol.asyncDispose]: stop,
  }
  return world
}
