/** The effects of dSYMs and crash reports, composed of their parts. */
import { randomUUID } from 'node:crypto'
import type { Logger } from 'pino'
import type { Clock } from '../../../actors/ports/clock.ts'
import type { Announcement } from '../../../machines/apps/binaryImage.ts'
import type { IndexStep } from '../../../machines/apps/dsymUpload.ts'
import type { Blobs } from '../../../storage/ports/blobs.ts'
import type { Ids } from '../../ids.ts'
import type { System } from '../../messages.ts'
import type { DiskRoom } from '../core/diskRoom.ts'
import type { TypedViews } from '../typedViews.ts'
import { DsymIndexer, type IndexOutcome } from './indexing/dsymIndexer.ts'
import type { SymbolicationOutcome } from './symbolication/symbolicateReport.ts'
import { type AnnouncementOutcome, WaitingReports } from './symbolication/symbolicateWaiting.ts'
import { SymbolicationRuns } from './symbolication/symbolicationRuns.ts'
import { Symbolicator } from './symbolication/symbolicator.ts'
import { SymbolTableWriter } from './symbols/symbolTableWriter.ts'
import type { CrashThreads } from './threads/crashThreads.ts'

/** The time for which an effect waits for its report, ms. Its claim lasts 30 s. */
const reportMs = 15_000

export interface AppEffectParts {
  readonly blobs: Blobs
  readonly views: TypedViews
  readonly system: Pick<System, 'ask'>
  readonly ids: Ids
  readonly room: Pick<DiskRoom, 'requireForPiece'>
  readonly crashThreads: CrashThreads
  readonly clock: Clock
  /** The folder for files that are unpacked. */
  readonly folder: string
  readonly log: Pick<Logger, 'warn'>
}

export interface AppEffects {
  indexDsyms(requested: IndexStep): Promise<IndexOutcome>
  symbolicateReport(crashId: string): Promise<SymbolicationOutcome>
  symbolicateWaiting(requested: Announcement): Promise<AnnouncementOutcome>
}

export function createAppEffects(parts: AppEffectParts): AppEffects {
  const indexer = new DsymIndexer({ ...parts, tables: new SymbolTableWriter() })
  const reports = new SymbolicationRuns({
    ...parts,
    threads: parts.crashThreads,
    symbolicator: new Symbolicator(parts.blobs),
    newName: () => randomUUID().replaceAll('-', ''),
    refused: (report) => parts.log.warn(report, 'a crash report waits for the operating system'),
    damaged: (table: object) => parts.log.warn(table, 'a symbol table cannot be read'),
  })
  const waiting = new WaitingReports({
    ...parts,
    reports,
    skipped: (report) => parts.log.warn(report, 'a crash report cannot be symbolicated'),
  })
  return {
    indexDsyms: (step) => indexer.run(step),
    symbolicateReport: (crashId) => reports.symbolicate(crashId, reportMs),
    symbolicateWaiting: (asked) => waiting.symbolicate(asked),
  }
}
