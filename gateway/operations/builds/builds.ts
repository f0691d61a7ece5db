import type * as v from 'valibot'
import type { BuildServerUrls } from '../../../machines/builds/buildActions.ts'
import type { TypedRow } from '../../../machines/rows.ts'
import { build, buildSchema, buildStatusChanged, builds } from '../../../spec/builds/builds.ts'
import { chosenOrigin } from '../../../spec/builds/chosenOrigin.ts'
import { signingAssetsMax } from '../../../spec/builds/signing/signingEnums.ts'
import { siblingId } from '../../../spec/core/ids.ts'
import { toDateTime } from '../../../spec/core/types.ts'
import { blockedBySchema } from '../../../spec/worktrees/queueEntries.ts'
import { requesterBy } from '../accounts/requester.ts'
import { pageOfRows } from '../core/connections.ts'
import { moment } from '../core/moment.ts'
import { oneRow } from '../core/oneRow.ts'
import { requireKind } from '../core/replies.ts'
import { requireRow } from '../core/rows.ts'
import { handle } from '../handler.ts'
import type { GraphqlObject, ObjectType } from '../objectType.ts'
import type { TypedViews } from '../typedViews.ts'
import { blockedByOutput, blockOfBuild, picturesOf } from '../worktrees/queueEntries.ts'
import { coverageObject } from './coverage.ts'

type BuildObject = v.InferInput<typeof buildSchema>

export function buildObject(row: TypedRow<'build'>): BuildObject {
  const { init, context, columns } = row
  const { job, times, commit, problem, exit, coverage } = context
  return {
    id: row.id,
    displayNumber: init.number,
    name: init.content.name,
    kind: init.kind ?? 'BUILD',
    source: init.slot === undefined ? 'COMMIT' : 'WORKTREE',
    status: columns.status as BuildObject['status'],
    phase: columns.terminal ? null : ((columns.phase ?? null) as BuildObject['phase']),
    trigger: init.trigger,
    buildConfigurationId: init.buildConfigurationId,
    configurationVersion: init.configurationVersion,
    repositoryId: init.repositoryId,
    codebaseId: init.codebaseId,
    worktreeId: init.worktreeId,
    agentId: init.agentId,
    jobId: job.ready ? siblingId('job', row.id) : null,
    requestedCommit: init.requestedCommit,
    commit,
    branch: init.branch ?? null,
    workflowStepId: init.stepId ?? null,
    webhookDeliveryId: init.deliveryId ?? null,
    rebuildOfId: init.rebuildOf,
    requestedById: init.requestedBy,
    signingAssetIds: [...(init.content.signingAssets ?? [])],
    serverUrls: toServerUrls(init.serverUrls),
    exclusiveWorktree: init.slot?.exclusive ?? false,
    worktreeConcurrencyLimit: init.slot?.limit ?? null,
    queuedAt: moment(context.queuedAt ?? null),
    admittedAt: moment(context.admittedAt ?? null),
    problem,
    exitCode: exit?.code ?? null,
    coverage: coverage === undefined ? null : coverageObject(row.id, coverage),
    createdAt: toDateTime(row.createdAt),
    startedAt: moment(times.started),
    endedAt: moment(times.ended),
    // Clocks of two processes may differ a little.
    durationMs: times.started === null || times.ended === null ? null : Math.max(0, times.ended - times.started),
  }
}

function toServerUrls(urls: BuildServerUrls): BuildObject['serverUrls'] {
  const { kind, local, remote, proxy } = urls
  return { kind, url: chosenOrigin(urls), localUrl: local, remoteUrl: remote, proxyUrl: proxy }
}

/** Finds what each build waits for. The queue of a worktree is read once for all of its builds. */
async function blocksOf(parents: readonly GraphqlObject[], views: TypedViews) {
  const waiting = parents.filter(({ phase }) => phase === 'WAITING_FOR_WORKTREE')
  const [rows, pictures] = await Promise.all([
    views.getMany(
      'build',
      waiting.map((parent) => String(parent.id)),
    ),
    picturesOf(
      views,
      waiting.map((parent) => String(parent.worktreeId)),
    ),
  ])
  return parents.map((parent) => {
    const row = rows.get(String(parent.id))
    const picture = pictures.get(String(parent.worktreeId))
    const blocked = row && picture && blockOfBuild(row, picture)
    return blocked === undefined ? null : blockedByOutput(blocked)
  })
}

