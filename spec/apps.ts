/** Apps: bundle identifiers, by which builds, crash reports, dSYMs and devices belong together. */

import * as v from 'valibot'
import type { ActorEvent, ActorRow } from './actor.ts'
import { appKey, bundleIdentifier } from './bundleIdentifier.ts'
import { connectionOf, pageArguments, pageOfRows } from './connections.ts'
import { countOf } from './countOf.ts'
import { crashReportSchema, crashStatus, crashStatuses, crashType } from './crashReports.ts'
import { dsymSchema, dsymType } from './dsyms.ts'
import { idempotencyKey } from './enrollments.ts'
import { Failure } from './failure.ts'
import { everyMember } from './members.ts'
import { type MessageContext, mutation, type ObjectType, query } from './operation.ts'
import { principalName } from './principal.ts'
import { oneMessage } from './replies.ts'
import { contextOf, initOf, requireRow } from './rows.ts'
import { dateTime, id, idOf, int, named, text, toDateTime } from './types.ts'
import type { Views } from './views.ts'

const status = named('AppStatus', 'Whether people work on an app.', v.picklist(['ACTIVE', 'ARCHIVED']))

const fields = {
  id,
  bundleIdentifier: v.string(),
  name: v.string(),
  status,
  createdAt: dateTime,
}

const appSchema = named('App', 'A bundle identifier, with what belongs to it.', v.object(fields))

export const appType: ObjectType<typeof appSchema> = {
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
    bundleIdentifier: initOf<{ bundleIdentifier: string }>(row).bundleIdentifier,
    name: contextOf<{ name: string }>(row).name,
    status: row.columns.status as v.InferOutput<typeof status>,
    createdAt: toDateTime(row.createdAt),
  }),
}

const appBuild = named(
  'AppBuild',
  'A build that a crash report or a dSYM was of.',
  v.object({ version: v.string(), build: v.string(), firstSeenAt: dateTime }),
)

const statusCount = named(
  'CrashReportCount',
  'How many crash reports stand so.',
  v.object({ status: crashStatus, count: int }),
)

const appDetails = named(
  'AppDetails',
  'An app with what belongs to it.',
  v.object({
    ...fields,
    builds: v.pipe(v.array(appBuild), v.description('At most 100, those that were heard of last first.')),
    crashReportCounts: v.array(statusCount),
    buildCount: v.pipe(int, v.description('How many builds are known. `builds` has the 100 seen first most recently.')),
    latestCrashReports: v.pipe(v.array(crashReportSchema), v.description('At most 10, newest first.')),
    latestDsyms: v.pipe(v.array(dsymSchema), v.description('Those that are there, at most 10, newest first.')),
    registeredDeviceCount: v.pipe(int, v.description('Devices that are registered for its notifications.')),
  }),
)

async function buildsOf(appId: string, views: Views) {
  const members = await views.members(appId, 'build/', everyMember)
  const builds: v.InferInput<typeof appBuild>[] = members
    .map(({ value }) => value as { version: string; build: string; firstSeenAt: number })
    .sort((a, b) => b.firstSeenAt - a.firstSeenAt)
    .slice(0, 100)
    .map(({ firstSeenAt, ...build }) => ({ ...build, firstSeenAt: toDateTime(firstSeenAt) }))
  return { builds, buildCount: members.length }
}

