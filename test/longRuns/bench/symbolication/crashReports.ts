/** Crash reports of an app on a server, as a bench sends them and follows their symbolication. */
import { setTimeout as sleep } from 'node:timers/promises'
import { graphql } from '../../../kit/program/graphql.ts'
import { type CrashFile, type ReportSender, sendCrashFile } from '../../../kit/program/objects/appImages.ts'
import { completeDsymUpload, createDsymUpload, sendDsymBytes } from '../../../kit/program/objects/dsymUploads.ts'
import { until } from '../../../kit/program/until.ts'

/** Sends the reports, so many at once. @returns their IDs in the order of the reports */
export async function sendReports(
  sender: ReportSender,
  reports: Iterator<CrashFile>,
  atOnce: number,
): Promise<readonly string[]> {
  const ids: string[] = []
  let sent = 0
  const sendNext = async (): Promise<void> => {
    for (let next = reports.next(); !next.done; next = reports.next()) {
      const index = sent++
      ids[index] = await sendCrashFile(sender, next.value.text)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, sendNext))
  return ids
}

const chunkBytes = 16 * 1024 * 1024

/** @returns when the server has indexed the dSYMs @throws Error if it has not */
export async function uploadDsyms(sender: ReportSender, zip: Buffer): Promise<void> {
  const { id } = await createDsymUpload(sender, zip)
  for (let from = 0; from < zip.length; from += chunkBytes)
    await sendDsymBytes(sender, id, zip, from, Math.min(zip.length, from + chunkBytes))
  const status = await completeDsymUpload(sender, id)
  if (status !== 200) throw new Error(`The upload of the dSYMs was answered ${status}.`)
}

export async function findApp({ url, key }: ReportSender, bundleIdentifier: string): Promise<string> {
  const query = 'query ($name: String) { apps(bundleIdentifier: $name) { nodes { id } } }'
  const { apps } = await graphql<{ apps: { nodes: readonly { readonly id: string }[] } }>(
    url,
    { 'X-API-Key': key },
    query,
    { name: bundleIdentifier },
  )
  const [app] = apps.nodes
  if (app === undefined) throw new Error(`There is no app ${bundleIdentifier}.`)
  return app.id
}

/** The number of an app's reports by status. */
export async function countByStatus({ url, key }: ReportSender, appId: string): Promise<ReadonlyMap<string, number>> {
  const query = 'query ($appId: ID!) { app(id: $appId) { crashReportCounts { status count } } }'
  const { app } = await graphql<{
    app: { crashReportCounts: readonly { readonly status: string; readonly count: number }[] }
  }>(url, { 'X-API-Key': key }, query, { appId })
  return new Map(app.crashReportCounts.map(({ status, count }) => [status, count]))
}

/** The numbers of reports that the groups of the app count. Those of a group by addresses, which all reports have left, are 0. */
export async function countInGroups({ url, key }: ReportSender, appId: string): Promise<readonly number[]> {
  const query = `query ($appId: ID!, $after: String) {
    crashGroups(appId: $appId, statuses: [NEW, SPIKING, EMPTY], first: 100, after: $after) {
      nodes { reportCount } pageInfo { hasNextPage endCursor }
    }
  }`
  const counts: number[] = []
  for (let after: string | null = null; ; ) {
    const { crashGroups }: GroupPage = await graphql(url, { 'X-API-Key': key }, query, { appId, after })
    counts.push(...crashGroups.nodes.map(({ reportCount }) => reportCount))
    if (!crashGroups.pageInfo.hasNextPage) return counts
    after = crashGroups.pageInfo.endCursor
  }
}

interface GroupPage {
  readonly crashGroups: {
    readonly nodes: readonly { readonly reportCount: number }[]
    readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null }
  }
}

/** Resolves when so many reports of the app are SYMBOLICATED. @throws Error if none was added for a minute */
export async function untilSymbolicated(
  sender: ReportSender,
  appId: string,
  count: number,
  everyMs: number,
): Promise<void> {
  let before = -1
  for (let changedAt = performance.now(); ; ) {
    const counts = await countByStatus(sender, appId)
    const done = counts.get('SYMBOLICATED') ?? 0
    if (done === count) return
    if (done !== before) changedAt = performance.now()
    if (performance.now() - changedAt > 60_000)
      throw new Error(`No report was symbolicated for a minute: ${JSON.stringify([...counts])}`)
    before = done
    await sleep(everyMs)
  }
}

/** Resolves when the images of the app are connected with so many reports, so that none of these misses the symbols. */
export async function untilWaiting(sender: ReportSender, appId: string, count: number): Promise<void> {
  await until(`${count} reports to wait`, async () => {
    return (await countByStatus(sender, appId)).get('WAITING_FOR_SYMBOLS') === count || undefined
  })
}

interface Threads {
  readonly crashReport: {
    readonly threads: {
      readonly nodes: readonly {
        readonly frames: { readonly nodes: readonly { readonly symbol: string | null; readonly isSystem: boolean }[] }
      }[]
    }
  }
}

/** The symbols of the frames of a report in the order of its threads, inlined ones included, without those of the system. */
export async function readSymbols({ url, key }: ReportSender, id: string): Promise<readonly string[]> {
  const query =
    'query ($id: ID!) { crashReport(id: $id) { threads(first: 50) { nodes { frames(first: 100) { nodes { symbol isSystem } } } } } }'
  const { crashReport } = await graphql<Threads>(url, { 'X-API-Key': key }, query, { id })
  return crashReport.threads.nodes.flatMap(({ frames }) =>
    frames.nodes.flatMap(({ symbol, isSystem }) => (isSystem ? [] : (symbol ?? ''))),
  )
}
