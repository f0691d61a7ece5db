/** Composes the gateway, opens its listeners, and stops them in order. */
import { X509Certificate } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { RequestOperation } from '../actors/effects/requestOperation.ts'
import { dsymUploadBlob } from '../spec/apps/dsymUploads.ts'
import { uploadBlob } from '../spec/builds/uploads.ts'
import { type Principal, principalName } from '../spec/core/principal.ts'
import { Authenticator } from './auth/authenticate.ts'
import { CookieRenewals } from './auth/cookieRenewals.ts'
import { PasswordAttempts } from './auth/passwordAttempts.ts'
import { Passwords } from './auth/passwords.ts'
import { PrincipalCache } from './auth/principalCache.ts'
import { GraphqlEngine } from './graphql/engine.ts'
import { PayloadGroups } from './graphql/payloads.ts'
import type { SocketServices } from './graphql/socketServices.ts'
import { TrustedProxies } from './http/addresses.ts'
import { OpenEventStreams } from './http/events/openEventStreams.ts'
import { restRefusal } from './http/failures.ts'
import { type Listener, openListener } from './http/listeners.ts'
import { Origins } from './http/origins.ts'
import type { RequestHead } from './http/request.ts'
import { RequestsInFlight } from './http/requestsInFlight.ts'
import { type Responder, respond } from './http/respond.ts'
import { Router } from './http/router.ts'
import type { UwsApp } from './http/uws.ts'
import { AddressQuota } from './limits/addressQuota.ts'
import { KeyedSemaphore } from './limits/keyedSemaphore.ts'
import { defaultLimits, type Limits } from './limits/limits.ts'
import { RateLimiter } from './limits/rateLimiter.ts'
import { ratePolicies } from './limits/ratePolicies.ts'
import { toolServices } from './mcp/services.ts'
import { gatewayMetrics } from './observability/metrics.ts'
import { openMetricsListener } from './observability/metricsListener.ts'
import { ProviderClient } from './operations/accounts/oidc/providerClient.ts'
import { serveActorRequests } from './operations/actorRequests.ts'
import { CrashReportReader } from './operations/apps/crashFormats/crashReportReader.ts'
import { DsymCompletions } from './operations/apps/dsymUploads/completions.ts'
import { detectServerUrls } from './operations/builds/detectServerUrls.ts'
import { UploadReceiver } from './operations/builds/uploads/uploadReceiver.ts'
import { agentWsUrl, type CallerFacts, contexts, mainOrigin } from './operations/context.ts'
import { DiskRoom } from './operations/core/diskRoom.ts'
import { requireKind } from './operations/core/replies.ts'
import { createProfileSigner } from './operations/devices/enrollment/profileSigner.ts'
import { Executor } from './operations/execute.ts'
import { WebhookReceiver } from './operations/hosts/webhooks/receiver.ts'
import type { RequestContext } from './operations/requestContext.ts'
import { telemetryServices } from './operations/telemetry/services.ts'
import { builtinTools } from './operations/tools/builtin.ts'
import type { GatewayOptions } from './options.ts'
import { refusalOf } from './pages/problemPage.ts'
import { agentRoutes, mainRoutes } from './routes.ts'
import { EventAnswers } from './subscriptions/eventAnswers.ts'
import { KindTails } from './subscriptions/kindTails.ts'
import { RowListeners } from './subscriptions/rowListeners.ts'
import { TelemetryArrivals } from './subscriptions/telemetryArrivals.ts'
import { TelemetryTails } from './subscriptions/telemetryTails.ts'
import { Watches } from './subscriptions/watches.ts'
import { graphqlSockets } from './websocket/socket.ts'

export interface Gateway {
  readonly port: number
  readonly agentPort: number
  /** `http://host:port` of the main listener. */
  readonly url: string
  /** Executes the operations that actors request by themselves. */
  readonly requestOperation: RequestOperation
  /** Refuses new requests, waits for replies in flight, closes sockets with 1001, and stops. With `immediate` it does not wait. */
  stop(options?: { readonly immediate?: boolean }): Promise<void>
}

