import * as v from 'valibot'
import type { Wanted } from '../../../machines/apps/crashReport.ts'
import { crashReportMembers, isMissing } from '../../../machines/apps/crashReportKeys.ts'
import { imageSchema } from '../../../spec/apps/binaryImages.ts'
import { threadSchema, toolFramesMax, wholeThreadSchema } from '../../../spec/apps/crashContent.ts'
import {
  crashReport,
  crashReportSchema,
  crashReports,
  type crashStatus,
  recordCrashReport,
} from '../../../spec/apps/crashReports.ts'
import { rawCrashReportSchema } from '../../../spec/apps/rawCrashReports.ts'
import { toDateTime } from '../../../spec/core/types.ts'
import { computedConnection } from '../core/computedConnection.ts'
import { pageOfRows } from '../core/connections.ts'
import { everyMember } from '../core/members.ts'
import { oneRow } from '../core/oneRow.ts'
import { handle } from '../handler.ts'
import type { Additions, GraphqlObject, ObjectType, RelationContext } from '../objectType.ts'
import type { TypedViews } from '../typedViews.ts'
import { filterOfBuild } from './buildFilter.ts'
import { requireApp } from './bundleIdentifier.ts'
import { checkContent } from './crashContent.ts'
import { reportsOfGroup } from './groups/reportsOfGroup.ts'
import { translateCrashReport } from './storeCrashReport.ts'
import { boundedThreadsOf, openThreads, threadsOf } from './threads/crashThreadType.ts'

/** In the order of the UUIDs. */
async function missingUuids(crashId: string, views: TypedViews): Promise<string[]> {
  const members = await views.members(crashId, crashReportMembers.image.prefix, everyMember)
  return members.flatMap(({ key, value }) => (isMissing(value as Wanted) ? [crashReportMembers.image.toId(key)] : []))
}

async function wantedImages(crashId: string, views: TypedViews): Promise<v.InferOutput<typeof imageSchema>[]> {
  const members = await views.members(crashId, crashReportMembers.image.prefix, everyMember)
  return members.map(({ key, value }) => {
    const { name, arch } = value as Wanted
    return { name, uuid: crashReportMembers.image.toId(key), arch }
  })
}

async function missingImages(crashId: string, views: TypedViews): Promise<v.InferOutput<typeof imageSchema>[]> {
  const missing = new Set(await missingUuids(crashId, views))
  return (await wantedImages(crashId, views)).filter(({ uuid }) => missing.has(uuid))
}

const wantedOf = async (parents: readonly GraphqlObject[], { views }: RelationContext) =>
  await Promise.all(parents.map(({ id }) => wantedImages(String(id), views)))

const rawReport = {
  type: 'derived',
  output: v.nullable(rawCrashReportSchema),
  nullable: true,
  description:
    'The file that was sent, which `GET /api/crash-reports/{id}/raw` returns. Null if the report was recorded without a file, or if the file ' +
    'was deleted because of its age.',
  load: async (parents, { views, rawCrashReports, now }) => {
    const ids = parents.map(({ id }) => String(id))
    const rows = await views.getMany('crashReport', ids)
    return await Promise.all(
      ids.map(async (id) => {
        const row = rows.get(id)
        return (row && (await rawCrashReports.find(row, now))) ?? null
      }),
    )
  },
} as const satisfies Additions[string]

const imagePosition = ({ uuid }: v.InferOutput<typeof imageSchema>): string => uuid.replaceAll('-', '_')

const missing = {
  type: 'derived',
  output: v.array(v.string()),
  nullable: false,
  description: 'The UUIDs of the images whose symbols frames need and that no dSYM has.',
  load: async (parents, { views }) =>
    await Promise.all(
      parents.map(async (one) => (one.missingImageCount === 0 ? [] : await missingUuids(String(one.id), views))),
    ),
} as const satisfies Additions[string]

const threadsWords = 'The threads of the crashed app. The list is empty only if the server has lost the threads.'
const wantedWords = 'The images of frames that were sent without a symbol, or without a file and line.'

