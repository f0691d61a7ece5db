/** The parameters of an export. */
import * as v from 'valibot'
import { idOf, int, type TypeMetadata, text } from '../core/types.ts'
import { locales } from '../pages/locales.ts'
import { columnOf, columnPattern } from './columns.ts'
import { filterEntries, telemetryKind } from './filter.ts'

export const exportFormats = ['CSV', 'MARKDOWN', 'PDF'] as const
export type ExportFormat = (typeof exportFormats)[number]

/** The most records of a file, by format; a page of a PDF costs far more than its lines in the others. */
export const exportRecords: Readonly<Record<ExportFormat, number>> = { CSV: 50_000, MARKDOWN: 50_000, PDF: 5_000 }

/** The most columns: more do not fit on a page. */
export const exportColumns: Readonly<Record<ExportFormat, number>> = { CSV: 50, MARKDOWN: 50, PDF: 8 }

/** A name of the IANA database, and no offset, which `Intl` would take as well. */
function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z]/.test(name)) return false
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}

const column = v.pipe(
  text({ min: 1, max: 300 }),
  v.check(
    (name) => columnOf(name) !== undefined,
    'must be a field of a record, or one of its attributes as attributes.NAME or resource.NAME',
  ),
  v.metadata({ jsonSchema: { pattern: columnPattern } } satisfies TypeMetadata),
)

export const exportRequest = v.strictObject({
  kind: v.pipe(
    v.optional(telemetryKind),
    v.description(
      'The kind of telemetry. It is required without `queryId`. With `queryId` it must be the kind of the saved query.',
    ),
  ),
  queryId: v.pipe(
    v.nullish(idOf('telemetryQuery')),
    v.description('The ID of a saved query, whose kind and filter are used. Not together with `query`.'),
  ),
  format: v.picklist(exportFormats, `must be ${exportFormats.join(', ')}`),
  query: v.pipe(
    v.nullish(
      v.strictObject({
        ...filterEntries,
        limit: v.pipe(
          v.nullish(
            v.pipe(int, v.minValue(1, 'must be from 1 to 50000'), v.maxValue(50_000, 'must be from 1 to 50000')),
          ),
          v.description('The maximum number of records, the newest first. The format may allow fewer.'),
        ),
      }),
    ),
    v.description('The filter of the records. Default: all records of the kind.'),
  ),
  columns: v.pipe(
    v.nullish(
      v.pipe(
        v.array(column),
        v.minLength(1, 'must name a column'),
        v.maxLength(50, 'must name at most 50 columns'),
        v.check((names) => new Set(names).size === names.length, 'must name each column once'),
        v.metadata({ jsonSchema: { uniqueItems: true } } satisfies TypeMetadata),
      ),
    ),
    v.description(
      'The columns: fields of a record, or `attributes.NAME` and `resource.NAME`. At most 50, and at most 8 for a PDF. Default: the usual columns of the kind.',
    ),
  ),
  locale: v.pipe(
    v.nullish(v.picklist(locales, `must be one of ${locales.join(', ')}`), 'en'),
    v.description('The language of headings, and the format of dates and numbers.'),
  ),
  timeZone: v.pipe(
    v.nullish(
      v.pipe(v.string(), v.check(isTimeZone, 'must be a time zone of the IANA database, such as Europe/Berlin')),
      'UTC',
    ),
    v.description('The time zone of dates, from the IANA database.'),
  ),
})

export type ExportRequest = v.InferOutput<typeof exportRequest>
