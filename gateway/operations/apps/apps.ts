import type * as v from 'valibot'
import type { AppBuild } from '../../../machines/apps/app.ts'
import { appMembers } from '../../../machines/apps/appKeys.ts'
import {
  app,
  appBuild,
  appSchema,
  type appStatus,
  apps,
  archiveApp,
  crashReportCount,
  createApp,
  restoreApp,
  updateApp,
} from '../../../spec/apps/apps.ts'
import { appKey } from '../../../spec/apps/bundleIdentifier.ts'
import { crashReportSchema, crashStatuses } from '../../../spec/apps/crashReports.ts'
import { dsymSchema } from '../../../spec/apps/dsyms.ts'
import type { ActorEvent } from '../../../spec/core/actor.ts'
import { Failure } from '../../../spec/core/failure.ts'
import { principalName } from '../../../spec/core/principal.ts'
import { expecting } from '../../../spec/core/revision.ts'
import { atMost, int, toDateTime } from '../../../spec/core/types.ts'
import { computedConnection } from '../core/computedConnection.ts'
import { pageOfRows } from '../core/connections.ts'
import { everyMember } from '../core/members.ts'
import { oneRow } from '../core/oneRow.ts'
import { oneMessage, requireKind } from '../core/replies.ts'
import { requireRow } from '../core/rows.ts'
import { handle } from '../handler.ts'
import type { Additions, ObjectType } from '../objectType.ts'
import type { RequestContext } from '../requestContext.ts'
import type { TypedViews } from '../typedViews.ts'
import { crashReportType } from './crashReports.ts'
import { dsymType } from './dsyms.ts'

/** A build with its number in the order of first occurrence. */
async function buildsOf(appId: string, views: TypedViews) {
  const members = await views.members(appId, appMembers.build.prefix, everyMember)
  return members
    .map(({ value }) => value as AppBuild)
    .sort((a, b) => a.firstSeenAt - b.firstSeenAt)
    .map(({ version, build, firstSeenAt }, number) => ({
      version,
      build,
      firstSeenAt: toDateTime(firstSeenAt),
      number,
    }))
    .reverse()
}

const counts = {
  crashReportCounts: {
    type: 'derived',
    output: atMost(crashStatuses.length, crashReportCount),
    nullable: false,
    description: 'The number of the app’s crash reports by status.',
    load: async (parents, { views }) => {
      const ids = parents.map(({ id }) => String(id))
      const counts = await views.countStatusesByScope('crashReport', 'scopeId', ids)
      return ids.map((id) => crashStatuses.map((status) => ({ status, count: counts.get(id)?.get(status) ?? 0 })))
    },
  },
  registeredDeviceCount: {
    type: 'derived',
    output: int,
    nullable: false,
    description: 'The number of devices that are registered for notifications of the app.',
    load: async (parents, { views }) => {
      const scopes = parents.map((parent) => String(parent.bundleIdentifier))
      const found = await views.countByScope('apnsDevice', 'scopeId', scopes, { terminal: false })
      return scopes.map((scope) => found.get(scope) ?? 0)
    },
  },
} as const satisfies Additions

const latestMax = 10
const buildsMax = 100

/** The lists that tools return in addition with an app. */
const details = {
  builds: {
    type: 'derived',
    output: atMost(buildsMax, appBuild),
    nullable: false,
    description: `The latest ${buildsMax} builds.`,
    load: async (parents, { views }) =>
      await Promise.all(
        parents.map(async (parent) => {
          const builds = await buildsOf(String(parent.id), views)
          return builds.slice(0, buildsMax).map(({ number: _, ...build }) => build)
        }),
      ),
  },
  buildCount: {
    type: 'derived',
    output: int,
    nullable: false,
    description: 'The number of the app’s known builds.',
    load: async (parents, { views }) =>
      await Promise.all(parents.map(async (parent) => (await buildsOf(String(parent.id), views)).length)),
  },
  latestCrashReports: {
    type: 'derived',
    output: atMost(latestMax, crashReportSchema),
    nullable: false,
    description: `The latest ${latestMax} crash reports.`,
    load: async (parents, context) => {
      const ids = parents.map((parent) => String(parent.id))
      const rows = await context.views.listByScope('crashReport', 'scopeId', ids, latestMax)
      return ids.map((id) => (rows.get(id) ?? []).map((row) => crashReportType.fromRow(row, context)))
    },
  },
  latestDsyms: {
    type: 'derived',
    output: atMost(latestMax, dsymSchema),
    nullable: false,
    description: `The latest ${latestMax} dSYMs that were not deleted.`,
    load: async (parents, context) => {
      const ids = parents.map((parent) => String(parent.id))
      const rows = await context.views.listByScope('dsym', 'scopeId', ids, latestMax, { terminal: false })
      return ids.map((id) => (rows.get(id) ?? []).map((row) => dsymType.fromRow(row, context)))
    },
  },
} as const satisfies Additions

