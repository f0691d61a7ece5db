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
import { type SymbolicationOutcome, symbolicateReport } from './symbolication/symbolicateReport.ts'
import { type AnnouncementOutcome, WaitingReports } from './symbolication/symbolicateWaiting.ts'
import { Symbolicator } from './symbolication/symbolicator.ts'
import { SymbolTableWriter } from './symbols/symbolTableWriter.ts'
import type { CrashThreads } from './threads/crashThreads.ts'

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
  const symbolication = {
    ...parts,
    threads: parts.crashThreads,
    symbolicator: new Symbolicator(parts.blobs),
    newName: () => randomUUID().replaceAll('-', ''),
    damaged: (table: object) => parts.log.warn(table, 'a symbol table cannot be read'),
  }
  const waiting = new WaitingReports(symbolication)
  return {
    indexDsyms: (step) => indexer.run(step),
    symbolicateReport: (crashId) => symbolicateReport(crashId, symbolication),
    symbolicateWaiting: (asked) => waiting.symbolicate(asked),
  }
}
