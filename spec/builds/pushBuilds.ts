/** Builds that pushes have requested: one for each delivery of a push and each build configuration that builds the branch. */
import * as v from 'valibot'
import { connectionOf, orderByOf, pageArguments } from '../core/connections.ts'
import { query } from '../core/operation.ts'
import { problem } from '../core/problem.ts'
import { dateTime, id, idOf, named } from '../core/types.ts'

export const pushBuildStatuses = ['STARTING', 'INCIDENT', 'STARTED', 'REFUSED'] as const

export const pushBuildStatus = named(
  'PushBuildStatus',
  'The status of a build that a push requests. STARTED: the build exists. REFUSED: it could not be started.',
  v.picklist(pushBuildStatuses),
)

export const pushBuildSchema = named(
  'PushBuild',
  'A build that a push requests.',
  v.object({
    id,
    status: pushBuildStatus,
    webhookDeliveryId: v.pipe(id, v.description('The delivery of the push.')),
    integrationId: id,
    buildConfigurationId: id,
    worktreeId: id,
    branch: v.string(),
    commit: v.pipe(v.string(), v.description('The full hash of the pushed commit.')),
    buildId: v.pipe(v.nullable(id), v.description('Null until the build is started, and if it was refused.')),
    problem: v.pipe(v.nullable(problem), v.description('The reason of a refusal.')),
    createdAt: dateTime,
  }),
)

export const pushBuilds = query({
  name: 'pushBuilds',
  description: 'Builds that pushes have requested, newest first. An ended request is kept for 30 days.',
  access: 'people',
  tool: {
    group: 'builds',
    name: 'get_push_builds',
    title: 'List builds of pushes',
    description:
      'Lists the builds that pushes have requested, newest first: branch, commit, the build, or the reason why it could not be ' +
      'started. Filter by `buildConfigurationId` and `statuses`. `get_webhook_deliveries` lists the deliveries themselves.',
  },
  input: v.object({
    ...pageArguments,
    orderBy: orderByOf('PushBuild', ['CREATED_AT']),
    buildConfigurationId: v.nullish(idOf('buildConfiguration')),
    statuses: v.pipe(
      v.nullish(v.pipe(v.array(pushBuildStatus), v.maxLength(pushBuildStatuses.length))),
      v.description('Returns only requests with one of these statuses. Default: any.'),
    ),
  }),
  output: connectionOf('PushBuild', pushBuildSchema),
})
