/** Crash reports: what an app's crash left, and which symbols it still wants. */
import * as v from 'valibot'
import type { ActorRow } from './actor.ts'
import { imageSchema, imagesMax, knownUuids, uuid } from './binaryImages.ts'
import { buildFilter, filterOfBuild } from './buildFilter.ts'
import { bundleIdentifier, requireApp } from './bundleIdentifier.ts'
import { connectionOf, pageArguments, pageOfRows } from './connections.ts'
import { contentInput, judge, keepContent, threadSchema, threadsOf } from './crashContent.ts'
import { Failure } from './failure.ts'
import { sha256 } from './hash.ts'
import { everyMember } from './members.ts'
import { mutation, type ObjectType, query, type Reply } from './operation.ts'
import { principalName } from './principal.ts'
import { rowAt } from './replies.ts'
import { contextOf, initOf } from './rows.ts'
import { problem } from './runs.ts'
import { instant } from './telemetry/instant.ts'
import { dateTime, id, idOf, int, named, text, toDateTime } from './types.ts'
import type { Views } from './views.ts'

export const crashStatuses = [
  'RECEIVED',
  'WAITING_FOR_SYMBOLS',
  'PARTIALLY_SYMBOLICATED',
  'SYMBOLICATED',
  'FAILED',
] as const

export const crashStatus = named(
  'CrashReportStatus',
  'RECEIVED: it waits to be symbolicated. WAITING_FOR_SYMBOLS: dSYMs are missing. PARTIALLY_SYMBOLICATED: some frames have names, others want one. SYMBOLICATED: no frame wants one. FAILED: an operator has given it up, or an earlier version did after 30 days.',
  v.picklist(crashStatuses),
)

const fields = {
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
}

export const crashReportSchema = named('CrashReport', 'One crash of an app.', v.object(fields))

interface CrashInit {
  readonly appId: string
  readonly reportId: string
  readonly contentHash: string
  readonly version: string
  readonly build: string
  readonly osName: string
  readonly osVersion: string
  readonly deviceModel: string | null
  readonly happenedAt: number
  readonly exceptionType: string
  readonly exceptionReason: string | null
  /** Of reports that an earlier version has recorded; now each image is a member. */
  readonly wanted?: readonly v.InferOutput<typeof imageSchema>[]
}
interface CrashContext {
  readonly frames: { readonly total: number; readonly named: number }
  readonly missing: number
  readonly problem: { readonly code: string; readonly message: string } | null
}

/** In the order of the UUIDs. */
async function missingUuids(crashId: string, views: Views): Promise<string[]> {
  const members = await views.members(crashId, 'image/', everyMember)
  return members.flatMap(({ key, value }) => ((value as { there: boolean }).there ? [] : [key.slice('image/'.length)]))
}

async function wantedImages(row: ActorRow, views: Views): Promise<v.InferOutput<typeof imageSchema>[]> {
  const { wanted } = initOf<CrashInit>(row)
  if (wanted !== undefined) return wanted.map(({ name, uuid: own, arch }) => ({ name, uuid: own, arch }))
  const members = await views.members(row.id, 'image/', everyMember)
  return members.map(({ key, value }) => {
    const { name, arch } = value as { readonly name: string; readonly arch: string }
    return { name, uuid: key.slice('image/'.length), arch }
  })
}

const missingWords = 'UUIDs of images that frames want a name from, and of which no dSYM was recorded.'

export const crashType: ObjectType<typeof crashReportSchema> = {
  name: 'CrashReport',
  kind: 'crash',
  schema: crashReportSchema,
  relations: {
    app: { type: 'one', target: 'App', by: 'appId', nullable: false, description: 'What crashed.' },
    missingUuids: {
      type: 'derived',
      output: v.array(v.string()),
      nullable: false,
      description: missingWords,
      load: async (parents, { views }) =>
        await Promise.all(
          parents.map(async (one) => (one.missingImageCount === 0 ? [] : await missingUuids(String(one.id), views))),
        ),
    },
  },
  fromRow: (row) => {
    const { wanted: _, contentHash: __, happenedAt, ...init } = initOf<CrashInit>(row)
    const { frames, missing, problem: wrong } = contextOf<CrashContext>(row)
    return {
      id: row.id,
      status: row.columns.status as v.InferOutput<typeof crashStatus>,
      appId: init.appId,
      reportId: init.reportId,
      version: init.version,
      build: init.build,
      osName: init.osName,
      osVersion: init.osVersion,
      deviceModel: init.deviceModel,
      happenedAt: toDateTime(happenedAt),
      exceptionType: init.exceptionType,
      exceptionReason: init.exceptionReason,
      frameCount: frames.total,
      namedFrameCount: frames.named,
      missingImageCount: missing,
      problem: wrong,
      createdAt: toDateTime(row.createdAt),
    }
  },
}

