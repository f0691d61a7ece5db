import type * as v from 'valibot'
import { buildConfigurationKey } from '../../../machines/builds/buildConfigurationKeys.ts'
import type { TypedRow } from '../../../machines/rows.ts'
import {
  archiveBuildConfiguration,
  buildConfiguration,
  buildConfigurationSchema,
  buildConfigurations,
  createBuildConfiguration,
  unarchiveBuildConfiguration,
  updateBuildConfiguration,
} from '../../../spec/builds/buildConfigurations.ts'
import { signingAssetsMax } from '../../../spec/builds/signing/signingEnums.ts'
import type { ActorEvent } from '../../../spec/core/actor.ts'
import { Failure } from '../../../spec/core/failure.ts'
import { principalName } from '../../../spec/core/principal.ts'
import { expecting } from '../../../spec/core/revision.ts'
import { toDateTime } from '../../../spec/core/types.ts'
import { pageOfRows } from '../core/connections.ts'
import { oneRow } from '../core/oneRow.ts'
import { oneMessage, requireKind } from '../core/replies.ts'
import { requireRow } from '../core/rows.ts'
import { handle } from '../handler.ts'
import type { ObjectType } from '../objectType.ts'
import type { RequestContext } from '../requestContext.ts'
import type { TypedViews } from '../typedViews.ts'
import { toConfigurationContent } from './configurationContent.ts'
import { presentConfiguration, readConfigurationVersion, versionsOfConfiguration } from './configurationVersions.ts'
import { requireOnPush } from './requireOnPush.ts'
import { refuseSigningOfRun, requireNamedAssets } from './signing/handOut.ts'

export const buildConfigurationType: ObjectType<'buildConfiguration', typeof buildConfigurationSchema> = {
  name: 'BuildConfiguration',
  kind: 'buildConfiguration',
  schema: buildConfigurationSchema,
  relations: {
    ...presentConfiguration,
    versions: versionsOfConfiguration,
    repository: {
      type: 'one',
      target: 'Repository',
      by: 'repositoryId',
      nullable: false,
      description: 'The logical repository that is built.',
    },
    signingAssets: {
      type: 'list',
      target: 'SigningAsset',
      by: 'signingAssetIds',
      most: signingAssetsMax,
      nullable: false,
      description: 'The signing assets that a build of the present version gets.',
    },
    builds: {
      type: 'connection',
      target: 'Build',
      kind: 'build',
      by: 'scopeId',
      nullable: false,
      description: 'The builds of the configuration, newest first.',
    },
  },
  fromRow: (row) => {
    const { name, description, revision, updatedAt, signingAssets = [] } = row.context
    return {
      ...{ id: row.id, name, description, revision, version: revision },
      status: row.columns.status as v.InferOutput<typeof buildConfigurationSchema>['status'],
      repositoryId: row.init.repositoryId,
      signingAssetIds: [...signingAssets],
      createdAt: toDateTime(row.createdAt),
      updatedAt: toDateTime(updatedAt),
    }
  },
}

const toPayload = (row: TypedRow<'buildConfiguration'>, context: RequestContext<'presence'>) => ({
  buildConfiguration: buildConfigurationType.fromRow(row, context),
})

const send = (id: string, event: ActorEvent, context: RequestContext<'presence'>) =>
  oneMessage({ to: { kind: 'buildConfiguration', id }, event }, (row) => toPayload(row, context))

/** The repository of the configuration. A run may use only those of its own repository. */
async function touchOwn(
  { buildConfigurationId }: { readonly buildConfigurationId: string },
  { views }: { readonly views: TypedViews },
) {
  return { repositoryId: (await requireRow(views, 'buildConfiguration', buildConfigurationId)).init.repositoryId }
}

