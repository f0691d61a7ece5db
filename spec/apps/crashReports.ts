/** Crash reports: what an app's crash left, and which symbols it still wants. */
import * as v from 'valibot'
import { connectionOf, orderByOf, pageArguments } from '../core/connections.ts'
import { mutation, query } from '../core/operation.ts'
import { problem } from '../core/problem.ts'
import { dateTime, id, idOf, int, named, text } from '../core/types.ts'
import { instant } from '../telemetry/instant.ts'
import { uuid } from './binaryImages.ts'
import { buildFilter } from './buildFilter.ts'
import { bundleIdentifier } from './bundleIdentifier.ts'
import { contentInput, toolFramesMax } from './crashContent.ts'

/** The first component of the names of the blobs with the threads of crash reports, as they were sent. */
export const crashThreadFolder = 'crash-threads'
/** The first component of the names of the blobs with the threads of crash reports after a symbolication. */
export const crashSymbolFolder = 'crash-symbols'

/** The name of the blob with the threads as they were sent. */
export const crashThreadBlob = (crashId: string): string => `${crashThreadFolder}/${crashId}`

/** The name of the blob with the threads after a symbolication. */
export const crashSymbolBlob = (crashId: string, symbolication: string): string =>
  `${crashSymbolFolder}/${crashId}-${symbolication}`

export const crashStatuses = [
  'RECEIVED',
  'WAITING_FOR_SYMBOLS',
  'PARTIALLY_SYMBOLICATED',
  'SYMBOLICATED',
  'FAILED',
] as const

export const crashStatus = named(
  'CrashReportStatus',
  'The status of a crash report. RECEIVED: it is being symbolicated, or its dSYMs were recorded but not uploaded. WAITING_FOR_SYMBOLS: dSYMs are missing. ' +
    'PARTIALLY_SYMBOLICATED: some frames still need a symbol. SYMBOLICATED: no frame needs one, and better symbols may still come. ' +
    'FAILED: it cannot be symbolicated, or an operator gave it up.',
  v.picklist(crashStatuses),
)

export const crashReportSchema = named(
  'CrashReport',
  'The report of one crash of an app.',
  v.object({
    id,
    status: crashStatus,
    appId: id,
    reportId: v.pipe(v.string(), v.description('The UUID that the sender gave the report.')),
    version: v.string(),
    build: v.string(),
    osName: v.string(),
    osVersion: v.string(),
    deviceModel: v.nullable(v.string()),
    happenedAt: dateTime,
    exceptionType: v.string(),
    exceptionReason: v.nullable(v.string()),
    frameCount: int,
    namedFrameCount: v.pipe(int, v.description('The number of frames that have a symbol.')),
    symbolicationId: v.pipe(
      v.nullable(v.string()),
      v.description(
        'The latest symbolication: if it changes, the frames may have other symbols. Null before the first.',
      ),
    ),
    groupId: v.pipe(
      v.nullable(id),
      v.description(
        'The group of the report. Null before its first symbolication, if symbols were there when it came.',
      ),
    ),
    missingImageCount: v.pipe(
      int,
      v.description('The number of images without a dSYM that have frames without a symbol.'),
    ),
    problem: v.nullable(problem),
    createdAt: dateTime,
  }),
)

export const crashReport = query({
  name: 'crashReport',
  description: 'Returns one crash report, by its ID.',
  access: 'people',
  tool: {
    group: 'apps',
    name: 'get_crash_report',
    title: 'Get a crash report',
    description:
      'Returns one crash report by its ID (`crs_…`): the exception, the build and the system, and the threads with their frames. ' +
      `Examine the thread with \`crashed\` first. At most ${toolFramesMax.toLocaleString('en')} frames are returned, those of crashed threads first: ` +
      '`frameCount` is the number that a thread has. If frames have no symbol, `missingUuids` has the images whose dSYM is ' +
      'needed: use `record_dsym` when it is found.',
  },
  input: v.object({ id: idOf('crashReport') }),
  output: v.nullable(crashReportSchema),
})

export const crashReports = query({
  name: 'crashReports',
  description: 'Returns crash reports. The one that was received last comes first.',
  access: 'people',
  tool: {
    group: 'apps',
    name: 'get_crash_reports',
    title: 'List crash reports',
    description:
      'Lists crash reports, the one that was received last first: exception, build, system, and status. Filter by `appId`, ' +
      'with it by `version` and `build`, by `groupId`, and by `statuses`. `after: pageInfo.endCursor` continues the list. `get_crash_report` ' +
      'returns the threads of one report.',
  },
  input: v.object({
    ...pageArguments,
    orderBy: orderByOf('CrashReport', ['CREATED_AT', 'HAPPENED_AT']),
    ...buildFilter,
    groupId: v.pipe(v.nullish(idOf('crashGroup')), v.description('Returns only reports of this group.')),
    statuses: v.pipe(
      v.nullish(v.pipe(v.array(crashStatus), v.maxLength(crashStatuses.length))),
      v.description('Returns only reports with one of these statuses.'),
    ),
  }),
  output: connectionOf('CrashReport', crashReportSchema),
})

const shortText = text({ min: 1, max: 100 })

export const recordCrashReport = mutation({
  name: 'recordCrashReport',
  description:
    'Records a crash report. A report with the same `reportId` and content is recorded once, and its current state is returned.',
  access: 'people',
  tool: {
    group: 'apps',
    title: 'Record a crash report',
    description:
      'Records a crash of an app: the exception, and the threads with their frames and images. Give each frame its address, ' +
      'the UUID of its image, and its symbol if it is known. The app must exist: `create_app`. `missingImageCount` is the ' +
      'number of images whose dSYM is missing, and `get_crash_report` names them. Give each report its own UUID: a repeat is ' +
      'recorded once.',
    idempotent: true,
  },
  input: v.object({
    reportId: v.pipe(uuid, v.description('The UUID that the sender gives the report.')),
    bundleIdentifier,
    version: v.pipe(shortText, v.description('The version of the app, for example `2.4.1`.')),
    build: v.pipe(shortText, v.description('The build number, for example `241`.')),
    osName: v.pipe(shortText, v.description('The operating system, for example `iOS` or `macOS`.')),
    osVersion: v.pipe(shortText, v.description('The version of the operating system, for example `18.5 (22F76)`.')),
    deviceModel: v.pipe(v.nullish(shortText), v.description('`iPhone15,2`.')),
    happenedAt: instant,
    exceptionType: v.pipe(
      shortText,
      v.description('The type of the exception, for example `EXC_BREAKPOINT (SIGTRAP)`.'),
    ),
    exceptionReason: v.pipe(v.nullish(text({ min: 1, max: 2_000 })), v.description('The message of the exception.')),
    ...contentInput,
  }),
  output: named(
    'RecordCrashReportPayload',
    'The current state of the crash report.',
    v.object({ crashReport: crashReportSchema }),
  ),
})