const app = query({
  name: 'app',
  description: 'One app, by its ID, with what belongs to it.',
  access: 'people',
  tool: {
    group: 'apps',
    name: 'get_app',
    title: 'Get an app',
    description:
      'One app by its ID (`app_…`): its builds, how many crash reports stand how, the latest crash reports and dSYMs, and how many ' +
      'devices are registered. Go on with `get_crash_report` or `get_dsym` for one of them, `get_crash_reports` for more.',
  },
  input: v.object({ id: idOf('app') }),
  output: v.nullable(appDetails),
  read: async (input, context) => {
    const { views } = context
    const row = await views.get(input.id)
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
})

const apps = query({
  name: 'apps',
  description: 'Apps, newest first.',
  access: 'people',
  tool: {
    group: 'apps',
    name: 'get_apps',
    title: 'List apps',
    description:
      'Lists apps, newest first: ID, bundle identifier, name, whether archived. Find one by `bundleIdentifier`, or filter by ' +
      '`statuses`; go on with `after: pageInfo.endCursor`. See `get_app` for the crash reports and dSYMs of one.',
  },
  input: v.object({
    ...pageArguments,
    bundleIdentifier: v.pipe(v.nullish(bundleIdentifier), v.description('Only the app that has it.')),
    statuses: v.pipe(v.nullish(v.pipe(v.array(status), v.maxLength(2))), v.description('Only apps that stand so.')),
  }),
  output: connectionOf('App', appSchema),
  read: async ({ bundleIdentifier: own, statuses, ...page }, context) =>
    await pageOfRows(
      context.views,
      { kind: 'app', ...(own ? { where: { uniqueKey: appKey(own) } } : {}), ...(statuses ? { statuses } : {}) },
      page,
      (row) => appType.fromRow(row, context),
    ),
})

const payload = (typeName: string) => named(typeName, 'The app after the change.', v.object({ app: appSchema }))

const appName = v.pipe(text({ min: 1, max: 100 }), v.description('What people call it.'))

const createApp = mutation({
  name: 'createApp',
  description: 'Makes an app of a bundle identifier, which no other app has.',
  access: 'people',
  tool: {
    group: 'apps',
    title: 'Create an app',
    description:
      'Makes an app of a bundle identifier, so that crash reports and dSYMs can be recorded for it. Refused with CONFLICT where an ' +
      'app has it already, archived ones included: find that with `get_apps`.',
  },
  input: v.object({ bundleIdentifier, name: appName, idempotencyKey }),
  output: payload('CreateAppPayload'),
  repeat: { message: 0, answer: ({ row }, context) => ({ app: appType.fromRow(row, context) }) },
  translate: async ({ bundleIdentifier: own, name }, context) => {
    const known = await context.views.findByKey('app', appKey(own))
    if (known !== undefined) {
      throw new Failure('CONFLICT', `There is an app ${own} already: ${known.id}.`, {
        details: { field: 'bundleIdentifier', id: known.id },
      })
    }
    const create = { bundleIdentifier: own, name, createdBy: principalName(context.principal), createdAt: context.now }
    const made = { to: { kind: 'app', id: context.newId('app') }, event: { type: 'create' }, create } as const
    return oneMessage(made, (row) => ({ app: appType.fromRow(row, context) }))
  },
})

async function toApp(appId: string, event: ActorEvent, context: MessageContext) {
  await requireRow(context.views, 'app', appId)
  return oneMessage({ to: { kind: 'app', id: appId }, event }, (row: ActorRow) => ({
    app: appType.fromRow(row, context),
  }))
}

const updateApp = mutation({
  name: 'updateApp',
  description: 'Gives an app another name. Its bundle identifier stays.',
  access: 'people',
  tool: { group: 'apps', title: 'Rename an app', idempotent: true },
  input: v.object({ appId: idOf('app'), name: appName }),
  output: payload('UpdateAppPayload'),
  translate: ({ appId, name }, context) => toApp(appId, { type: 'rename', name }, context),
})

const archiveApp = mutation({
  name: 'archiveApp',
  description: 'Puts an app away. Its crash reports and dSYMs stay, and others are still taken.',
  access: 'people',
  tool: {
    group: 'apps',
    title: 'Archive an app',
    description:
      'Puts away an app that nobody works on any more. Its crash reports and dSYMs stay, and others are still taken; `restore_app` ' +
      'takes it up again.',
    idempotent: true,
  },
  input: v.object({ appId: idOf('app') }),
  output: payload('ArchiveAppPayload'),
  translate: ({ appId }, context) => toApp(appId, { type: 'archive' }, context),
})

const restoreApp = mutation({
  name: 'restoreApp',
  description: 'Takes an archived app up again.',
  access: 'people',
  tool: { group: 'apps', title: 'Restore an app', idempotent: true },
  input: v.object({ appId: idOf('app') }),
  output: payload('RestoreAppPayload'),
  translate: ({ appId }, context) => toApp(appId, { type: 'restore' }, context),
})

export const appOperations = [app, apps, createApp, updateApp, archiveApp, restoreApp]