/** @param ownId the configuration that may have the name @throws Failure CONFLICT */
async function refuseTaken(name: string, repositoryId: string, views: TypedViews, ownId?: string): Promise<void> {
  const known = await views.findByKey('buildConfiguration', buildConfigurationKey(repositoryId, name))
  if (known === undefined || known.id === ownId) return
  throw new Failure(
    'CONFLICT',
    `The repository already has an active build configuration "${name}": ${known.id}. Rename or archive one of them.`,
    { details: { field: 'name', id: known.id } },
  )
}

export const buildConfigurationHandlers = [
  handle(buildConfigurations, ['views', 'presence'], {
    touches: ({ repositoryId }) => (repositoryId ? { repositoryId } : {}),
    read: ({ statuses, repositoryId, ...page }, context) =>
      pageOfRows(
        context.views,
        {
          kind: 'buildConfiguration',
          ...(repositoryId ? { where: { scopeId: repositoryId } } : {}),
          statuses: statuses ?? ['ACTIVE'],
        },
        page,
        (row) => buildConfigurationType.fromRow(row, context),
      ),
  }),
  handle(buildConfiguration, ['views', 'presence'], {
    touches: async ({ id }, { views }) => {
      const row = await views.get('buildConfiguration', id)
      return row === undefined ? {} : { repositoryId: row.init.repositoryId }
    },
    additions: presentConfiguration,
    read: oneRow(buildConfigurationType),
  }),
  handle(createBuildConfiguration, ['views', 'presence', 'ids'], {
    touches: ({ repositoryId }) => ({ repositoryId }),
    repeat: { message: 0, answer: ({ row }, context) => toPayload(requireKind('buildConfiguration', row), context) },
    translate: async ({ repositoryId, idempotencyKey: _, ...input }, context) => {
      const { views, ids, principal, now } = context
      const content = toConfigurationContent(input)
      await refuseSigningOfRun([content], context)
      await requireNamedAssets(content.signingAssets ?? [], context)
      await requireRow(views, 'repository', repositoryId)
      await requireOnPush(content.onPush, repositoryId, views)
      await refuseTaken(content.name, repositoryId, views)
      const create = { repositoryId, content, createdBy: principalName(principal), createdAt: now }
      const to = { kind: 'buildConfiguration', id: ids.newId('buildConfiguration') } as const
      return oneMessage({ to, event: { type: 'create' }, create }, (row) => toPayload(row, context))
    },
  }),
  handle(updateBuildConfiguration, ['views', 'presence'], {
    touches: touchOwn,
    translate: async ({ buildConfigurationId, expectedRevision, ...input }, context) => {
      const content = toConfigurationContent(input)
      const {
        init,
        columns,
        context: present,
      } = await requireRow(context.views, 'buildConfiguration', buildConfigurationId)
      const former = await readConfigurationVersion(buildConfigurationId, present.revision, context.views)
      await refuseSigningOfRun([content, former], context)
      await requireNamedAssets(content.signingAssets ?? [], context)
      await requireOnPush(content.onPush, init.repositoryId, context.views)
      if (columns.status === 'ACTIVE')
        await refuseTaken(content.name, init.repositoryId, context.views, buildConfigurationId)
      const author = principalName(context.principal)
      const event = { type: 'update', content, author, ...expecting(expectedRevision) }
      return send(buildConfigurationId, event, context)
    },
  }),
  handle(archiveBuildConfiguration, ['views', 'presence'], {
    touches: touchOwn,
    translate: async ({ buildConfigurationId }, context) => {
      await requireRow(context.views, 'buildConfiguration', buildConfigurationId)
      return send(buildConfigurationId, { type: 'archive' }, context)
    },
  }),
  handle(unarchiveBuildConfiguration, ['views', 'presence'], {
    touches: touchOwn,
    translate: async ({ buildConfigurationId }, context) => {
      const { init, context: present } = await requireRow(context.views, 'buildConfiguration', buildConfigurationId)
      await refuseTaken(present.name, init.repositoryId, context.views, buildConfigurationId)
      return send(buildConfigurationId, { type: 'unarchive' }, context)
    },
  }),
]