export const buildType: ObjectType<'build', typeof buildSchema> = {
  name: 'Build',
  kind: 'build',
  schema: buildSchema,
  relations: {
    buildConfiguration: {
      type: 'one',
      target: 'BuildConfiguration',
      by: 'buildConfigurationId',
      nullable: false,
      description: 'The configuration that is built. The build has the version of its start.',
    },
    repository: {
      type: 'one',
      target: 'Repository',
      by: 'repositoryId',
      nullable: false,
      description: 'The logical repository that is built.',
    },
    worktree: {
      type: 'one',
      target: 'Worktree',
      by: 'worktreeId',
      nullable: false,
      description: 'The worktree whose commit, or whose files, are built.',
    },
    blockedBy: {
      type: 'derived',
      output: blockedBySchema,
      nullable: true,
      description: 'The reason why the build does not get its worktree yet. Null if it does not wait for it.',
      load: async (parents, { views }) => await blocksOf(parents, views),
    },
    agent: {
      type: 'one',
      target: 'Agent',
      by: 'agentId',
      nullable: false,
      description: 'The agent on whose machine the build executes.',
    },
    job: {
      type: 'one',
      target: 'Job',
      by: 'jobId',
      nullable: true,
      description: 'The job that executes the build.',
    },
    signingAssets: {
      type: 'list',
      target: 'SigningAsset',
      by: 'signingAssetIds',
      most: signingAssetsMax,
      nullable: false,
      description: 'The signing assets that the build gets, with their present names.',
    },
    artifacts: {
      type: 'connection',
      target: 'BuildArtifact',
      kind: 'buildArtifact',
      by: 'scopeId',
      nullable: false,
      description: 'The files that the build keeps, newest first.',
    },
    deployments: {
      type: 'connection',
      target: 'Deployment',
      kind: 'deployment',
      by: 'scopeId',
      nullable: false,
      description: 'The deployments of the build, newest first.',
    },
    workflowStep: {
      type: 'one',
      target: 'WorkflowStep',
      by: 'workflowStepId',
      nullable: true,
      description: 'The step of a workflow’s run that started the build.',
    },
    webhookDelivery: {
      type: 'one',
      target: 'WebhookDelivery',
      by: 'webhookDeliveryId',
      nullable: true,
      description: 'The delivery of the push that started the build. Null if it is no longer kept.',
    },
    rebuildOf: {
      type: 'one',
      target: 'Build',
      by: 'rebuildOfId',
      nullable: true,
      description: 'The build that this one repeats.',
    },
    requestedBy: {
      ...requesterBy('requestedById'),
      description: 'The user, API key, run or integration that requested the build. Null if the user was removed.',
    },
  },
  fromRow: buildObject,
}

export const buildHandlers = [
  handle(builds, ['views'], {
    read: async ({ buildConfigurationId, worktreeId, agentId, kind, statuses, ...page }, { views }) => {
      const where = {
        ...(buildConfigurationId ? { scopeId: buildConfigurationId } : {}),
        ...(worktreeId ? { worktreeId } : {}),
        ...(agentId ? { agentId } : {}),
      }
      const query = {
        ...({ kind: 'build', where } as const),
        ...(statuses ? { statuses } : {}),
        ...(kind ? { marks: [[['kind', kind] as const]] } : {}),
      }
      return await pageOfRows(views, query, page, buildObject)
    },
  }),
  handle(build, ['views', 'presence'], { read: oneRow({ kind: 'build', fromRow: buildObject }) }),
  handle(buildStatusChanged, ['views'], {
    follow: async ({ buildId, buildConfigurationId }, { views }) => {
      if (buildId) await requireRow(views, 'build', buildId)
      if (buildConfigurationId) await requireRow(views, 'buildConfiguration', buildConfigurationId)
      const where = {
        ...(buildId ? { id: buildId } : {}),
        ...(buildConfigurationId ? { scopeId: buildConfigurationId } : {}),
      }
      return { type: 'rows', kind: 'build', where, initial: buildId ? 'all' : 'none', endsWithActor: true }
    },
    payload: (item) => (item.type === 'row' ? buildObject(requireKind('build', item.row)) : undefined),
  }),
]