/** @throws StartError */
export async function startGateway(options: GatewayOptions): Promise<Gateway> {
  const { settings, clock, log, feed, views, system } = options
  const limits: Limits = { ...defaultLimits, ...settings.limits }
  const inFlight = new RequestsInFlight()
  const origins = new Origins(settings)
  const metrics = gatewayMetrics(options.metrics)
  const cache = new PrincipalCache(options, limits)
  const authenticator = new Authenticator(cache, limits, clock, log)
  const cookieRenewals = new CookieRenewals(limits.cachedPrincipals)
  const passwords = new Passwords(options.passwords, limits)
  const executor = new Executor(options)
  const engine = new GraphqlEngine(options, executor, limits, metrics)
  let agentPort = settings.agentWsPort
  let mainPort = settings.port
  const detect = () => detectServerUrls({ ...settings, port: mainPort })
  const builtin = builtinTools(options.operations)
  const makeContext = contexts(options, limits, builtin, detect)
  const contextOf = (
    head: RequestHead,
    principal: Principal,
    more: Partial<Pick<CallerFacts, 'requestId' | 'now' | 'begunAt' | 'onDisconnect'>> = {},
  ): RequestContext =>
    makeContext({
      principal,
      requestId: head.requestId,
      now: head.receivedAt,
      begunAt: head.begunAt,
      baseUrl: mainOrigin(origins.baseUrl(head), agentPort, mainPort),
      forwardedOrigin: origins.forwardedOrigin(head),
      agentWsUrl: agentWsUrl(head, origins, settings, agentPort),
      ...more,
    })

  const sandbox = settings.graphqlSandbox
  const http = { engine, authenticator, limits, sandbox, context: contextOf }
  const { identityProvider } = settings
  const rates = ratePolicies(limits)
  const auth = {
    options,
    limits,
    origins,
    passwords,
    provider: identityProvider && new ProviderClient(identityProvider, options),
    flows: options.sealings.signInFlow,
    signUpsByAddress: new RateLimiter(clock, rates.signUps),
    apiKeyCreations: new KeyedSemaphore(1),
    providerSignInsByAddress: new RateLimiter(clock, rates.providerSignIns),
    attempts: new PasswordAttempts(passwords, limits, clock),
    context: contextOf,
  }
  const webhooks = new WebhookReceiver(options, limits)
  const { deviceProfile, deviceAuthorities } = settings
  const deviceEnrollment = {
    options,
    origins,
    answerBytes: limits.deviceAnswerBytes,
    sign: deviceProfile && createProfileSigner(deviceProfile),
    authorities: deviceAuthorities?.map((pem) => new X509Certificate(pem)),
    context: contextOf,
  }
  const arrivals = new TelemetryArrivals()
  const telemetry = telemetryServices(options, limits, arrivals)
  const sources = {
    views,
    feed,
    rows: new RowListeners(feed, views),
    tails: new KindTails({ feed, views, clock }),
    telemetry: new TelemetryTails({ telemetry: options.telemetry, arrivals, clock }),
    watches: new Watches({ feed, views, clock }),
  }
  const watch: SocketServices['watch'] = (identity, holder) => cache.watch(identity, holder)
  const eventStreams = new OpenEventStreams({ limits, clock, metrics, watch })
  const events = new EventAnswers({ sources, executor, log, metrics, contextOf })
  const tools = toolServices({ options, builtin, executor, limits, metrics, contextOf })
  const room = new DiskRoom({ blobs: options.blobs, views, reserve: limits.diskReserveBytes })
  const uploadReceiver = new UploadReceiver({
    ...options,
    kind: 'upload',
    typed: (row) => requireKind('upload', row),
    blobOf: uploadBlob,
    room,
    limits,
  })
  const uploads = { receiver: uploadReceiver, system: options.system, blobs: options.blobs, limits, contextOf }
  const dsymReceiver = new UploadReceiver({
    ...options,
    kind: 'dsymUpload',
    typed: (row) => requireKind('dsymUpload', row),
    blobOf: dsymUploadBlob,
    room,
    limits,
  })
  const dsymUploads = {
    receiver: dsymReceiver,
    completions: new DsymCompletions({
      listeners: sources.rows,
      views,
      clock,
      atOnce: limits.dsymCompletionsAtOnce,
    }),
    system: options.system,
    room,
    limits,
    contextOf,
  }
  const crashReports = {
    system: options.system,
    reader: new CrashReportReader(),
    collection: telemetry.collection,
    quota: new AddressQuota(clock, rates.crashReportBytes),
    limits,
    contextOf,
  }
  const parts = {
    ...{ options, limits, origins, http, auth, webhooks, deviceEnrollment },
    ...{ telemetry, crashReports, dsymUploads, events, tools, uploads, contextOf },
  }
  const mainRouter = new Router(mainRoutes(parts))
  const agentRouter = new Router(agentRoutes(parts))
  const responder = (router: Router, refuse: Responder['refuse']): Responder => ({
    router,
    refuse,
    origins,
    authenticator,
    cookieRenewals,
    log,
    metrics,
    eventStreams,
    inFlight,
    clock,
    limits,
    proxies: new TrustedProxies(settings.trustedProxies),
  })
  const mainResponder = responder(mainRouter, refusalOf(options.site))
  const services: SocketServices = {
    engine,
    executor,
    groups: new PayloadGroups(engine),
    sources,
    metrics,
    authenticator,
    limits,
    clock,
    inFlight,
    watch,
    farewell: (envelope, principal) => {
      const origin = { cause: 'agent', principal: principalName(principal), requestId: 'socket closed' } as const
      void system.ask(envelope, { ...origin, receivedAt: clock.now() }).catch((error: unknown) => {
        log.info({ err: error, principal: principalName(principal) }, 'what a closed socket left was refused')
      })
    },
  }
  const sockets = graphqlSockets({
    server: mainResponder,
    services,
    context: (head, principal, requestId, onDisconnect) =>
      contextOf(head, principal, { requestId, now: clock.now(), begunAt: clock.monotonic(), onDisconnect }),
  })
  const serve =
    (server: Responder, socketPaths: readonly string[]) =>
    (app: UwsApp): void => {
      for (const path of socketPaths) app.ws(path, sockets.behavior)
      app.any('/*', (res, req) => void respond(res, req, server))
    }

  const hurry = Promise.withResolvers<void>()
  let stopped: Promise<void> | undefined
  const listeners: Listener[] = []
  try {
    const { host, port, agentWsPort } = settings
    // GraphiQL connects to the path that its page came from.
    const main = await openListener(host, port, 'PORT', serve(mainResponder, ['/graphql', '/api/graphql']))
    listeners.push(main)
    const agent = await openListener(
      host,
      agentWsPort,
      'AGENT_WS_PORT',
      serve(responder(agentRouter, restRefusal), ['/graphql']),
    )
    listeners.push(agent)
    agentPort = agent.port
    mainPort = main.port
    if (settings.metrics)
      listeners.push(await openMetricsListener(settings.metrics.host, settings.metrics.port, options.metrics))
    return {
      port: main.port,
      agentPort,
      url: `http://${urlHost(host)}:${main.port}`,
      requestOperation: serveActorRequests({ ...options, executor, makeContext }),
      stop: ({ immediate = false } = {}) => stop(immediate),
    }
  } catch (error) {
    cache.close()
    telemetry.collection.close()
    crashReports.reader.close()
    for (const { app } of listeners) app.close()
    throw error
  }

  /** It runs once, because uWebSockets.js fails if an object is closed twice. A later call with `immediate` ends the wait. */
  function stop(immediate: boolean): Promise<void> {
    if (immediate) hurry.resolve()
    stopped ??= stopOnce()
    return stopped
  }

  async function stopOnce(): Promise<void> {
    for (const listener of listeners) listener.close()
    const idle = inFlight.stop()
    uploadReceiver.stop()
    dsymReceiver.stop()
    dsymUploads.completions.stop()
    eventStreams.endAll()
    await Promise.race([idle, hurry.promise, sleep(limits.drainMs, undefined, { ref: false })])
    sockets.closeAll(1001, 'The server is stopping')
    // Close frames, and the messages that sockets send when they close, are sent before the connections end.
    await Promise.race([sockets.empty(1_000), hurry.promise])
    cache.close()
    telemetry.collection.close()
    crashReports.reader.close()
    for (const { app } of listeners) app.close()
  }
}

/** The host name for the URL of a listener, as seen from this machine. A listener on all addresses is reached as `localhost`. */
function urlHost(host: string): string {
  if (host === '0.0.0.0' || host === '::' || host === '127.0.0.1') return 'localhost'
  return host.includes(':') ? `[${host}]` : host
}
