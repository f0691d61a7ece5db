/** Apps: bundle identifiers, by which builds, crash reports, dSYMs and devices belong together. */
import * as v from 'valibot'
import { connectionOf, orderByOf, pageArguments } from '../core/connections.ts'
import { idempotencyKey } from '../core/idempotencyKey.ts'
import { oneById } from '../core/oneById.ts'
import { mutation, query } from '../core/operation.ts'
import { expectedRevision, revision } from '../core/revision.ts'
import { dateTime, id, idOf, int, named, text } from '../core/types.ts'
import { bundleIdentifier } from './bundleIdentifier.ts'
import { crashStatus } from './crashReports.ts'

export const appStatuses = ['UNCLAIMED', 'ACTIVE', 'ARCHIVED'] as const

export const appStatus = named(
  'AppStatus',
  'The status of an app. UNCLAIMED: only crash reports without a credential have named it, and it keeps a limited number of them. ' +
    'It becomes ACTIVE when it is created, or when a report with a credential or a dSYM names it. ARCHIVED: no one works on it.',
  v.picklist(appStatuses),
)

export const appSchema = named(
  'App',
  'An app, identified by its bundle identifier.',
  v.object({ id, bundleIdentifier: v.string(), name: v.string(), status: appStatus, revision, createdAt: dateTime }),
)

export const appBuild = named(
  'AppBuild',
  'A build of an app that a crash report or a dSYM named.',
  v.object({ version: v.string(), build: v.string(), firstSeenAt: dateTime }),
)

export const crashReportCount = named(
  'CrashReportCount',
  'The number of crash reports with a status.',
  v.object({ status: crashStatus, count: int }),
)

export const app = query({
  ...oneById('app', appSchema),
  tool: {
    group: 'apps',
    name: 'get_app',
    title: 'Get an app',
    description:
      'Returns one app by its ID (`app_…`): its builds, the number of crash reports by status, the latest crash reports and ' +
      'dSYMs, and the number of registered devices. `get_crash_report` and `get_dsym` return one of them, and ' +
      '`get_crash_reports` returns more.',
  },
})

export const apps = query({
  name: 'apps',
  description: 'Returns apps, newest first.',
  access: 'people',
  tool: {
    group: 'apps',
    name: 'get_apps',
    title: 'List apps',
    description:
      'Lists apps, newest first: ID, bundle identifier, name, status. Find one by `bundleIdentifier`, or filter by `statuses`. ' +
      '`after: pageInfo.endCursor` continues the list. `get_app` returns the crash reports and dSYMs of one app.',
  },
  input: v.object({
    ...pageArguments,
    orderBy: orderByOf('App', ['CREATED_AT', 'BUNDLE_IDENTIFIER']),
    bundleIdentifier: v.pipe(
      v.nullish(bundleIdentifier),
      v.description('Returns only the app with this bundle identifier.'),
    ),
    statuses: v.pipe(
      v.nullish(v.pipe(v.array(appStatus), v.maxLength(appStatuses.length))),
      v.description('Returns only apps with one of these statuses.'),
    ),
  }),
  output: connectionOf('App', appSchema),
})

const payload = (typeName: string) => named(typeName, 'The app after the change.', v.object({ app: appSchema }))

const appName = v.pipe(text({ min: 1, max: 100 }), v.description('The name of the app, for users.'))

export const createApp = mutation({
  name: 'createApp',
  description:
    'Creates an app with a bundle identifier that no other app has, or claims an UNCLAIMED app with that identifier.',
  access: 'people',
  tool: {
    group: 'apps',
    title: 'Create an app',
    description:
      'Creates an app with a bundle identifier, so that crash reports and dSYMs can be recorded for it. An UNCLAIMED app with the ' +
      'identifier becomes ACTIVE and gets the name. It is refused with CONFLICT if another app, archived or not, has the ' +
      'identifier: find that app with `get_apps`.',
  },
  input: v.object({ bundleIdentifier, name: appName, idempotencyKey }),
  output: payload('CreateAppPayload'),
})

export const updateApp = mutation({
  name: 'updateApp',
  description: 'Renames an app. Its bundle identifier does not change.',
  access: 'people',
  tool: { group: 'apps', title: 'Rename an app', idempotent: true },
  input: v.object({ appId: idOf('app'), name: appName, expectedRevision }),
  output: payload('UpdateAppPayload'),
})

export const archiveApp = mutation({
  name: 'archiveApp',
  description: 'Archives an app. Its crash reports and dSYMs stay, and new ones are accepted.',
  access: 'people',
  tool: {
    group: 'apps',
    title: 'Archive an app',
    description:
      'Archives an app that no one works on any more. Its crash reports and dSYMs stay, and new ones are accepted. ' +
      '`restore_app` undoes this.',
    idempotent: true,
  },
  input: v.object({ appId: idOf('app') }),
  output: payload('ArchiveAppPayload'),
})

export const restoreApp = mutation({
  name: 'restoreApp',
  description: 'Restores an archived app.',
  access: 'people',
  tool: { group: 'apps', title: 'Restore an app', idempotent: true },
  input: v.object({ appId: idOf('app') }),
  output: payload('RestoreAppPayload'),
})
