/**
 * The gateway's handling of an HTTP request, assembled by the bench twice: with the gateway's authentication, and without any.
 * All other parts are the same: router, limits, GraphQL, log, metrics, database.
 */
import { Registry } from 'prom-client'
import { ActorSystem } from '../../../../actors/system.ts'
import { argon2id } from '../../../../gateway/auth/argon2.ts'
import { Authenticator } from '../../../../gateway/auth/authenticate.ts'
import { CookieRenewals } from '../../../../gateway/auth/cookieRenewals.ts'
import { PrincipalCache } from '../../../../gateway/auth/principalCache.ts'
import { GraphqlEngine } from '../../../../gateway/graphql/engine.ts'
import { graphqlRoutes } from '../../../../gateway/graphql/route.ts'
import { TrustedProxies } from '../../../../gateway/http/addresses.ts'
import { OpenEventStreams } from '../../../../gateway/http/events/openEventStreams.ts'
import { restRefusal } from '../../../../gateway/http/failures.ts'
import { openListener } from '../../../../gateway/http/listeners.ts'
import { Origins } from '../../../../gateway/http/origins.ts'
import { RequestsInFlight } from '../../../../gateway/http/requestsInFlight.ts'
import { type Responder, respond } from '../../../../gateway/http/respond.ts'
import { Router } from '../../../../gateway/http/router.ts'
import { createIds } from '../../../../gateway/ids.ts'
import { defaultLimits } from '../../../../gateway/limits/limits.ts'
import { openLog } from '../../../../gateway/observability/log.ts'
import { gatewayMetrics } from '../../../../gateway/observability/metrics.ts'
import { contexts } from '../../../../gateway/operations/context.ts'
import { Executor } from '../../../../gateway/operations/execute.ts'
import { objectTypes, operations } from '../../../../gateway/operations/operations.ts'
import { builtinTools } from '../../../../gateway/operations/tools/builtin.ts'
import { withRowTypes } from '../../../../gateway/operations/typedViews.ts'
import type { GatewayOptions } from '../../../../gateway/options.ts'
import { AppKeys } from '../../../../gateway/secrets/appKeys.ts'
import { sealingsOf } from '../../../../gateway/secrets/sealing.ts'
import { signingsOf } from '../../../../gateway/secrets/signing.ts'
import { kindOfId } from '../../../../spec/core/ids.ts'
import type { Principal } from '../../../../spec/core/principal.ts'
import { ThreadedBlobHashes } from '../../../../storage/blobs/hashing/threadedBlobHashes.ts'
import { connect } from '../../../../storage/sql/sql.ts'
import { PostgresViews } from '../../../../storage/views/views.ts'
import { fakeExternalTools } from '../../../kit/runtime/fakeExternalTools.ts'
import { fakeInstallation } from '../../../kit/runtime/fakeInstallation.ts'
import { MemoryBlobs } from '../../../kit/runtime/memory/blobs.ts'
import { openMemoryStorage } from '../../../kit/runtime/memory/memory.ts'
import { systemClock } from '../../../kit/runtime/systemClock.ts'
import { contenderOptions, serve } from '../support/contender.ts'
import type { YogaOptions } from './yoga.ts'

export interface GuardedOptions extends Pick<YogaOptions, 'connection' | 'lastSeen'> {
  /** The principal of every caller. If it is omitted, callers are authenticated. */
  readonly everybody?: Principal
}

const { connection, lastSeen, everybody } = contenderOptions<GuardedOptions>()
const sql = connect({ connection }, { name: 'guarded', max: 8 })
const storage = openMemoryStorage()
const clock = systemClock
const keys = new AppKeys(new Uint8Array(32))
const blobs = new MemoryBlobs()
const options: GatewayOptions = {
  settings: {
    host: '127.0.0.1',
    port: 0,
    agentWsPort: 0,
    production: false,
    graphqlSandbox: true,
    authMode: 'password',
    rawCrashReportRetentionDays: 90,
  },
  ...storage,
  views: withRowTypes(new PostgresViews(sql)),
  // No actor changes in this bench.
  system: new ActorSystem({
    kindOfId,
    ...storage,
    definitions: [],
    clock,
    owner: 'bench',
    shared: false,
    handlers: new Map(),
    problem: (error) => console.error(error),
  }),
  presence: {
    lastSeen: (id) => lastSeen[id],
    epoch: () => undefined,
    loose: () => undefined,
    status: () => undefined,
    pulse: () => {},
  },
  contents: storage.contents,
  blobs,
  hashes: new ThreadedBlobHashes(blobs),
  numbers: storage.counters,
  installation: () => fakeInstallation(storage),
  operations,
  objectTypes,
  ids: createIds(clock),
  secrets: keys,
  sealings: sealingsOf(keys),
  signings: signingsOf(keys),
  externalTools: fakeExternalTools(),
  outbound: { fetch: () => Promise.reject(new Error('This bench sends no request to other servers.')) },
  passwords: argon2id,
  log: openLog({ logLevel: 'info', logFormat: 'json' }),
  metrics: new Registry(),
  healthy: async () => true,
  clock,
}
const limits = { ...defaultLimits, graphqlPointsPer5Minutes: 1e12 }
const metrics = gatewayMetrics(options.metrics)
const cache = new PrincipalCache(options, limits)
const authenticator = new Authenticator(cache, limits, clock, options.log)
const makeContext = contexts(options, limits, builtinTools(operations), () => ({
  local: 'http://localhost',
  remote: null,
  lan: [],
}))
const routes = graphqlRoutes('/api/graphql', {
  engine: new GraphqlEngine(options, new Executor(options), limits, metrics),
  authenticator,
  limits,
  sandbox: true,
  context: ({ requestId, receivedAt, begunAt }, principal) =>
    makeContext({
      principal,
      requestId,
      now: receivedAt,
      begunAt,
      baseUrl: 'http://localhost',
      forwardedOrigin: null,
      agentWsUrl: 'ws://localhost',
    }),
})
const known = everybody && { principal: everybody, identity: undefined, clearCookie: false }
const server: Responder = {
  router: new Router(routes),
  refuse: restRefusal,
  origins: new Origins(options.settings),
  authenticator: known ? { request: async () => known } : authenticator,
  cookieRenewals: new CookieRenewals(limits.cachedPrincipals),
  log: options.log,
  metrics,
  eventStreams: new OpenEventStreams({ limits, clock, metrics, watch: (...given) => cache.watch(...given) }),
  inFlight: new RequestsInFlight(),
  clock,
  limits,
  proxies: new TrustedProxies(undefined),
}
const listener = await openListener('127.0.0.1', 0, 'PORT', (app) => {
  app.any('/*', (res, req) => void respond(res, req, server))
})
serve({ port: listener.port, stop: () => sql.end({ timeout: 1 }) })
