/** The parts of a file other than its rows, in all formats. */
import { catalog } from '../../../../spec/messages/catalog.ts'
import { format } from '../../../../spec/messages/format.ts'
import type { ExportMessages } from '../../../../spec/messages/messages.ts'
import { columnOf } from '../../../../spec/telemetry/columns.ts'
import type { CellWriter } from './cells.ts'
import { escapeControls } from './escapeControls.ts'
import type { ExportJob } from './job.ts'

export interface Sheet {
  readonly job: ExportJob
  readonly messages: ExportMessages
  readonly title: string
  /** The time of the export and the conditions of its filter, each with its name. */
  readonly facts: readonly (readonly [name: string, text: string])[]
  readonly headings: readonly string[]
}

export function createSheet(job: ExportJob, writer: CellWriter): Sheet {
  const messages = catalog[job.locale].telemetryExport
  const { from, to, severityMin, text, sessionId, eventName, traceId } = job.query
  const zoned = (at: number): string => `${writer.date(at)} (${job.timeZone})`
  const facts: [string, string | undefined][] = [
    [messages.made, zoned(job.at)],
    [messages.from, from === undefined ? undefined : zoned(from)],
    [messages.to, to === undefined ? undefined : zoned(to)],
    [messages.columns.severityNumber, severityMin === undefined ? undefined : `≥ ${severityMin}`],
    [messages.text, text],
    [messages.columns.sessionId, sessionId],
    [messages.columns.eventName, eventName],
    [messages.columns.traceId, traceId],
  ]
  return {
    job,
    messages,
    title: messages.titles[job.query.kind],
    facts: facts.flatMap(([name, fact]) => (fact === undefined ? [] : [[name, escapeControls(fact)] as const])),
    headings: readColumns(job).map((column) => writer.heading(column)),
  }
}

export function readColumns(job: ExportJob) {
  return job.columns.flatMap((name) => columnOf(name) ?? [])
}

/** The last line of a file: the number of records, or a note that the file is incomplete. */
export function formatClosing({ messages }: Sheet, count: number, cut: boolean, writer: CellWriter): string {
  const written = writer.number(count)
  if (cut) return format(messages.cut, { count: written })
  return count === 0 ? messages.none : format(messages.records, { count: written })
}
