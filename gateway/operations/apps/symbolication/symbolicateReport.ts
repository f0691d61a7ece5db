/** Symbolicates one crash report with the present symbols of its images. */

import type { CrashEvent } from '../../../../machines/apps/crashReport.ts'
import { crashReportMembers } from '../../../../machines/apps/crashReportKeys.ts'
import type { EventWithoutTime } from '../../../../machines/framework/act.ts'
import type { TypedRow } from '../../../../machines/rows.ts'
import { Failure } from '../../../../spec/core/failure.ts'
import { idOfUuid } from '../../../../spec/core/ids.ts'
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
  /** A name that no other symbolication has. */
  readonly newName: () => string
  /** Called with each symbol table that cannot be read. */
  readonly damaged: (table: { readonly blob: string; readonly problem: string }) => void
}

export async function symbolicateReport(crashId: string, parts: SymbolicationParts): Promise<SymbolicationOutcome> {
  const { threads, symbolicator, newName, damaged } = parts
  try {
    const images = await imagesOf(crashId, parts.views)
    const used = images.map(({ uuid, there, revision }) => ({ uuid, there, revision }))
    const tables = images.flatMap(({ table }) => table ?? [])
    // The dSYMs were recorded without their symbols, or deleted.
    if (tables.length === 0) return { type: 'symbolicated', images: used, result: null }
    const [content, rows] = await Promise.all([
      threads.readSent(crashId),
      parts.views.getMany('crashReport', [crashId]),
    ])
    const report = rows.get(crashId)
    if (content === undefined || report === undefined)
      throw new SymbolicationProblem('The threads of the report are lost.')
    const result = await symbolicator.run({ content, tables })
    for (const { uuid, problem } of result.damaged)
      damaged({ blob: tables.find((table) => table.uuid === uuid)?.blob ?? uuid, problem })
    const symbols = newName()
    await threads.keepSymbolicated(crashId, symbols, result.content)
    const { named, unnamed, place } = result
    const group = await groupOfCrash(report.init.appId, report.init.exceptionType, place)
    return { type: 'symbolicated', images: used, result: { named, unnamed, symbols, group } }
  } catch (error) {
    if (error instanceof SymbolicationProblem) return { type: 'symbolicationFailed', message: error.message }
    if (error instanceof Failure && (error.retryable || error.code === 'INSUFFICIENT_STORAGE'))
      return { type: 'symbolicationDelayed', message: error.message }
    throw error
  }
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
  const { dsyms, revision, table } = row.context
  const there = dsyms > 0
  return { uuid, there, revision, table: there && table !== null ? { uuid, ...table } : undefined }
}
