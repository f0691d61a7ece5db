/** Symbolicates one crash report with the present symbols of its images. */

import { hasSymbols } from '../../../../machines/apps/binaryImageKeys.ts'
import type { CrashEvent } from '../../../../machines/apps/crashReport.ts'
import { crashReportMembers } from '../../../../machines/apps/crashReportKeys.ts'
import type { EventWithoutTime } from '../../../../machines/framework/act.ts'
import type { TypedRow } from '../../../../machines/rows.ts'
import { Failure } from '../../../../spec/core/failure.ts'
import { idOfUuid } from '../../../../spec/core/ids.ts'
import type { Blobs } from '../../../../storage/ports/blobs.ts'
import { everyMember } from '../../core/members.ts'
import type { TypedViews } from '../../typedViews.ts'
import { groupOfCrash } from '../groups/groupOfCrash.ts'
import type { CrashThreads } from '../threads/crashThreads.ts'
import type { TableToUse } from './symbolicationThread.ts'
import { SymbolicationProblem, type Symbolicator } from './symbolicator.ts'

export type SymbolicationOutcome = EventWithoutTime<
  Extract<CrashEvent, { type: 'symbolicated' | 'symbolicationFailed' | 'symbolicationDelayed' }>
>

export interface SymbolicationParts {
  readonly views: Pick<TypedViews, 'getMany' | 'members'>
  readonly threads: Pick<CrashThreads, 'readSent' | 'keepSymbolicated'>
  readonly symbolicator: Pick<Symbolicator, 'run'>
  readonly blobs: Pick<Blobs, 'size'>
  /** A name that no other symbolication has. */
  readonly newName: () => string
  /** Called with each report that must wait because the operating system has refused a file or a thread. */
  readonly refused: (report: { readonly crashId: string; readonly problem: string }) => void
  /** Called with each symbol table that cannot be read. */
  readonly damaged: (table: { readonly blob: string; readonly problem: string }) => void
}

/** The symbols that the images of a report have at present. */
export interface ReportSymbols {
  readonly images: readonly { readonly uuid: string; readonly there: boolean; readonly revision: number }[]
  readonly tables: readonly TableToUse[]
}

export async function findSymbols(crashId: string, views: SymbolicationParts['views']): Promise<ReportSymbols> {
  const images = await imagesOf(crashId, views)
  return {
    images: images.map(({ uuid, there, revision }) => ({ uuid, there, revision })),
    tables: images.flatMap(({ table }) => table ?? []),
  }
}

export async function nameFrames(
  crashId: string,
  { images, tables }: ReportSymbols,
  parts: SymbolicationParts,
): Promise<SymbolicationOutcome> {
  const { threads, symbolicator, newName, damaged } = parts
  // The dSYMs were recorded without their symbols, or deleted.
  if (tables.length === 0) return { type: 'symbolicated', images, result: null }
  try {
    const report = (await parts.views.getMany('crashReport', [crashId])).get(crashId)
    if (report === undefined) throw new SymbolicationProblem('The report does not exist.')
    const readContent = async () => {
      const content = await threads.readSent(crashId)
      if (content === undefined) throw await explainLost(tables, parts.blobs)
      return content
    }
    const result = await symbolicator.run({ readContent, tables })
    for (const { uuid, problem } of result.damaged)
      damaged({ blob: tables.find((table) => table.uuid === uuid)?.blob ?? uuid, problem })
    const symbols = newName()
    await threads.keepSymbolicated(crashId, symbols, result.content)
    const { named, unnamed, place } = result
    const group = await groupOfCrash(report.init.appId, report.init.exceptionType, place)
    return { type: 'symbolicated', images, result: { named, unnamed, symbols, group } }
  } catch (error) {
    if (isSystemError(error)) parts.refused({ crashId, problem: error.message })
    return outcomeOf(error)
  }
}

/** @throws the error, if it is a defect */
export function outcomeOf(error: unknown): SymbolicationOutcome {
  if (error instanceof SymbolicationProblem) return { type: 'symbolicationFailed', message: error.message }
  if (error instanceof Failure && (error.retryable || error.code === 'INSUFFICIENT_STORAGE'))
    return { type: 'symbolicationDelayed', message: error.message }
  if (isSystemError(error)) return { type: 'symbolicationDelayed', message: error.message }
  throw error
}

/** The disk or a limit of the process is no fault of the report: it is tried again for as long as that lasts. */
function isSystemError(error: unknown): error is Error {
  if (!(error instanceof Error)) return false
  return 'syscall' in error || isSystemError(error.cause)
}

/** In a folder that is not mounted, the symbols are missing too. */
async function explainLost(tables: readonly TableToUse[], blobs: SymbolicationParts['blobs']): Promise<Error> {
  for (const { blob } of tables)
    if ((await blobs.size(blob)) !== undefined) return new SymbolicationProblem('The threads of the report are lost.')
  return new Failure(
    'UNAVAILABLE',
    'The storage has neither the threads of the report nor its symbols. Is the folder of the blobs mounted?',
  )
}

interface PresentImage {
  readonly uuid: string
  readonly there: boolean
  readonly revision: number
  readonly table: TableToUse | undefined
}

/** The images that the report wants, with their present symbols. */
async function imagesOf(crashId: string, views: SymbolicationParts['views']): Promise<readonly PresentImage[]> {
  const members = await views.members(crashId, crashReportMembers.image.prefix, everyMember)
  const uuids = members.map(({ key }) => crashReportMembers.image.toId(key))
  const rows = await views.getMany(
    'binaryImage',
    uuids.map((uuid) => idOfUuid('binaryImage', uuid)),
  )
  return uuids.map((uuid) => presentImage(uuid, rows.get(idOfUuid('binaryImage', uuid))))
}

function presentImage(uuid: string, row: TypedRow<'binaryImage'> | undefined): PresentImage {
  if (row === undefined) return { uuid, there: false, revision: 0, table: undefined }
  const { revision, table } = row.context
  const there = hasSymbols(row.context)
  return { uuid, there, revision, table: there && table !== null ? { uuid, ...table } : undefined }
}
