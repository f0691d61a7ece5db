/** Makes the messages that store a crash report. GraphQL, REST and the tools use them. */
import type * as v from 'valibot'
import type { AppBuild } from '../../../machines/apps/app.ts'
import { appBuildKey } from '../../../machines/apps/appKeys.ts'
import type { CrashInit } from '../../../machines/apps/crashReport.ts'
import type { TypedRow } from '../../../machines/rows.ts'
import { imagesMax } from '../../../spec/apps/binaryImages.ts'
import type { recordCrashReport } from '../../../spec/apps/crashReports.ts'
import { Failure } from '../../../spec/core/failure.ts'
import { principalName } from '../../../spec/core/principal.ts'
import type { Envelope, Reply } from '../../messages.ts'
import { sha256 } from '../core/hash.ts'
import { requireKind, rowAt } from '../core/replies.ts'
import type { RequestContext } from '../requestContext.ts'
import type { TypedViews } from '../typedViews.ts'
import { revisionsOf } from './binaryImages.ts'
import { claimOf } from './bundleIdentifier.ts'
import type { CheckedContent } from './crashContent.ts'
import { groupOfCrash } from './groups/groupOfCrash.ts'

export interface CrashReportToStore {
  readonly report: Omit<v.InferOutput<typeof recordCrashReport.input>, 'threads' | 'images'>
  /** The time that the report states, ms. Null if it states none. */
  readonly statedAt: number | null
  readonly content: CheckedContent
  readonly app: TypedRow<'app'>
  /** Absent if the report did not come as a file. */
  readonly raw?: RawReportToStore
}

export interface RawReportToStore extends NonNullable<CrashInit['raw']> {
  /** Stores the bytes durably. */
  keep(crashId: string): Promise<void>
}

interface StoredCrashReport {
  readonly row: TypedRow<'crashReport'>
  /** Whether it was stored before. */
  readonly isRepeated: boolean
}

interface CrashReportMessages {
  readonly messages: readonly (Envelope | undefined | ((replies: readonly Reply[]) => Envelope))[]
  /** @throws Failure CONFLICT if another report has its UUID */
  answer(replies: readonly Reply[]): StoredCrashReport
}

/** @throws Failure CONFLICT if another report has its UUID */
export async function translateCrashReport(
  { report, statedAt, content: { json, file, frames, wanted, place }, app, raw }: CrashReportToStore,
  context: RequestContext<'views' | 'ids' | 'crashThreadStore'>,
): Promise<CrashReportMessages> {
  const { views, now, principal } = context
  const { bundleIdentifier: _, deviceModel, exceptionReason, ...given } = report
  const fields = {
    appId: app.id,
    ...given,
    reportId: given.reportId.toUpperCase(),
    deviceModel: deviceModel ?? null,
    exceptionReason: exceptionReason ?? null,
  }
  // A report without a time gets that of its request, which a repeat does not have again.
  const contentHash = await sha256(
    Buffer.concat([Buffer.from(`[${JSON.stringify({ ...fields, happenedAt: statedAt })},`), json, Buffer.from(']')]),
  )
  const present = await revisionsOf(
    wanted.map((image) => image.uuid),
    views,
  )
  const wants = inSlices(wanted.map((image) => ({ ...image, ...(present.get(image.uuid) ?? unknownSymbols) })))
  const claim = principal.kind === 'anonymous' ? undefined : claimOf(app)
  const known = await views.findByKey('crashReport', fields.reportId)
  if (known !== undefined) {
    // An interrupted request may not have requested the symbols of all images. A request that an image already has is not sent
    // again.
    const open = requireSameContent(known, contentHash).columns.terminal ? [] : wants
    const to = { kind: 'crashReport', id: known.id } as const
    return {
      messages: [claim, ...open.map((images) => ({ to, event: { type: 'wants', images } }))],
      answer: (replies) => ({ row: requireSameContent(lastReport(replies) ?? known, contentHash), isRepeated: true }),
    }
  }
  const crashId = context.ids.newId('crashReport')
  await context.crashThreadStore.keep(crashId, file)
  await raw?.keep(crashId)
  const create = {
    ...fields,
    contentHash,
    frames,
    wantedCount: wanted.filter(({ onlyLines }) => !onlyLines).length,
    group: await groupOfCrash(app.id, fields.exceptionType, place),
    hasSymbols: wants.flat().some(({ there }) => there),
    buildSeenAt: (await firstSeenAt(app.id, fields, views)) ?? now,
    recordedBy: principalName(principal),
    createdAt: now,
    ...(raw === undefined ? {} : { raw: { format: raw.format, size: raw.size } }),
  }
  const to = { kind: 'crashReport', id: crashId } as const
  return {
    messages: [
      claim,
      { to, event: { type: 'create' }, create, orExisting: { uniqueKey: fields.reportId } },
      ...wants.map((images) => (replies: readonly Reply[]) => {
        const { id: made } = requireSameContent(rowAt('crashReport', replies, 1), contentHash)
        return { to: { kind: 'crashReport', id: made } as const, event: { type: 'wants', images } }
      }),
    ],
    answer: (replies) => {
      const row = lastReport(replies)
      if (row === undefined) throw new Error('No reply of the crash report.')
      return { row: requireSameContent(row, contentHash), isRepeated: replies[1]?.repeated === true }
    },
  }
}

/** When the app's build was first seen, milliseconds since 1970. Undefined if it is new. */
async function firstSeenAt(
  appId: string,
  build: { readonly version: string; readonly build: string },
  views: TypedViews,
): Promise<number | undefined> {
  const key = appBuildKey(build)
  const member = (await views.members(appId, key, 1)).find((found) => found.key === key)
  return (member?.value as AppBuild | undefined)?.firstSeenAt
}

const unknownSymbols = { there: false, revision: 0 } as const

/** The state of the report after the last message to it. Undefined if it got none. */
function lastReport(replies: readonly Reply[]): TypedRow<'crashReport'> | undefined {
  const last = replies.findLast((reply) => reply?.row.kind === 'crashReport')
  return last && requireKind('crashReport', last.row)
}

/** The number of images that one transition can notify. */
function inSlices<T>(all: readonly T[]): T[][] {
  return Array.from({ length: Math.ceil(all.length / imagesMax) }, (_, n) =>
    all.slice(n * imagesMax, (n + 1) * imagesMax),
  )
}

/** @throws Failure CONFLICT if another report has this UUID */
function requireSameContent(row: TypedRow<'crashReport'>, contentHash: string): TypedRow<'crashReport'> {
  if (row.init.contentHash === contentHash) return row
  throw new Failure('CONFLICT', 'Another crash report has this reportId. Give each report its own UUID.', {
    details: { field: 'reportId', id: row.id },
  })
}
