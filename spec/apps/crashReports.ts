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
import { contentInput } from './crashContent.ts'

export const crashStatuses = [
  'RECEIVED',
  'WAITING_FOR_SYMBOLS',
  'PARTIALLY_SYMBOLICATED',
  'SYMBOLICATED',
  'FAILED',
] as const

export const crashStatus = named(
  'CrashReportStatus',
  'RECEIVED: it waits to be symbolicated. WAITING_FOR_SYMBOLS: dSYMs are missing. PARTIALLY_SYMBOLICATED: some frames have names, others want one. SYMBOLICATED: no frame wants one. FAILED: an operator has given it up.',
  v.picklist(crashStatuses),
)

export const crashReportSchema = named(
  'CrashReport',
  'One crash of an app.',
  v.object({
    id,
    status: crashStatus,
    appId: id,
    reportId: v.pipe(v.string(), v.description('The UUID that its sender gave it.')),
    version: v.string(),
    build: v.string(),
    osName: v.string(),
    osVersion: v.string(),
    deviceModel: v.nullable(v.string()),
    happenedAt: dateTime,
    exceptionType: v.string(),
    exceptionReason: v.nullable(v.string()),
    frameCount: int,
    namedFrameCount: v.pipe(int, v.description('Frames that have a symbol.')),
    missingImageCount: v.pipe(int, v.description('Images without a dSYM that frames want a name from.')),
    problem: v.nullable(problem),
    createdAt: dateTime,
  }),
)

export const crashReport = query({
  name: 'crashReport',
  description: 'One crash report, by its ID.',
  access: 'people',
  tool: {
    group: 'apps',
    name: 'get_crash_report',
    title: 'Get a crash report',
    description:
      'One crash report by its ID (`crs_…`): what was thrown, on which build and system, and every thread with its frames; look at ' +
      'the thread that has `crashed` first. Where frames have no symbol, `missingUuids` says of which images a dSYM is wanted: ' +
      '`record_dsym` once it is found.',
  },
  input: v.object({ id: idOf('crashReport') }),
  output: v.nullable(crashReportSchema),
})

export const crashReports = query({
  name: 'crashReports',
  description: 'Crash reports, those that were received last first.',
  access: 'people',
  tool: {
    group: 'apps',
    name: 'get_crash_reports',
    title: 'List crash reports',
    description:
      'Lists crash reports, those received last first: what was thrown, on which build and system, how far each is symbolicated. ' +
      'Filter by `appId`, with it by `version` and `build`, and by `statuses`; go on with `after: pageInfo.endCursor`. ' +
      'See `get_crash_report` for the threads of one.',
  },
  input: v.object({
    ...pageArguments,
    orderBy: orderByOf('CrashReport', ['CREATED_AT', 'HAPPENED_AT']),
    ...buildFilter,
    statuses: v.pipe(
      v.nullish(v.pipe(v.array(crashStatus), v.maxLength(crashStatuses.length))),
      v.description('Only reports that stand so.'),
    ),
  }),
  output: connectionOf('CrashReport', crashReportSchema),
})

const shortText = text({ min: 1, max: 100 })

export const recordCrashReport = mutation({
  name: 'recordCrashReport',
  description: 'Records a crash report. Its `reportId` is taken once: the same report again is answered as it stands.',
  access: 'people',
  tool: {
    group: 'apps',
    title: 'Record a crash report',
    description:
      'Records a crash of an app: what was thrown, and the threads with their frames and images. Say of each frame its address, its ' +
      'image’s UUID, and its symbol where that is known. Answers which images miss a dSYM in `missingImageCount`; `get_crash_report` ' +
      'names them. The app must exist: `create_app`. Give each report a UUID of its own; sent again it is recorded once.',
    idempotent: true,
  },
  input: v.object({
    reportId: v.pipe(uuid, v.description('The sender’s own UUID for it.')),
    bundleIdentifier,
    version: v.pipe(shortText, v.description('Of the app: `2.4.1`.')),
    build: v.pipe(shortText, v.description('Of that version: `241`.')),
    osName: v.pipe(shortText, v.description('`iOS`, `macOS`.')),
    osVersion: v.pipe(shortText, v.description('`18.5 (22F76)`.')),
    deviceModel: v.pipe(v.nullish(shortText), v.description('`iPhone15,2`.')),
    happenedAt: instant,
    exceptionType: v.pipe(shortText, v.description('`EXC_BREAKPOINT (SIGTRAP)`.')),
    exceptionReason: v.pipe(v.nullish(text({ min: 1, max: 2_000 })), v.description('What it said of itself.')),
    ...contentInput,
  }),
  output: named(
    'RecordCrashReportPayload',
    'The crash report as it stands.',
    v.object({ crashReport: crashReportSchema }),
  ),
})
