import * as v from 'valibot'
import { crashReportMembers } from '../../../machines/apps/crashReportKeys.ts'
import type { TypedRow } from '../../../machines/rows.ts'
import { imageSchema, imagesMax } from '../../../spec/apps/binaryImages.ts'
import { frameSchema, threadSchema, wholeThreadSchema } from '../../../spec/apps/crashContent.ts'
import {
  crashReport,
  crashReportSchema,
  crashReports,
  type crashStatus,
  recordCrashReport,
} from '../../../spec/apps/crashReports.ts'
import { Failure } from '../../../spec/core/failure.ts'
import { principalName } from '../../../spec/core/principal.ts'
import { toDateTime } from '../../../spec/core/types.ts'
import type { Reply } from '../../messages.ts'
import { computedConnection } from '../core/computedConnection.ts'
import { pageOfRows } from '../core/connections.ts'
import { sha256 } from '../core/hash.ts'
import { everyMember } from '../core/members.ts'
import { oneRow } from '../core/oneRow.ts'
import { requireKind, rowAt } from '../core/replies.ts'
import { handle } from '../handler.ts'
import type { Additions, GraphqlObject, ObjectType, PartType, RelationContext } from '../objectType.ts'
import type { TypedViews } from '../typedViews.ts'
import { knownUuids } from './binaryImages.ts'
import { filterOfBuild } from './buildFilter.ts'
import { requireApp } from './bundleIdentifier.ts'
import { judge, keepContent, threadsOf } from './crashContent.ts'

/** In the order of the UUIDs. */
async function missingUuids(crashId: string, views: TypedViews): Promise<string[]> {
  const members = await views.members(crashId, crashReportMembers.image.prefix, everyMember)
  return members.flatMap(({ key, value }) =>
    (value as { there: boolean }).there ? [] : [crashReportMembers.image.toId(key)],
  )
}

async function wantedImages(crashId: string, views: TypedViews): Promise<v.InferOutput<typeof imageSchema>[]> {
  const members = await views.members(crashId, crashReportMembers.image.prefix, everyMember)
  return members.map(({ key, value }) => {
    const { name, arch } = value as { readonly name: string; readonly arch: string }
    return { name, uuid: crashReportMembers.image.toId(key), arch }
  })
}

const wantedOf = async (parents: readonly GraphqlObject[], { views }: RelationContext) =>
  await Promise.all(parents.map(({ id }) => wantedImages(String(id), views)))

const threadsOfAll = async (parents: readonly GraphqlObject[], context: RelationContext) =>
  await Promise.all(parents.map(({ id }) => threadsOf(String(id), context)))

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

const wantedWords = 'The images of frames that were sent without a symbol.'

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
    description: 'The threads of the crashed app.',
    load: threadsOfAll,
  },
} as const satisfies Additions

/** The frames of a thread. The connection of the report's threads has already read them. */
export const crashThreadType: PartType = {
  name: 'CrashThread',
  schema: threadSchema,
  relations: {
    frames: computedConnection('CrashFrame', frameSchema, {
      description: 'The calls of the thread, the innermost first.',
      positionOf: ({ number }) => String(number),
      load: async (parents) =>
        parents.map(({ frames }) =>
          (frames as readonly v.InferInput<typeof frameSchema>[]).map((frame, number) => ({ ...frame, number })),
        ),
    }),
  },
}

export const crashReportType: ObjectType<'crashReport', typeof crashReportSchema> = {
  name: 'CrashReport',
  kind: 'crashReport',
  schema: crashReportSchema,
  relations: {
    app: { type: 'one', target: 'App', by: 'appId', nullable: false, description: 'The app that crashed.' },
    missingUuids: missing,
    wantedImages: computedConnection('BinaryImage', imageSchema, {
      description: wantedWords,
      positionOf: ({ uuid }) => uuid.replaceAll('-', '_'),
      load: wantedOf,
    }),
    threads: computedConnection('CrashThread', threadSchema, {
      description: 'The threads of the crashed app.',
      positionOf: ({ number }) => String(number),
      load: async (parents, context) =>
        (await threadsOfAll(parents, context)).map((threads) =>
          threads.map((thread, number) => ({ ...thread, number, frameCount: thread.frames.length })),
        ),
    }),
  },
  fromRow: (row) => {
    const { happenedAt, ...init } = row.init
    const { frames, missing, problem: wrong } = row.context
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

/** The number of images that one transition can notify. */
function inSlices<T>(all: readonly T[]): T[][] {
  return Array.from({ length: Math.ceil(all.length / imagesMax) }, (_, n) =>
    all.slice(n * imagesMax, (n + 1) * imagesMax),
  )
}

/** @throws Failure CONFLICT if another report has this UUID */
function same(row: TypedRow<'crashReport'>, contentHash: string): TypedRow<'crashReport'> {
  if (row.init.contentHash === contentHash) return row
  throw new Failure('CONFLICT', 'Another crash report has this reportId. Give each report its own UUID.', {
    details: { field: 'reportId', id: row.id },
  })
}

export const crashReportHandlers = [
  handle(crashReport, ['views', 'presence'], {
    additions: details,
    read: oneRow(crashReportType),
  }),
  handle(crashReports, ['views', 'presence'], {
    read: async ({ appId, version, build, statuses, ...page }, context) =>
      await pageOfRows(
        context.views,
        { kind: 'crashReport', ...filterOfBuild({ appId, version, build }), ...(statuses ? { statuses } : {}) },
        page,
        (row) => crashReportType.fromRow(row, context),
        { CREATED_AT: 'created', HAPPENED_AT: 'sorted' },
      ),
  }),
  handle(recordCrashReport, ['views', 'presence', 'limits', 'ids', 'contentStore'], {
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
      const answer = (replies: readonly Reply[], known?: TypedRow<'crashReport'>) => {
        const last = replies.at(-1)
        const row = last === undefined ? known : requireKind('crashReport', last.row)
        if (row === undefined) throw new Error('No reply of the crash report.')
        return { crashReport: crashReportType.fromRow(same(row, contentHash), context) }
      }
      const known = await views.findByKey('crashReport', said.reportId)
      if (known !== undefined) {
        // An interrupted request may not have requested the symbols of all images. A request that an image already has is not sent
        // again.
        const open = same(known, contentHash).columns.terminal ? [] : wants
        const to = { kind: 'crashReport', id: known.id } as const
        return {
          messages: open.map((images) => ({ to, event: { type: 'wants', images } })),
          answer: (replies) => answer(replies, known),
        }
      }
      const crashId = context.ids.newId('crashReport')
      await keepContent(crashId, json, context)
      const create = {
        ...said,
        contentHash,
        frames,
        wantedCount: wanted.length,
        recordedBy: principalName(principal),
        createdAt: now,
      }
      const to = { kind: 'crashReport', id: crashId } as const
      return {
        messages: [
          { to, event: { type: 'create' }, create, orExisting: { uniqueKey: said.reportId } },
          ...wants.map((images) => (replies: readonly Reply[]) => {
            const { id: made } = same(rowAt('crashReport', replies), contentHash)
            return { to: { kind: 'crashReport', id: made } as const, event: { type: 'wants', images } }
          }),
        ],
        answer: (replies) => answer(replies),
      }
    },
  }),
]
