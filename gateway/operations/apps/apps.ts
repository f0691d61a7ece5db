import type * as v from 'valibot'
import {
  app,
  type appBuild,
  appSchema,
  apps,
  archiveApp,
  createApp,
  restoreApp,
  type status,
  updateApp,
} from '../../../spec/apps/apps.ts'
import { appKey } from '../../../spec/apps/bundleIdentifier.ts'
import { crashStatuses } from '../../../spec/apps/crashReports.ts'
import type { ActorEvent } from '../../../spec/core/actor.ts'
import { Failure } from '../../../spec/core/failure.ts'
import { principalName } from '../../../spec/core/principal.ts'
import { toDateTime } from '../../../spec/core/types.ts'
import { pageOfRows } from '../core/connections.ts'
import { countOf } from '../core/countOf.ts'
import { everyMember } from '../core/members.ts'
import { oneMessage, requireKind } from '../core/replies.ts'
import { requireRow } from '../core/rows.ts'
import { handle } from '../handler.ts'
import type { ObjectType } from '../objectType.ts'
import type { MessageContext } from '../requestContext.ts'
import type { TypedViews } from '../typedViews.ts'
import { crashType } from './crashReports.ts'
import { dsymType } from './dsyms.ts'

export const appType: ObjectType<'app', typeof appSchema> = {
  name: 'App',
  kind: 'app',
  schema: appSchema,
  relations: {
    crashReports: {
      type: 'many',
      target: 'CrashReport',
      kind: 'crash',
      by: 'scopeId',
      limit: 20,
      nullable: false,
      description: 'Its latest 20 crash reports, newest first. The query `crashReports` gives all, page by page.',
    },
    crashReportCount: countOf({ kind: 'crash', by: 'scopeId' }, 'How many crash reports there are.'),
    dsyms: {
      type: 'many',
      target: 'Dsym',
      kind: 'dsym',
      by: 'scopeId',
      limit: 20,
      nullable: false,
      description:
        'Its latest 20 dSYMs, deleted ones included, newest first. The query `dsyms` gives those that are there, page by page.',
    },
    dsymCount: countOf({ kind: 'dsym', by: 'scopeId' }, 'How many dSYMs there are, deleted ones included.'),
  },
  fromRow: (row) => ({
    id: row.id,
    bundleIdentifier: row.init.bundleIdentifier,
    name: row.context.name,
    status: row.columns.status as v.InferOutput<typeof status>,
    createdAt: toDateTime(row.createdAt),
  }),
}

async function buildsOf(appId: string, views: TypedViews) {
  const members = await views.members(appId, 'build/', everyMember)
  const builds: v.InferInput<typeof appBuild>[] = members
    .map(({ value }) => value as { version: string; build: string; firstSeenAt: number })
    .sort((a, b) => b.firstSeenAt - a.firstSeenAt)
    .slice(0, 100)
    .map(({ firstSeenAt, ...build }) => ({ ...build, firstSeenAt: toDateTime(firstSeenAt) }))
  return { builds, buildCount: members.length }
}

async function toApp(appId: string, event: ActorEvent, context: MessageContext) {
  await requireRow(context.views, 'app', appId)
  return oneMessage({ to: { kind: 'app', id: appId }, event }, (row) => ({
    app: appType.fromRow(row, context),
  }))
}

export const appHandlers = [
  handle(app, {
    read: async (input, context) => {
      const { views } = context
      const row = await views.get('app', input.id)
      if (row === undefined) return null
      const latest = { where: { scopeId: row.id }, descending: true, limit: 10 } as const
      const own = appType.fromRow(row, context)
      const [builds, counts, crashes, dsyms, registeredDeviceCount] = await Promise.all([
        buildsOf(row.id, views),
        Promise.all(
          crashStatuses.map(async (one) => ({
            status: one,
            count: await views.count({ kind: 'crash', where: latest.where, statuses: [one] }),
          })),
        ),
        views.list({ kind: 'crash', ...latest }),
        views.list({ kind: 'dsym', ...latest, terminal: false }),
        views.count({ kind: 'apnsDevice', where: { scopeId: own.bundleIdentifier }, terminal: false }),
      ])
      return {
        ...own,
        ...builds,
        crashReportCounts: counts,
        latestCrashReports: crashes.map((crash) => crashType.fromRow(crash, context)),
        latestDsyms: dsyms.map((dsym) => dsymType.fromRow(dsym, context)),
        registeredDeviceCount,
      }
    },
  }),
  handle(apps, {
    read: async ({ bundleIdentifier: own, statuses, ...page }, context) =>
      await pageOfRows(
        context.views,
        { kind: 'app', ...(own ? { where: { uniqueKey: appKey(own) } } : {}), ...(statuses ? { statuses } : {}) },
        page,
        (row) => appType.fromRow(row, context),
      ),
  }),
  handle(createApp, {
    repeat: { message: 0, answer: ({ row }, context) => ({ app: appType.fromRow(requireKind('app', row), context) }) },
    translate: async ({ bundleIdentifier: own, name }, context) => {
      const known = await context.views.findByKey('app', appKey(own))
      if (known !== undefined) {
        throw new Failure('CONFLICT', `There is an app ${own} already: ${known.id}.`, {
          details: { field: 'bundleIdentifier', id: known.id },
        })
      }
      const create = {
        bundleIdentifier: own,
        name,
        createdBy: principalName(context.principal),
        createdAt: context.now,
      }
      const made = { to: { kind: 'app', id: context.newId('app') }, event: { type: 'create' }, create } as const
      return oneMessage(made, (row) => ({ app: appType.fromRow(row, context) }))
    },
  }),
  handle(updateApp, {
    translate: ({ appId, name }, context) => toApp(appId, { type: 'rename', name }, context),
  }),
  handle(archiveApp, {
    translate: ({ appId }, context) => toApp(appId, { type: 'archive' }, context),
  }),
  handle(restoreApp, {
    translate: ({ appId }, context) => toApp(appId, { type: 'restore' }, context),
  }),
]