const crashReport = query({
  name: 'crashReport',
  description: 'One crash report, by its ID, with its threads.',
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
  input: v.object({ id: idOf('crash') }),
  output: v.nullable(
    named(
      'CrashReportDetails',
      'A crash report with its threads.',
      v.object({
        ...fields,
        missingUuids: v.pipe(v.array(v.string()), v.description(missingWords)),
        wantedImages: v.pipe(v.array(imageSchema), v.description('The images of frames that came without a name.')),
        threads: v.pipe(
          v.nullable(v.array(threadSchema)),
          v.description('Null if an earlier version recorded the report and has deleted them after 30 days.'),
        ),
      }),
    ),
  ),
  read: async (input, context) => {
    const { views } = context
    const row = await views.get(input.id)
    if (row === undefined) return null
    const [missing, wanted, threads] = await Promise.all([
      missingUuids(row.id, views),
      wantedImages(row, views),
      threadsOf(row.id, context),
    ])
    return {
      ...crashType.fromRow(row, context),
      missingUuids: missing,
      wantedImages: wanted,
      threads: threads ?? null,
    }
  },
})

const crashReports = query({
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
    ...buildFilter,
    statuses: v.pipe(
      v.nullish(v.pipe(v.array(crashStatus), v.maxLength(crashStatuses.length))),
      v.description('Only reports that stand so.'),
    ),
  }),
  output: connectionOf('CrashReport', crashReportSchema),
  read: async ({ appId, version, build, statuses, ...page }, context) =>
    await pageOfRows(
      context.views,
      { kind: 'crash', ...filterOfBuild({ appId, version, build }), ...(statuses ? { statuses } : {}) },
      page,
      (row) => crashType.fromRow(row, context),
    ),
})

const shortText = text({ min: 1, max: 100 })

const recordCrashReport = mutation({
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
  translate: async (input, context) => {
    const { views, now, principal } = context
    const { bundleIdentifier: own, threads, images, deviceModel, exceptionReason, ...given } = input
    const app = await requireApp(own, views)
    const { json, frames, wanted } = judge({ threads, images }, context.limits)
    const said = {
      appId: app.id,
      ...given,
      reportId: given.reportId.toUpperCase(),
      deviceModel: deviceModel ?? null,
      exceptionReason: exceptionReason ?? null,
    }
    const contentHash = await sha256(`[${JSON.stringify(said)},${json}]`)
    const there = await knownUuids(
      wanted.map((image) => image.uuid),
      views,
    )
    const wants = inSlices(wanted.map((image) => ({ ...image, there: there.has(image.uuid) })))
    const answer = (replies: readonly Reply[], known?: ActorRow) => {
      const row = replies.at(-1)?.row ?? known
      if (row === undefined) throw new Error('No reply of the crash report.')
      return { crashReport: crashType.fromRow(same(row, contentHash), context) }
    }
    const known = await views.findByKey('crash', said.reportId)
    if (known !== undefined) {
      // A request that was cut off may not have said of all images that they are wanted. What is known is not said again.
      const open = same(known, contentHash).columns.terminal ? [] : wants
      const to = { kind: 'crash', id: known.id } as const
      return {
        messages: open.map((images) => ({ to, event: { type: 'wants', images } })),
        answer: (replies) => answer(replies, known),
      }
    }
    const crashId = context.newId('crash')
    await keepContent(crashId, json, context)
    const create = {
      ...said,
      contentHash,
      frames,
      wantedCount: wanted.length,
      recordedBy: principalName(principal),
      createdAt: now,
    }
    const to = { kind: 'crash', id: crashId } as const
    return {
      messages: [
        { to, event: { type: 'create' }, create, orExisting: { uniqueKey: said.reportId } },
        ...wants.map((images) => (replies: readonly Reply[]) => {
          const { id: made } = same(rowAt(replies), contentHash)
          return { to: { kind: 'crash', id: made } as const, event: { type: 'wants', images } }
        }),
      ],
      answer: (replies) => answer(replies),
    }
  },
})

/** As many images as one step can tell. */
function inSlices<T>(all: readonly T[]): T[][] {
  return Array.from({ length: Math.ceil(all.length / imagesMax) }, (_, n) =>
    all.slice(n * imagesMax, (n + 1) * imagesMax),
  )
}

/** @throws Failure CONFLICT where another report has come under this UUID */
function same(row: ActorRow, contentHash: string): ActorRow {
  if (initOf<CrashInit>(row).contentHash === contentHash) return row
  throw new Failure('CONFLICT', 'Another crash report was recorded under this reportId. Give each one of its own.', {
    details: { field: 'reportId', id: row.id },
  })
}

export const crashReportOperations = [crashReport, crashReports, recordCrashReport]
