/**
 * Crash reports that a whole server symbolicates, beside llvm-symbolizer with the same addresses in one process: reports that come after
 * their symbols, and reports that have waited for them.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  type CompiledImage,
  type CrashFile,
  type CrashShape,
  makeAppOfImages,
  type ReportSender,
  zipOfImages,
} from '../../../kit/program/objects/appImages.ts'
import { startBenched } from '../support/benched.ts'
import { makeCrashFiles, namesByReport } from './crashFiles.ts'
import { findApp, readSymbols, sendReports, untilSymbolicated, untilWaiting, uploadDsyms } from './crashReports.ts'
import { readSymbolications } from './journalFigures.ts'
import { nameByLlvm } from './llvmNames.ts'

export interface SymbolicationBench extends CrashShape {
  readonly compiled: CompiledImage
  readonly images: number
  readonly reports: number
  readonly profile?: string | undefined
}

export interface SymbolicationFigure {
  readonly what: string
  readonly reports: number
  /** Frames that want a name. */
  readonly frames: number
  /** Symbolications, which are more than the reports if symbols came one after another. */
  readonly symbolications: number
  readonly ms: number
  readonly llvmMs: number
}

/** Requests with a report at the same time. */
const atOnce = 8
/** Reports whose names are compared with those of llvm-symbolizer. */
const compared = 5

/** @throws Error if a report has another name than llvm-symbolizer gives */
export async function measureSymbolication(bench: SymbolicationBench): Promise<readonly SymbolicationFigure[]> {
  const folder = await mkdtemp(join(tmpdir(), 'signalbox-bench-'))
  try {
    const benched = await startBenched(join(folder, 'data'), 0, { log: join(folder, 'log'), profile: bench.profile })
    try {
      const sender = { url: benched.url, key: benched.apiKey }
      const stage: Stage = { sender, target: benched.database, folder, bench }
      return [await measureAfterSymbols(stage), await measureWaiting(stage)]
    } finally {
      await benched.stop()
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

interface Stage {
  readonly sender: ReportSender
  readonly target: Awaited<ReturnType<typeof startBenched>>['database']
  readonly folder: string
  readonly bench: SymbolicationBench
}

/** The time from the first request to the last result: it contains the receipt of the reports. */
async function measureAfterSymbols(stage: Stage): Promise<SymbolicationFigure> {
  const { sender, bench } = stage
  const app = makeAppOfImages('org.example.after', bench.images)
  await uploadDsyms(sender, zipOfImages(app, bench.compiled))
  // The code of the server is compiled afterwards, and its threads run.
  const warm = [...makeCrashFiles(app, bench, 20, 2)]
  await sendReports(sender, warm.values(), atOnce)
  const appId = await findApp(sender, app.bundleIdentifier)
  await untilSymbolicated(sender, appId, warm.length, 50)
  const reports = [...makeCrashFiles(app, bench, bench.reports, 1)]
  const llvm = await nameByLlvm(stage.folder, app, bench.compiled, reports)
  const since = Date.now()
  const began = performance.now()
  const ids = await sendReports(sender, reports.values(), atOnce)
  await untilSymbolicated(sender, appId, warm.length + reports.length, 50)
  const ms = performance.now() - began
  const { symbolications } = await readSymbolications(stage.target, since)
  await compareNames(sender, ids, reports, llvm.functions)
  return {
    ...{ what: 'reports after their symbols, with their receipt', reports: reports.length },
    ...{ frames: llvm.functions.length, symbolications, ms, llvmMs: llvm.ms },
  }
}

/** The time from the first result to the last one. */
async function measureWaiting(stage: Stage): Promise<SymbolicationFigure> {
  const { sender, bench } = stage
  const app = makeAppOfImages('org.example.waiting', bench.images)
  const reports = [...makeCrashFiles(app, bench, bench.reports, 3)]
  const ids = await sendReports(sender, reports.values(), atOnce)
  const appId = await findApp(sender, app.bundleIdentifier)
  await untilWaiting(sender, appId, reports.length)
  const llvm = await nameByLlvm(stage.folder, app, bench.compiled, reports)
  const since = Date.now()
  await uploadDsyms(sender, zipOfImages(app, bench.compiled))
  await untilSymbolicated(sender, appId, reports.length, 50)
  const { symbolications, ms } = await readSymbolications(stage.target, since)
  await compareNames(sender, ids, reports, llvm.functions)
  return {
    ...{ what: 'reports that waited', reports: reports.length },
    ...{ frames: llvm.functions.length, symbolications, ms, llvmMs: llvm.ms },
  }
}

/** A wrong name would make the figures worthless. */
async function compareNames(
  sender: ReportSender,
  ids: readonly string[],
  reports: readonly CrashFile[],
  functions: readonly (readonly string[])[],
): Promise<void> {
  for (const [index, expected] of namesByReport(reports, functions).slice(0, compared).entries()) {
    const found = await readSymbols(sender, ids[index] ?? '')
    const wrong = expected.findIndex((name, place) => name !== found[place])
    if (wrong >= 0 || found.length !== expected.length)
      throw new Error(
        `Report ${ids[index]}: frame ${wrong} of ${expected.length} is ${found[wrong]}, and llvm-symbolizer finds ${expected[wrong]}.`,
      )
  }
}