export const appType: ObjectType<'app', typeof appSchema> = {
  name: 'App',
  kind: 'app',
  schema: appSchema,
  relations: {
    builds: computedConnection('AppBuild', appBuild, {
      description: 'The app’s known builds. The one that was first seen last comes first.',
      positionOf: ({ number }) => String(number),
      load: async (parents, { views }) =>
        await Promise.all(parents.map(async (parent) => await buildsOf(String(parent.id), views))),
    }),
    ...counts,
    crashReports: {
      type: 'connection',
      target: 'CrashReport',
      kind: 'crashReport',
      by: 'scopeId',
      nullable: false,
      description: 'The app’s crash reports, newest first.',
    },
    dsyms: {
      type: 'connection',
      target: 'Dsym',
      kind: 'dsym',
      by: 'scopeId',
      terminal: false,
      nullable: false,
      description: 'The dSYMs of the app’s builds that were not deleted, newest first.',
    },
  },
  fromRow: (row) => ({
    id: row.id,
    bundleIdentifier: row.init.bundleIdentifier,
    name: row.context.name,
    status: row.columns.status as v.InferOutput<typeof appStatus>,
    revision: row.context.revision,
    createdAt: toDateTime(row.createdAt),
  }),
}

async function toApp(appId: string, event: ActorEvent, context: RequestContext<'views' | 'presence'>) {
  await requireRow(context.views, 'app', appId)
  return oneMessage({ to: { kind: 'app', id: appId }, event }, (row) => ({
    app: appType.fromRow(row, context),
  }))
}

export const appHandlers = [
  handle(app, ['views', 'presence'], {
    additions: { ...counts, ...details },
    read: oneRow(appType),
  }),
  handle(apps, ['views', 'presence'], {
    read: async ({ bundleIdentifier: own, statuses, ...page }, context) =>
      await pageOfRows(
        context.views,
        { kind: 'app', ...(own ? { where: { uniqueKey: appKey(own) } } : {}), ...(statuses ? { statuses } : {}) },
        page,
        (row) => appType.fromRow(row, context),
        { CREATED_AT: 'created', BUNDLE_IDENTIFIER: 'keyed' },
      ),
  }),
  handle(createApp, ['views', 'presence', 'ids'], {
    repeat: { message: 0, answer: ({ row }, context) => ({ app: appType.fromRow(requireKind('app', row), context) }) },
    translate: async ({ bundleIdentifier: own, name }, context) => {
      const known = await context.views.findByKey('app', appKey(own))
      if (known?.columns.status === 'UNCLAIMED') {
        const claim = { to: { kind: 'app', id: known.id }, event: { type: 'claim', name } } as const
        return oneMessage(claim, (row) => ({ app: appType.fromRow(row, context) }))
      }
      if (known !== undefined) {
        throw new Failure('CONFLICT', `An app ${own} already exists: ${known.id}.`, {
          details: { field: 'bundleIdentifier', id: known.id },
        })
      }
      const create = {
        bundleIdentifier: own,
        name,
        createdBy: principalName(context.principal),
        createdAt: context.now,
      }
      const made = { to: { kind: 'app', id: context.ids.newId('app') }, event: { type: 'create' }, create } as const
      return oneMessage(made, (row) => ({ app: appType.fromRow(row, context) }))
    },
  }),
  handle(updateApp, ['views', 'presence'], {
    translate: ({ appId, name, expectedRevision }, context) =>
      toApp(appId, { type: 'rename', name, ...expecting(expectedRevision) }, context),
  }),
  handle(archiveApp, ['views', 'presence'], {
    translate: ({ appId }, context) => toApp(appId, { type: 'archive' }, context),
  }),
  handle(restoreApp, ['views', 'presence'], {
    translate: ({ appId }, context) => toApp(appId, { type: 'restore' }, context),
  }),
]
