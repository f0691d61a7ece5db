/** Groups of crash reports: the same exception in the same place of an app. */
import * as v from 'valibot'
import { connectionOf, orderByOf, pageArguments } from '../core/connections.ts'
import { oneById } from '../core/oneById.ts'
import { mutation, query } from '../core/operation.ts'
import { atMost, dateTime, id, idOf, int, named } from '../core/types.ts'
import { buildFilter } from './buildFilter.ts'
import { placeFrames } from './crashPlace.ts'

export const crashGroupStatuses = ['NEW', 'SPIKING', 'REGRESSED', 'ACKNOWLEDGED', 'RESOLVED', 'EMPTY'] as const

export const crashGroupStatus = named(
  'CrashGroupStatus',
  'The status of a group of crash reports. NEW: no person has seen it. SPIKING: within an hour, at least 25 reports came, and five times as many as usual. ' +
    'REGRESSED: it was resolved, and a newer build has it again. ACKNOWLEDGED: a person has seen it. RESOLVED: newer builds should not have it. ' +
    'EMPTY: its reports have moved to other groups, because their names changed.',
  v.picklist(crashGroupStatuses),
)

const groupFrame = named(
  'CrashGroupFrame',
  'A call that all reports of a group have.',
  v.object({
    imageName: v.nullable(v.string()),
    symbol: v.pipe(v.nullable(v.string()), v.description('The name of the function. Null if it is not known.')),
    address: v.pipe(
      v.nullable(v.string()),
      v.description('Without a symbol: the address in hexadecimal, from the start of the image if that is known.'),
    ),
  }),
)

export const crashGroupSchema = named(
  'CrashGroup',
  'The crash reports of an app that have the same exception in the same place.',
  v.object({
    id,
    status: crashGroupStatus,
    appId: id,
    title: v.pipe(v.string(), v.description('The innermost call of the app, or the exception if the app has no call.')),
    exceptionType: v.pipe(v.string(), v.description('Without the signal, for example `EXC_BREAKPOINT`.')),
    frames: v.pipe(
      atMost(placeFrames, groupFrame),
      v.description(
        'The innermost calls of the app in the thread that crashed. Those of any image if the app has none.',
      ),
    ),
    reportCount: v.pipe(int, v.description('The number of reports of all builds. `builds` has those of each build.')),
    firstCrashAt: v.pipe(
      v.nullable(dateTime),
      v.description('The time of the first crash, of all reports that have ever been in the group.'),
    ),
    lastCrashAt: v.nullable(dateTime),
    createdAt: dateTime,
  }),
)

export const crashGroupBuild = named(
  'CrashGroupBuild',
  'A build with reports in a group.',
  v.object({ version: v.string(), build: v.string(), reportCount: int }),
)

export const crashGroupDay = named(
  'CrashGroupDay',
  'A day with crashes of a group.',
  v.object({
    date: v.pipe(v.string(), v.description('In UTC, for example `2026-11-28`.')),
    reportCount: int,
  }),
)

export const crashGroup = query({
  ...oneById('crashGroup', crashGroupSchema),
  tool: {
    group: 'apps',
    name: 'get_crash_group',
    title: 'Get a crash group',
    description:
      'Returns one group of crash reports by its ID (`cgr_…`): its exception and innermost calls, its status, its builds, its days, and the ' +
      'latest reports. `get_crash_report` returns the threads of one report.',
  },
})

export const crashGroups = query({
  name: 'crashGroups',
  description:
    'Returns groups of crash reports: the same exception in the same place of an app. The newest comes first. Groups that are EMPTY are left out unless `statuses` has them.',
  access: 'people',
  tool: {
    group: 'apps',
    name: 'get_crash_groups',
    title: 'List crash groups',
    description:
      'Lists groups of crash reports, newest first: the same exception in the same place of an app, with the number of reports. Filter by ' +
      '`appId`, with it by `version` and `build`, and by `statuses`: NEW, SPIKING and REGRESSED wait for a person. `orderBy: REPORT_COUNT` lists the most frequent first. ' +
      '`after: pageInfo.endCursor` continues the list. `get_crash_group` returns the builds, days and reports of a group.',
  },
  input: v.object({
    ...pageArguments,
    orderBy: orderByOf('CrashGroup', ['CREATED_AT', 'REPORT_COUNT']),
    ...buildFilter,
    statuses: v.pipe(
      v.nullish(v.pipe(v.array(crashGroupStatus), v.maxLength(crashGroupStatuses.length))),
      v.description('Returns only groups with one of these statuses. Default: all but EMPTY.'),
    ),
  }),
  output: connectionOf('CrashGroup', crashGroupSchema),
})

const payload = (typeName: string) =>
  named(typeName, 'The group after the change.', v.object({ crashGroup: crashGroupSchema }))

export const acknowledgeCrashGroup = mutation({
  name: 'acknowledgeCrashGroup',
  description:
    'Notes that a person has seen a group of crash reports. It waits for no person until its reports become five times as frequent as now.',
  access: 'people',
  tool: {
    group: 'apps',
    title: 'Acknowledge a crash group',
    description:
      'Notes that a person has seen a group of crash reports: it leaves the Action Center, and returns if its reports become five times as ' +
      'frequent as now. A RESOLVED group is open again.',
    idempotent: true,
  },
  input: v.object({ crashGroupId: idOf('crashGroup') }),
  output: payload('AcknowledgeCrashGroupPayload'),
})

export const resolveCrashGroup = mutation({
  name: 'resolveCrashGroup',
  description:
    'Notes that the fault of a group of crash reports is corrected. A crash of a build that is newer than those of its reports makes it REGRESSED.',
  access: 'people',
  tool: {
    group: 'apps',
    title: 'Resolve a crash group',
    description:
      'Notes that the fault of a group of crash reports is corrected. Crashes of the builds that had it are only counted. A crash of a newer ' +
      'build makes it REGRESSED, and it is in the Action Center again. `acknowledge_crash_group` opens it without a crash.',
    idempotent: true,
  },
  input: v.object({ crashGroupId: idOf('crashGroup') }),
  output: payload('ResolveCrashGroupPayload'),
})
