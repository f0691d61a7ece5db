/**
 * Crash reports that wait for one image, while its dSYM is uploaded: how fast they get their names, and how long requests of people and agents
 * take meanwhile, beside the same requests while nothing else runs. Fails past 1.5 times the p99 of a kind of queries, 2 times that of
 * heartbeats or 3 times that of mutations, if a report is not SYMBOLICATED at the end, and if one was symbolicated twice.
 * node test/longRuns/bench/waiting.ts [--reports 100000] [--places 500] [--functions 2000] [--idle 120] [--every 50] [--profile FOLDER]
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { quantile } from './codingCli/quantile.ts'
import { printMachine, printTable } from './support/report.ts'
import { compileImage } from './symbolication/compileImage.ts'
import { measureWaiting } from './symbolication/measureWaiting.ts'

const { values } = parseArgs({
  options: {
    reports: { type: 'string', default: '100000' },
    /** In which the app crashes: the reports of each are a crash group. */
    places: { type: 'string', default: '500' },
    functions: { type: 'string', default: '2000' },
    /** Seconds of requests while nothing else runs: before the upload, and again after the last report. */
    idle: { type: 'string', default: '120' },
    /** Milliseconds from one request to the next one. */
    every: { type: 'string', default: '50' },
    /** A folder for a profile of the server's processor time. */
    profile: { type: 'string' },
  },
})
const reports = Number(values.reports)
const mostRatioOfQueries = 1.5
const mostRatios: Readonly<Record<string, number>> = {
  // An idle server answers it in 2 ms, so a wait of a few milliseconds is a multiple of that.
  'a heartbeat of an agent': 2,
  // It is stored durably before its answer, on the disk to which the results of the reports are written.
  'a mutation': 3,
}

printMachine()
const folder = mkdtempSync(join(tmpdir(), 'waiting-bench-'))
try {
  const found = await measureWaiting({
    compiled: await compileImage(folder, Number(values.functions)),
    reports,
    // Of each thread a third is the app's own code, and the rest that of the system.
    ...{ threads: 20, framesPerThread: 30, systemFrames: 20, places: Number(values.places) },
    idleMs: Number(values.idle) * 1_000,
    everyMs: Number(values.every),
    profile: values.profile,
    print: (line) => console.log(line),
  })
  const rows = [...found.busy].map(([what, busy]) => {
    const idle = found.idle.get(what) ?? []
    const [p99Idle, p99Busy] = [quantile(idle, 0.99), quantile(busy, 0.99)]
    return { what, idle, busy, p99Idle, p99Busy, ratio: p99Busy / p99Idle }
  })
  printTable(
    rows.map(({ what, idle, busy, p99Idle, p99Busy, ratio }) => ({
      request: what,
      'idle: p50 ms': quantile(idle, 0.5),
      'p99 ms': p99Idle,
      'meanwhile: p50 ms': quantile(busy, 0.5),
      'p99, ms': p99Busy,
      'ratio of p99': ratio,
      requests: busy.length,
    })),
  )
  const { symbolicatedPerSecond, byStatus, symbolications, storedSymbolications } = found
  const statuses = [...byStatus].filter(([, count]) => count > 0).map(([status, count]) => `${count} ${status}`)
  console.log(
    `${symbolicatedPerSecond.toFixed(0)} crash reports symbolicated a second, at the end ${statuses.join(', ')}`,
  )
  console.log(`${symbolications} symbolications of ${reports} reports, ${storedSymbolications} stored results`)
  if (byStatus.get('SYMBOLICATED') !== reports) fail(`Not all ${reports} reports are SYMBOLICATED.`)
  if (symbolications !== reports || storedSymbolications !== reports) fail('A report was symbolicated more than once.')
  for (const { what, ratio } of rows) {
    const most = mostRatios[what] ?? mostRatioOfQueries
    if (!(ratio <= most))
      fail(`The p99 of ${what} is ${ratio.toFixed(2)} times that of an idle server, and ${most} are allowed.`)
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}

function fail(message: string): void {
  console.error(message)
  process.exitCode = 1
}
