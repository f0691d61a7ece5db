/** What is in a file beside its rows, whatever its form. */
import { columnOf } from '../../../../spec/telemetry/columns.ts'
import type { CellWriter } from './cells.ts'
import type { ExportJob } from './job.ts'
import { visible } from './visible.ts'
import { type Words, words } from './words.ts'

export interface Sheet {
  readonly job: ExportJob
  readonly words: Words
  readonly title: string
  /** When it was made, and what was looked for: each with its name. */
  readonly facts: readonly (readonly [name: string, text: string])[]
  readonly headings: readonly string[]
}

export function sheetOf(job: ExportJob, writer: CellWriter): Sheet {
  const own = words[job.locale]
  const { from, to, severityMin, text, sessionId, eventName, traceId } = job.query
  const zoned = (at: number): string => `${writer.date(at)} (${job.timeZone})`
  const facts: [string, string | undefined][] = [
    [own.made, zoned(job.at)],
    [own.from, from === undefined ? undefined : zoned(from)],
    [own.to, to === undefined ? undefined : zoned(to)],
    [own.columns.severityNumber, severityMin === undefined ? undefined : `≥ ${severityMin}`],
    [own.text, text],
    [own.columns.sessionId, sessionId],
    [own.columns.eventName, eventName],
    [own.columns.traceId, traceId],
  ]
  return {
    job,
    words: own,
    title: own.titles[job.query.kind],
    facts: facts.flatMap(([name, fact]) => (fact === undefined ? [] : [[name, visible(fact)] as const])),
    headings: columnsOf(job).map((column) => writer.heading(column)),
  }
}

export function columnsOf(job: ExportJob) {
  return job.columns.flatMap((name) => columnOf(name) ?? [])
}

/** What a file ends with: how many records there are, or that not all are there. */
export function closing({ words: own }: Sheet, count: number, cut: boolean, writer: CellWriter): string {
  const written = writer.number(count)
  if (cut) return own.cut(written)
  return count === 0 ? own.none : own.records(written)
}
