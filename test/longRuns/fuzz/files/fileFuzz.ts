/** Makes files for some readers, until the time is over or each had a number of files. All readers have the same time. */
import { FileFindings } from './fileFindings.ts'
import { figureLines, megabytes, minutes } from './fileReport.ts'
import type { FuzzedReader } from './fuzzedReader.ts'
import { MemoryOverTime, type MemorySummary } from './memoryOverTime.ts'
import { defaultBounds, ReaderRun, type RunBounds } from './readerRun.ts'

export interface FileFuzzOptions {
  /** The URL of a module with `fuzzedReaders`. */
  readonly module: string
  readonly readers: readonly FuzzedReader[]
  readonly seed: number
  /** The run ends after this time. */
  readonly forMs: number
  /** Files of each reader. The run ends earlier if each had this number. */
  readonly inputs?: number
  readonly bounds?: Partial<RunBounds>
  /** Whether the first finding ends the run. */
  readonly isEndedByFinding?: boolean
  /** The folder for files that show a fault. */
  readonly folder: string
  /** Between two reports, ms. */
  readonly reportEachMs: number
  report(line: string): void
}

export interface FileFuzzResult {
  readonly runs: readonly Pick<ReaderRun, 'reader' | 'figures' | 'kept'>[]
  readonly findings: FileFindings
  readonly rss: MemorySummary
}

/** The process holds the threads of all readers. Memory that it holds beyond that of the sixth minute is a leak. */
const mostGrowth = 512 * 1024 ** 2

export async function fuzzFiles(options: FileFuzzOptions): Promise<FileFuzzResult> {
  const { module, readers, seed, forMs, folder, report, reportEachMs } = options
  const findings = new FileFindings(folder)
  const bounds = { ...defaultBounds, ...options.bounds }
  const runs = readers.map((reader) => new ReaderRun(reader, { module, seed, bounds, findings, report }))
  const begun = performance.now()
  const memory = new MemoryOverTime(forMs)
  const memoryTimer = setInterval(() => memory.sample(), 1_000)
  try {
    let reportedAt = begun
    for (const run of runs) {
      await run.begin()
      await run.measure()
    }
    const isEnded = () => options.isEndedByFinding === true && findings.all.length > 0
    while (performance.now() - begun < forMs && !isEnded()) {
      const next = chooseNext(runs, options.inputs ?? Number.POSITIVE_INFINITY)
      if (next === undefined) break
      await next.go()
      if (performance.now() - reportedAt < reportEachMs) continue
      reportedAt = performance.now()
      for (const run of runs) await run.measure()
      report(`after ${minutes(reportedAt - begun)} min, ${megabytes(memory.sample())} MB of memory`)
      for (const line of figureLines(runs)) report(line)
    }
    for (const run of runs) await run.measure()
    memory.sample()
  } finally {
    clearInterval(memoryTimer)
    for (const run of runs) await run.close()
  }
  const rss = memory.summarize()
  const growth = rss.late - rss.early
  if (growth > mostGrowth) {
    const fault = `the process has ${megabytes(growth)} MB more than after the warm-up`
    findings.add({ reader: 'process', fault, seed, input: 0 }, Buffer.from(fault))
    report(`FOUND process: ${fault}`)
  }
  return { runs, findings, rss }
}

/** The run that has had the least time, of those that have fewer files. */
function chooseNext(runs: readonly ReaderRun[], inputs: number): ReaderRun | undefined {
  const [next] = runs.filter(({ figures }) => figures.inputs < inputs).sort((a, b) => a.figures.ms - b.figures.ms)
  return next
}
