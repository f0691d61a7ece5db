/** Raw crash reports: the files that apps and scripts have sent. They are stored for some days, and the reports for longer. */
import * as v from 'valibot'
import { dateTime, int, named } from '../core/types.ts'

/** The first component of the names of the blobs with raw crash reports. */
export const rawCrashReportFolder = 'crash-raw'

/** The name of the blob with the raw report. */
export const rawCrashReportBlob = (crashId: string): string => `${rawCrashReportFolder}/${crashId}`

export const crashReportFormats = ['IPS', 'CRASH', 'METRIC_KIT', 'JSON'] as const

export type CrashReportFormat = (typeof crashReportFormats)[number]

export const crashReportFormat = named(
  'CrashReportFormat',
  'The format of the file of a crash report. IPS and CRASH: a file of Apple. METRIC_KIT: a crash diagnostic of MetricKit as JSON. ' +
    'JSON: the input of `recordCrashReport`.',
  v.picklist(crashReportFormats),
)

export const rawCrashReportSchema = named(
  'RawCrashReport',
  'The file of a crash report, as it was sent.',
  v.object({
    name: v.pipe(v.string(), v.description('The name with which the file is downloaded.')),
    format: crashReportFormat,
    size: v.pipe(int, v.description('The number of bytes of the file, without a `Content-Encoding`.')),
    expiresAt: v.pipe(
      dateTime,
      v.description('The time at which the file is deleted. The report and its threads are kept.'),
    ),
  }),
)
