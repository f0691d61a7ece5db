/** Apps: bundle identifiers, by which builds, crash reports, dSYMs and devices belong together. */
import * as v from 'valibot'
import { idempotencyKey } from '../agents/enrollments.ts'
import { connectionOf, orderByOf, pageArguments } from '../core/connections.ts'
import { oneById } from '../core/oneById.ts'
import { mutation, query } from '../core/operation.ts'
import { expectedRevision, revision } from '../core/revision.ts'
import { dateTime, id, idOf, int, named, text } from '../core/types.ts'
import { bundleIdentifier } from './bundleIdentifier.ts'
import { crashStatus } from './crashReports.ts'

export const status = named('AppStatus', 'Whether people work on an app.', v.picklist(['ACTIVE', 'ARCHIVED']))

export const appSchema = named(
  'App',
  'A bundle identifier, with what belongs to it.',
  v.object({ id, bundleIdentifier: v.string(), name: v.string(), status, revision, createdAt: dateTime }),
)

export const appBuild = named(
  'AppBuild',
  'A build that a crash report or a dSYM was of.',
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
      'One app by its ID (`app_…`): its builds, how many crash reports stand how, the latest crash reports and dSYMs, and how many ' +
      'devices are registered. Go on with `get_crash_report` or `get_dsym` for one of them, `get_crash_reports` for more.',
  },
})

export const apps = query({
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
    orderBy: orderByOf('App', ['CREATED_AT', 'BUNDLE_IDENTIFIER']),
    bundleIdentifier: v.pipe(v.nullish(bundleIdentifier), v.description('Only the app that has it.')),
    statuses: v.pipe(v.nullish(v.pipe(v.array(status), v.maxLength(2))), v.description('Only apps that stand so.')),
  }),
  output: connectionOf('App', appSchema),
})

const payload = (typeName: string) => named(typeName, 'The app after the change.', v.object({ app: appSchema }))

const appName = v.pipe(text({ min: 1, max: 100 }), v.description('What people call it.'))

export const createApp = mutation({
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
})

export const updateApp = mutation({
  name: 'updateApp',
  description: 'Gives an app another name. Its bundle identifier stays.',
  access: 'people',
  tool: { group: 'apps', title: 'Rename an app', idempotent: true },
  input: v.object({ appId: idOf('app'), name: appName, expectedRevision }),
  output: payload('UpdateAppPayload'),
})

export const archiveApp = mutation({
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
})

export const restoreApp = mutation({
  name: 'restoreApp',
  description: 'Takes an archived app up again.',
  access: 'people',
  tool: { group: 'apps', title: 'Restore an app', idempotent: true },
  input: v.object({ appId: idOf('app') }),
  output: payload('RestoreAppPayload'),
})
