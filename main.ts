/** The program: reads the environment, starts all parts, and stops them in order. */
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Logger } from 'pino'
import { Registry } from 'prom-client'
import { clockOf } from './actors/clock.ts'
import { createOnce } from './actors/createOnce.ts'
import { Apns } from './actors/effects/apns/apns.ts'
import { effectHandlers } from './actors/effects/handlers.ts'
import { createOutbound } from './actors/effects/outbound/outbound.ts'
import type { Outbound } from './actors/effects/outbound/port.ts'
import type { RequestOperation } from './actors/effects/requestOperation.ts'
import { fillSearch } from './actors/fillSearch.ts'
import { machineRelease } from './actors/machineRelease.ts'
import type { Clock } from './actors/ports/clock.ts'
import { Presence } from './actors/presence/presence.ts'
import { ActorSystem } from './actors/system.ts'
import { upgrade } from './actors/upgrade.ts'
import { bundleAgent } from './clients/agent/bundle.ts'
import { type LocalAgentOptions, startLocalAgent } from './clients/agent/local.ts'
import { openSite } from './clients/console/site.ts'
import { bundleDsymClient } from './clients/dsym/bundle.ts'
import { argon2id } from './gateway/auth/argon2.ts'
import { createIds } from './gateway/ids.ts'
import { registerActorMetrics } from './gateway/observability/actorMetrics.ts'
import { blobDifferenceCounter } from './gateway/observability/blobMetrics.ts'
import { registerDatabaseMetrics } from './gateway/observability/databaseMetrics.ts'
import { openLog } from './gateway/observability/log.ts'
import { createLocalEnrollment } from './gateway/operations/agents/localEnrollment.ts'
import { createAppEffects } from './gateway/operations/apps/appEffects.ts'
import { removeOldFiles } from './gateway/operations/apps/indexing/removeOldFiles.ts'
import { TableRewriter } from './gateway/operations/apps/indexing/tableRewrites/tableRewriter.ts'
import { SymbolTableWriter } from './gateway/operations/apps/symbols/symbolTableWriter.ts'
import { CrashThreads } from './gateway/operations/apps/threads/crashThreads.ts'
import { sweepBlobs } from './gateway/operations/builds/uploads/blobSweep.ts'
import { FirstSeen } from './gateway/operations/builds/uploads/firstSeen.ts'
import { DiskRoom } from './gateway/operations/core/diskRoom.ts'
import { everyRow } from './gateway/operations/core/everyRow.ts'
import { objectTypes, operations } from './gateway/operations/operations.ts'
import { findDeadlock } from './gateway/operations/runs/deadlocks.ts'
import { type InstallationParts, installationStatus } from './gateway/operations/settings/describeInstallation.ts'
import { resealAll } from './gateway/operations/settings/reseal.ts'
import { createExternalTools } from './gateway/operations/tools/external/externalTools.ts'
import { type TypedViews, withRowTypes } from './gateway/operations/typedViews.ts'
import { AppKeys } from './gateway/secrets/appKeys.ts'
import { type Sealings, sealingsOf } from './gateway/secrets/sealing.ts'
import { signingsOf } from './gateway/secrets/signing.ts'
import { type Gateway, startGateway } from './gateway/server.ts'
import { machines } from './machines/machines.ts'
import { readSettings, type Settings } from './settings.ts'
import type { ActorRef } from './spec/core/actor.ts'
import {
  type ActorKind,
  kindOfId,
  presetCatalogId,
  registrationId,
  serverUrlSettingsId,
  telemetrySettingsId,
} from './spec/core/ids.ts'
import type { Site } from './spec/pages/site.ts'
import type { ExternalTools } from './spec/tools/external.ts'
import { developmentSecret } from './storage/blobs/developmentSecret.ts'
import { ThreadedBlobHashes } from './storage/blobs/hashing/threadedBlobHashes.ts'
import { openBlobs } from './storage/blobs/openBlobs.ts'
import { openDatabase } from './storage/database/database.ts'
import type { BlobHashes } from './storage/ports/blobHashes.ts'
import type { Blobs } from './storage/ports/blobs.ts'
import { scheduleHousekeeping } from './storage/retention/hourlyHousekeeping.ts'
import type { Storage } from './storage/storage.ts'
import { publishedStreams } from './storage/streams/publishedStreams.ts'
import { refuseUnsupported } from './storage/unsupported.ts'

/** The time between two re-encryptions: another process may still encrypt with the previous secret. */
const resealMs = 3_600_000
const streamDays = 30
/** For how long a failed program waits for its sockets to be closed with a reason before it exits. */
const farewellMs = 500

