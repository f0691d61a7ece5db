import type * as v from 'valibot'
import { identifyBuild } from '../../../../machines/apps/appKeys.ts'
import type { BuildCount } from '../../../../machines/apps/crashGroup.ts'
import { buildKeysOf, crashGroupMembers } from '../../../../machines/apps/crashGroupKeys.ts'
import {
  acknowledgeCrashGroup,
  crashGroup,
  crashGroupBuild,
  crashGroupDay,
  crashGroupSchema,
  type crashGroupStatus,
  crashGroupStatuses,
  crashGroups,
  resolveCrashGroup,
} from '../../../../spec/apps/crashGroups.ts'
import { titleOfPlace } from '../../../../spec/apps/crashPlace.ts'
import { crashReportSchema } from '../../../../spec/apps/crashReports.ts'
import { atMost, toDateTime } from '../../../../spec/core/types.ts'
import { computedConnection, positionOfText } from '../../core/computedConnection.ts'
import { pageOfRows } from '../../core/connections.ts'
import { everyMember } from '../../core/members.ts'
import { oneRow } from '../../core/oneRow.ts'
import { oneMessage } from '../../core/replies.ts'
import { requireRow } from '../../core/rows.ts'
import { handle } from '../../handler.ts'
import type { Additions, ObjectType, RelationContext } from '../../objectType.ts'
import type { RequestContext } from '../../requestContext.ts'
import type { TypedViews } from '../../typedViews.ts'
import { filterOfBuild } from '../buildFilter.ts'
import { crashReportType } from '../crashReports.ts'
import { reportsOfGroup } from './reportsOfGroup.ts'

/** The builds of a group, those with the most reports first. */
async function readBuilds(groupId: string, views: TypedViews) {
  const members = await views.members(groupId, crashGroupMembers.build.prefix, everyMember)
  return members
    .map(({ value }) => value as BuildCount)
    .sort((a, b) => b.count - a.count)
    .map(({ version, build, count: reportCount }) => ({ version, build, reportCount }))
}

const daysMax = 90

/** The latest days with crashes, the latest first. */
async function readDays(groupId: string, views: TypedViews) {
  const { prefix, toId } = crashGroupMembers.day
  const members = await views.members(groupId, prefix, everyMember)
  return members
    .slice(-daysMax)
    .reverse()
    .map(({ key, value }) => ({ date: toId(key), reportCount: value as number }))
}

const days = {
  type: 'derived',
  output: atMost(daysMax, crashGroupDay),
  nullable: false,
  description: `The latest ${daysMax} days with crashes, the latest first. Days without crashes are left out.`,
  load: async (parents, { views }) => await Promise.all(parents.map(({ id }) => readDays(String(id), views))),
} as const satisfies Additions[string]

const reportsMax = 10
const buildsMax = 100

async function readLatestReports(groupId: string, context: RelationContext) {
  const rows = await context.views.list({
    kind: 'crashReport',
    ...reportsOfGroup(groupId),
    descending: true,
    limit: reportsMax,
  })
  return rows.map((row) => crashReportType.fromRow(row, context))
}

const latest = {
  type: 'derived',
  output: atMost(reportsMax, crashReportSchema),
  nullable: false,
  description: `The ${reportsMax} reports that were received last. \`crashReports\` with \`groupId\` returns all.`,
  load: async (parents, context) => await Promise.all(parents.map(({ id }) => readLatestReports(String(id), context))),
} as const satisfies Additions[string]

/** The lists that tools return in addition with a group. */
const details = {
  builds: {
    type: 'derived',
    output: atMost(buildsMax, crashGroupBuild),
    nullable: false,
    description: `The ${buildsMax} builds with the most reports.`,
    load: async (parents, { views }) =>
      await Promise.all(parents.map(async ({ id }) => (await readBuilds(String(id), views)).slice(0, buildsMax))),
  },
  days,
  latestCrashReports: latest,
} as const satisfies Additions

export const crashGroupType: ObjectType<'crashGroup', typeof crashGroupSchema> = {
  name: 'CrashGroup',
  kind: 'crashGroup',
  schema: crashGroupSchema,
  relations: {
    app: { type: 'one', target: 'App', by: 'appId', nullable: false, description: 'The app that crashed.' },
    builds: computedConnection('CrashGroupBuild', crashGroupBuild, {
      description: 'The builds with reports in the group. The one with the most reports comes first.',
      positionOf: ({ version, build }) => positionOfText(identifyBuild({ version, build })),
      load: async (parents, { views }) => await Promise.all(parents.map(({ id }) => readBuilds(String(id), views))),
    }),
    days,
    latestCrashReports: latest,
  },
  fromRow: (row) => {
    const { appId, exceptionType, frames } = row.init
    const { reports, firstCrashAt, lastCrashAt } = row.context
    return {
      id: row.id,
      status: row.columns.status as v.InferOutput<typeof crashGroupStatus>,
      appId,
      title: titleOfPlace(row.init),
      exceptionType,
      frames: frames.map(({ image, symbol, address }) => ({ imageName: image, symbol, address })),
      reportCount: reports,
      firstCrashAt: firstCrashAt === null ? null : toDateTime(firstCrashAt),
      lastCrashAt: lastCrashAt === null ? null : toDateTime(lastCrashAt),
      createdAt: toDateTime(row.createdAt),
    }
  },
}

async function translateAction(
  id: string,
  type: 'acknowledge' | 'resolve',
  context: RequestContext<'views' | 'presence'>,
) {
  await requireRow(context.views, 'crashGroup', id)
  return oneMessage({ to: { kind: 'crashGroup', id }, event: { type } }, (row) => ({
    crashGroup: crashGroupType.fromRow(row, context),
  }))
}

const withReports = crashGroupStatuses.filter((status) => status !== 'EMPTY')

export const crashGroupHandlers = [
  handle(crashGroup, ['views', 'presence'], {
    additions: details,
    read: oneRow(crashGroupType),
  }),
  handle(crashGroups, ['views', 'presence'], {
    read: async ({ appId, version, build, statuses, ...page }, context) => {
      const { where, init } = filterOfBuild({ appId, version, build })
      const filter = { ...(where && { where }), ...(init && { hasMember: buildKeysOf(init) }) }
      return await pageOfRows(
        context.views,
        { kind: 'crashGroup', ...filter, statuses: statuses ?? withReports },
        page,
        (row) => crashGroupType.fromRow(row, context),
        // The IDs of groups are derived, so they are not in the order of their creation.
        { CREATED_AT: 'sorted', REPORT_COUNT: 'numbered' },
      )
    },
  }),
  handle(acknowledgeCrashGroup, ['views', 'presence'], {
    translate: ({ crashGroupId }, context) => translateAction(crashGroupId, 'acknowledge', context),
  }),
  handle(resolveCrashGroup, ['views', 'presence'], {
    translate: ({ crashGroupId }, context) => translateAction(crashGroupId, 'resolve', context),
  }),
]