/** The fields that tools return in addition with a crash report. */
const details = {
  missingUuids: missing,
  wantedImages: {
    type: 'derived',
    output: v.array(imageSchema),
    nullable: false,
    description: wantedWords,
    load: wantedOf,
  },
  threads: {
    type: 'derived',
    output: v.array(wholeThreadSchema),
    nullable: false,
    description: `${threadsWords} At most ${toolFramesMax} frames are returned, those of the threads that crashed first. If a thread has fewer frames than its \`frameCount\`, read the others with GraphQL, or download the report.`,
    load: async (parents, context) => await Promise.all((await openThreads(parents, context)).map(boundedThreadsOf)),
  },
  rawReport,
} as const satisfies Additions

export const crashReportType: ObjectType<'crashReport', typeof crashReportSchema> = {
  name: 'CrashReport',
  kind: 'crashReport',
  schema: crashReportSchema,
  relations: {
    app: { type: 'one', target: 'App', by: 'appId', nullable: false, description: 'The app that crashed.' },
    group: {
      type: 'one',
      target: 'CrashGroup',
      by: 'groupId',
      nullable: true,
      description: 'The reports of the app that have the same exception in the same place.',
    },
    missingUuids: missing,
    rawReport,
    wantedImages: computedConnection('BinaryImage', imageSchema, {
      description: wantedWords,
      positionOf: imagePosition,
      load: wantedOf,
    }),
    missingImages: computedConnection('BinaryImage', imageSchema, {
      description: 'The images whose symbols frames need and that no dSYM has.',
      positionOf: imagePosition,
      load: async (parents, { views }) =>
        await Promise.all(
          parents.map(async (one) => (one.missingImageCount === 0 ? [] : await missingImages(String(one.id), views))),
        ),
    }),
    threads: computedConnection('CrashThread', threadSchema, {
      description: threadsWords,
      positionOf: ({ number }) => String(number),
      load: async (parents, context) => (await openThreads(parents, context)).map(threadsOf),
    }),
    crashedThread: {
      type: 'derived',
      output: v.nullable(threadSchema),
      nullable: true,
      description: 'The first thread that crashed. Null if the report does not name it.',
      load: async (parents, context) =>
        (await openThreads(parents, context)).map((file) => threadsOf(file).find(({ crashed }) => crashed) ?? null),
    },
  },
  fromRow: (row) => {
    const { happenedAt, ...init } = row.init
    const { frames, missing, symbols, group, problem: wrong } = row.context
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
      symbolicationId: symbols,
      groupId: group?.id ?? null,
      missingImageCount: missing,
      problem: wrong,
      createdAt: toDateTime(row.createdAt),
    }
  },
}

export const crashReportHandlers = [
  handle(crashReport, ['views', 'presence'], {
    additions: details,
    read: oneRow(crashReportType),
  }),
  handle(crashReports, ['views', 'presence'], {
    read: async ({ appId, version, build, groupId, statuses, ...page }, context) =>
      await pageOfRows(
        context.views,
        {
          kind: 'crashReport',
          ...filterOfBuild({ appId, version, build }),
          ...(groupId ? reportsOfGroup(groupId) : {}),
          ...(statuses ? { statuses } : {}),
        },
        page,
        (row) => crashReportType.fromRow(row, context),
        { CREATED_AT: 'created', HAPPENED_AT: 'sorted' },
      ),
  }),
  handle(recordCrashReport, ['views', 'presence', 'limits', 'ids', 'crashThreadStore'], {
    translate: async ({ threads, images, ...report }, context) => {
      const app = await requireApp(report.bundleIdentifier, context.views)
      const content = await checkContent({ threads, images }, context.limits)
      const { messages, answer } = await translateCrashReport(
        { report, statedAt: report.happenedAt, content, app },
        context,
      )
      return {
        messages,
        answer: (replies) => ({ crashReport: crashReportType.fromRow(answer(replies).row, context) }),
      }
    },
  }),
]