/** The actors that exist once. */
const onlyActors: readonly ActorRef[] = [
  { kind: 'registration', id: registrationId },
  { kind: 'telemetrySettings', id: telemetrySettingsId },
  { kind: 'serverUrlSettings', id: serverUrlSettingsId },
  { kind: 'mcpToolPreset', id: presetCatalogId },
]

interface TypedStorage extends Omit<Storage, 'views'> {
  readonly views: TypedViews
}

export interface Signalbox {
  /** `http://host:port` of the main listener, and the port of the agents' listener. */
  readonly url: string
  readonly agentPort: number
  /**
   * Takes no new work, sends pending replies, closes sockets with a reason, and closes storage. With `immediate`, it only stops
   * the gateway and waits for nothing.
   */
  stop(options?: { readonly immediate?: boolean }): Promise<void>
  /** Resolves with the reason if the program cannot continue. */
  readonly failed: Promise<string>
}

export async function startSignalbox(settings: Settings, log: Logger): Promise<Signalbox> {
  const owner = randomUUID()
  // The pages are bundled while the database starts.
  const opening = openSite()
  opening.catch(() => {})
  const database = await openDatabase({
    settings,
    owner,
    machines: machineRelease(Object.values(machines)),
    log: (line) => log.info(line),
  })
  const streams = publishedStreams(database.storage.streams, database.storage.feed)
  const storage: TypedStorage = { ...database.storage, streams, views: withRowTypes(database.storage.views) }
  const clock = clockOf(storage.databaseTime)
  const stops: (() => Promise<void> | void)[] = [() => database.close()]
  try {
    const blobs = await openBlobs(settings, storage.blobParts, (line) => log.warn(line))
    const hashes = new ThreadedBlobHashes(blobs)
    stops.unshift(() => hashes.close())
    const keys = new AppKeys(
      settings.appSecret ?? (await developmentSecret(settings.dataDir)),
      settings.appSecretPrevious,
    )
    const sealings = sealingsOf(keys)
    const apns = settings.apns && openApns(settings.apns, clock, log)
    if (apns !== undefined) stops.unshift(() => apns.close())
    const room = new DiskRoom({ blobs, views: storage.views, reserve: settings.limits.diskReserveBytes })
    const crashThreads = new CrashThreads({ blobs, room, contents: storage.contents, log })
    // Actors start before the gateway, so what they request waits for it.
    const requests = Promise.withResolvers<RequestOperation>()
    const system = await startActors({
      requestOperation: async (request) => await (await requests.promise)(request),
      storage,
      blobs,
      room,
      crashThreads,
      hashes,
      owner,
      shared: database.shared,
      settings,
      keys,
      sealings,
      apns,
      clock,
      log,
    })
    stops.unshift(() => system.stop())
    const presence = await startPresence(storage, system, clock, log)
    stops.unshift(() => presence.stop())
    const reencrypt = () => resealAll({ views: storage.views, system, sealings, now: clock.now(), log })
    await reencrypt()
    const resealing = setInterval(() => void reencrypt(), resealMs)
    stops.unshift(() => clearInterval(resealing))
    const retention = {
      journalDays: settings.journalRetentionDays,
      streamDays,
      telemetryDays: settings.telemetryRetentionDays,
      toolCallDays: settings.auditRetentionDays,
    }
    const problem = (error: unknown) => log.error({ err: error }, 'housekeeping failed; the next attempt is in an hour')
    const metrics = new Registry()
    const countDifferences = blobDifferenceCounter(metrics)
    const firstSeen = new FirstSeen()
    const sweep = async () => {
      const { rawCrashReportRetentionDays } = settings
      const parts = { blobs, views: storage.views, system, clock, firstSeen, rawCrashReportRetentionDays, log }
      const { orphans, lost, leftovers } = await sweepBlobs(parts)
      await removeOldFiles(unpackFolder(settings), clock.now())
      countDifferences('orphan', orphans)
      countDifferences('lost', lost)
      countDifferences('leftover', leftovers)
    }
    stops.unshift(scheduleHousekeeping({ storage, retention, clock, sweepBlobs: sweep, problem }))
    const backgroundTables = new SymbolTableWriter({ isBackground: true })
    const tableParts = { blobs, views: storage.views, system, room, clock, tables: backgroundTables, log }
    stops.unshift(new TableRewriter(tableParts).start())
    const outbound = createOutbound({ allow: settings.outboundAllow, clock })
    const { limits } = settings
    const sealing = sealings.externalCredential
    const { views } = storage
    const externalTools = createExternalTools({ views, system, sealing, outbound, clock, limits, log })
    stops.unshift(() => externalTools.close())
    const here = { owner, embedded: !database.shared, startedAt: clock.now() }
    const site = await opening
    const parts = {
      settings,
      storage,
      blobs,
      hashes,
      system,
      presence,
      keys,
      sealings,
      outbound,
      externalTools,
      site,
      clock,
      log,
      metrics,
      here,
    }
    const gateway = await openGateway(parts)
    stops.unshift(() => gateway.stop())
    requests.resolve(gateway.requestOperation)
    const agent = settings.localAgent
      ? await startLocalAgent(localAgentOptions({ settings, gateway, system, clock, log }))
      : undefined
    if (agent !== undefined) stops.unshift(() => agent.stop())
    return {
      url: gateway.url,
      agentPort: gateway.agentPort,
      failed: database.failed,
      async stop({ immediate = false } = {}) {
        if (immediate) return gateway.stop({ immediate })
        for (const stop of stops) await stop()
      },
    }
  } catch (error) {
    for (const stop of stops) await stop()
    throw error
  }
}

