/**
 * Many crash reports of one app that wait for one image, and then its dSYM: how fast the reports get their names, and how long requests of
 * people and agents take meanwhile, beside the same requests on the same data while nothing else runs.
 */
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { graphql } from '../../../kit/program/graphql.ts'
import {
  type CompiledImage,
  type CrashShape,
  makeAppOfImages,
  type ReportSender,
  zipOfImages,
} from '../../../kit/program/objects/appImages.ts'
import { Random } from '../../soak/random.ts'
import { startBenched } from '../support/benched.ts'
import { makeCrashFiles } from './crashFiles.ts'
import { countByStatus, findApp, sendReports, untilSymbolicated, untilWaiting, uploadDsyms } from './crashReports.ts'
import { readSymbolications } from './journalFigures.ts'
import { joinTimes, type QueryTimes, type TimedQuery, timeQueries } from './queryTimes.ts'

export interface WaitingBench extends CrashShape {
  readonly compiled: CompiledImage
  readonly reports: number
  /** The time of requests before the upload, and again after the last report, ms. */
  readonly idleMs: number
  /** A request begins whenever this time has passed, ms. */
  readonly everyMs: number
  readonly profile?: string | undefined
  print(line: string): void
}

export interface WaitingFigures {
  /** Reports that were received in a second, before the upload. */
  readonly receivedPerSecond: number
  readonly symbolicatedPerSecond: number
  readonly byStatus: ReadonlyMap<string, number>
  /** Results of symbolications that reports have taken. */
  readonly symbolications: number
  /** Files with the names of a report. Work that was done twice leaves one that no report uses. */
  readonly storedSymbolications: number
  readonly idle: QueryTimes
  readonly busy: QueryTimes
}

/** Requests with a report at the same time. */
const atOnce = 16
const agents = 10

export async function measureWaiting(bench: WaitingBench): Promise<WaitingFigures> {
  const folder = await mkdtemp(join(tmpdir(), 'signalbox-bench-'))
  const dataDir = join(folder, 'data')
  try {
    const benched = await startBenched(dataDir, agents, { log: join(folder, 'log'), profile: bench.profile })
    try {
      const sender = { url: benched.url, key: benched.apiKey }
      const app = makeAppOfImages('org.example.shop', 1)
      const began = performance.now()
      const ids = await sendReports(sender, makeCrashFiles(app, bench, bench.reports, 1), atOnce)
      const receivedPerSecond = (ids.length / (performance.now() - began)) * 1_000
      bench.print(`${ids.length} crash reports received, ${receivedPerSecond.toFixed(0)} a second`)
      const appId = await findApp(sender, app.bundleIdentifier)
      await untilWaiting(sender, appId, ids.length)
      const queries = typicalQueries(sender, appId, ids, (index) => benched.fleet.beat(index % agents))
      const plan = { queries, everyMs: bench.everyMs }
      const timeIdle = () => timeQueries(plan, AbortSignal.timeout(bench.idleMs))
      // Code that a request runs for the first time is compiled.
      await timeIdle()
      const before = await timeIdle()
      const since = Date.now()
      const ended = new AbortController()
      const measured = timeQueries(plan, ended.signal)
      const work = (async () => {
        await uploadDsyms(sender, zipOfImages(app, bench.compiled))
        await untilSymbolicated(sender, appId, ids.length, pollMs(ids.length))
      })().finally(() => ended.abort())
      const [busy] = await Promise.all([measured, work])
      const after = await timeIdle()
      const { symbolications, ms } = await readSymbolications(benched.database, since)
      return {
        receivedPerSecond,
        symbolicatedPerSecond: (symbolications / ms) * 1_000,
        byStatus: await countByStatus(sender, appId),
        symbolications,
        storedSymbolications: (await readdir(join(dataDir, 'blobs', 'crash-symbols'))).length,
        idle: joinTimes(before, after),
        busy,
      }
    } finally {
      await benched.stop()
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Each poll counts all reports. That must not take a hundredth of the time, since the figure is the p99 of the requests. */
function pollMs(reports: number): number {
  return Math.min(30_000, 50 + reports / 3)
}

function typicalQueries(
  { url, key }: ReportSender,
  appId: string,
  reportIds: readonly string[],
  beat: (index: number) => Promise<void>,
): readonly TimedQuery[] {
  const random = new Random(2)
  let count = 0
  const ask = (query: string, variables: Readonly<Record<string, unknown>> = {}) =>
    graphql(url, { 'X-API-Key': key }, query, variables)
  const fields = 'id status version build exceptionType exceptionReason happenedAt frameCount namedFrameCount'
  const page = `query ($appId: ID!) { crashReports(appId: $appId, first: 50) { nodes { ${fields} } pageInfo { endCursor } } }`
  const threads =
    'threads(first: 20) { nodes { name crashed frames(first: 30) { nodes { address imageName symbol file line } } } }'
  const report = `query ($id: ID!) { crashReport(id: $id) { ${fields} missingUuids ${threads} } }`
  const rename = 'mutation ($input: UpdateAppInput!) { updateApp(input: $input) { app { id } } }'
  return [
    { name: 'a page of 50 crash reports', ask: () => ask(page, { appId }) },
    { name: 'a crash report with its threads', ask: () => ask(report, { id: random.pick(reportIds) }) },
    { name: 'the Action Center', ask: () => ask('{ actionCenter { totalCount items { id kind title detail } } }') },
    { name: 'a heartbeat of an agent', ask: () => beat(count++) },
    { name: 'a mutation', ask: () => ask(rename, { input: { appId, name: `Shop ${count++}` } }) },
  ]
}