interface ActorParts {
  readonly requestOperation: RequestOperation
  readonly storage: TypedStorage
  readonly blobs: Blobs
  readonly room: DiskRoom
  readonly crashThreads: CrashThreads
  readonly hashes: BlobHashes
  readonly owner: string
  readonly shared: boolean
  readonly settings: Settings
  readonly keys: AppKeys
  readonly sealings: Sealings
  /** Undefined if push notifications are not configured. */
  readonly apns: Apns | undefined
  readonly clock: Clock
  readonly log: Logger
}

/** The folder for files that are unpacked from zips. They are on the disk of the data, because they may be large. */
const unpackFolder = ({ dataDir }: Settings): string => join(dataDir, 'unpacked')

function openApns(settings: NonNullable<Settings['apns']>, clock: Clock, log: Logger): Apns {
  return new Apns({ ...settings, clock, problem: (message) => log.error(message) })
}

async function startActors(parts: ActorParts): Promise<ActorSystem<ActorKind>> {
  const { requestOperation, storage, blobs, room, crashThreads, hashes, owner, shared, settings, keys } = parts
  const { sealings, apns, clock, log } = parts
  const appEffects = createAppEffects({
    blobs,
    views: storage.views,
    system: { ask: (...given) => system.ask(...given) },
    ids: createIds(clock),
    room,
    crashThreads,
    folder: unpackFolder(settings),
    clock,
    log,
  })
  const system: ActorSystem<ActorKind> = new ActorSystem({
    kindOfId,
    ...storage,
    definitions: Object.values(machines),
    clock,
    owner,
    shared,
    handlers: effectHandlers({
      streams: storage.streams,
      views: storage.views,
      clock,
      ask: (...given) => system.ask(...given),
      apns,
      tokens: sealings.deviceToken,
      acceptedKeyIds: keys.acceptedKeyIds,
      blobs,
      hashes,
      requestOperation,
      findDeadlock: (runId) => findDeadlock(runId, storage.views),
      ...appEffects,
    }),
    messagesPerActor: settings.limits.messagesPerActor,
    messagesWaiting: settings.limits.messagesWaiting,
    problem: (error, context) => log.error({ err: error, ...context }, 'a problem among the actors'),
  })
  const { journal, definitions: kept } = storage
  const moved = await upgrade({ logics: system.logics, definitions: kept, journal, clock, owner })
  if (moved > 0) log.info({ moved }, 'actors were moved to the machines of this version')
  // Before the program takes work, so that a client that gets an answer can search for all actors.
  let nextReport = 10_000
  const created = await fillSearch({
    logics: system.logics,
    journal,
    searchIndex: storage.searchIndex,
    progress(count) {
      if (count < nextReport) return
      nextReport = count + 10_000
      log.info({ count }, 'search documents of existing actors are being created')
    },
    problem: (error, context) => log.warn({ err: error, ...context }, 'an actor cannot be found by a search'),
  })
  if (created > 0) log.info({ created }, 'search documents of existing actors were created')
  system.start()
  const exists = async ({ kind, id }: ActorRef) => (await storage.views.get(kind, id)) !== undefined
  for (const to of onlyActors) await createOnce(to, { system, exists, now: clock.now() })
  return system
}

async function startPresence(
  storage: TypedStorage,
  system: ActorSystem<ActorKind>,
  clock: Clock,
  log: Logger,
): Promise<Presence> {
  const { views, feed } = storage
  const presence = new Presence({
    store: storage.presence,
    feed,
    clock,
    tell: async (to, event) => {
      const origin = {
        cause: 'timer',
        principal: 'system',
        requestId: 'presence',
        receivedAt: clock.now(),
      } as const
      await system.ask({ to, event }, origin)
    },
    load: async () => ({
      agents: await everyRow(views, { kind: 'agent', statuses: ['CONNECTED', 'DISCONNECTED', 'LOST'] }),
      jobs: await everyRow(views, { kind: 'job', statuses: ['RUNNING'] }),
    }),
    rows: (ids) => views.findMany(ids),
    problem: (error) => log.warn({ err: error }, 'a problem with presence'),
  })
  await presence.start()
  return presence
}

interface GatewayParts {
  readonly settings: Settings
  readonly storage: TypedStorage
  readonly blobs: Blobs
  readonly hashes: BlobHashes
  readonly system: ActorSystem<ActorKind>
  readonly presence: Presence
  readonly keys: AppKeys
  readonly sealings: Sealings
  readonly outbound: Outbound
  readonly externalTools: ExternalTools
  readonly site: Site
  readonly clock: Clock
  readonly log: Logger
  readonly metrics: Registry
  /** This process. */
  readonly here: Pick<InstallationParts, 'owner' | 'embedded' | 'startedAt'>
}

async function openGateway(parts: GatewayParts): Promise<Gateway> {
  const {
    settings,
    storage,
    blobs,
    hashes,
    system,
    presence,
    keys,
    sealings,
    outbound,
    externalTools,
    site,
    clock,
    log,
    metrics,
    here,
  } = parts
  let gateway: Gateway | undefined
  registerActorMetrics(metrics, () => system.load)
  registerDatabaseMetrics(metrics, () => storage.health())
  gateway = await startGateway({
    settings,
    ...storage,
    system,
    presence,
    contents: storage.contents,
    blobs,
    hashes,
    numbers: storage.counters,
    operations,
    objectTypes,
    ids: createIds(clock),
    secrets: keys,
    sealings,
    signings: signingsOf(keys),
    externalTools,
    outbound,
    passwords: argon2id,
    log,
    metrics,
    agentProgram: bundleAgent,
    dsymClient: bundleDsymClient,
    site,
    healthy: () => storage.healthy(),
    installation: () =>
      installationStatus({
        ...here,
        settings,
        listening: gateway,
        now: clock.now(),
        database: () => storage.about(),
        healthy: () => storage.healthy(),
      }),
    clock,
  })
  return gateway
}

interface LocalAgentParts {
  readonly settings: Settings
  readonly gateway: Gateway
  readonly system: ActorSystem<ActorKind>
  readonly clock: Clock
  readonly log: Logger
}

/** The local agent searches for repositories below the folder in which the program was started. */
function localAgentOptions({ settings, gateway, system, clock, log }: LocalAgentParts): LocalAgentOptions {
  return {
    server: gateway.url,
    dataDir: settings.dataDir,
    roots: [process.cwd()],
    clis: settings.localAgentClis,
    ended: (code) => log.error({ code }, 'the local agent has ended; LOCAL_AGENT=off starts without one'),
    enroll: () => createLocalEnrollment(system, createIds(clock), clock),
  }
}

async function run(): Promise<void> {
  const settings = readSettings(process.env, process.stdout.isTTY === true)
  refuseUnsupported(settings)
  const log = openLog(settings)
  const signalbox = await startSignalbox(settings, log)
  log.info({ url: signalbox.url, agentPort: signalbox.agentPort }, `Signalbox is ready at ${signalbox.url}`)
  let stopping = false
  const stop = async (reason: string, code: number) => {
    if (stopping) process.exit(code || 1)
    stopping = true
    log.info({ reason }, 'stopping: no new work; send the signal again to stop at once')
    await signalbox.stop().catch((error: unknown) => log.error({ err: error }, 'the stop was not clean'))
    log.info('stopped')
    process.exit(code)
  }
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void stop(signal, 0))
  void signalbox.failed.then(async (reason) => {
    log.error(reason)
    // Nothing can be committed any more, so callers that still wait get no answer by waiting longer.
    await Promise.race([signalbox.stop({ immediate: true }), sleep(farewellMs)]).catch(() => {})
    process.exit(1)
  })
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  run().catch((error: unknown) => {
    const known = error instanceof Error && ['StartError', 'SettingsError', 'UpgradeRefused'].includes(error.name)
    process.stderr.write(`${known ? error.message : error instanceof Error ? error.stack : String(error)}\n`)
    process.exit(1)
  })
}
