import type * as v from 'valibot'
import { pushBuildIdOf } from '../../../machines/hosts/pushBuildKeys.ts'
import type { TypedRow } from '../../../machines/rows.ts'
import { pushBuildSchema, pushBuilds } from '../../../spec/builds/pushBuilds.ts'
import { atMost, toDateTime } from '../../../spec/core/types.ts'
import { pushTargetsMax } from '../../../spec/hosts/webhookDeliveries.ts'
import { pageOfRows } from '../core/connections.ts'
import { handle } from '../handler.ts'
import type { ObjectType, Relation } from '../objectType.ts'

type PushBuild = v.InferInput<typeof pushBuildSchema>

function pushBuildObject({ id, init, context, columns, createdAt }: TypedRow<'pushBuild'>): PushBuild {
  const { deliveryId, integrationId, buildConfigurationId, worktreeId, branch, commit } = init
  return {
    id,
    status: columns.status as PushBuild['status'],
    webhookDeliveryId: deliveryId,
    ...{ integrationId, buildConfigurationId, worktreeId, branch, commit },
    buildId: context.buildId,
    problem: context.problem,
    createdAt: toDateTime(createdAt),
  }
}

export const pushBuildType: ObjectType<'pushBuild', typeof pushBuildSchema> = {
  name: 'PushBuild',
  kind: 'pushBuild',
  schema: pushBuildSchema,
  relations: {
    webhookDelivery: {
      type: 'one',
      target: 'WebhookDelivery',
      by: 'webhookDeliveryId',
      nullable: true,
      description: 'The delivery of the push. Null if it is no longer kept.',
    },
    buildConfiguration: {
      type: 'one',
      target: 'BuildConfiguration',
      by: 'buildConfigurationId',
      nullable: false,
      description: 'The configuration that builds the branch.',
    },
    build: { type: 'one', target: 'Build', by: 'buildId', nullable: true, description: 'The build that was started.' },
  },
  fromRow: pushBuildObject,
}

/** The builds of a delivery, whose IDs follow from it. */
export const pushBuildsOfDelivery = {
  type: 'derived',
  output: atMost(pushTargetsMax, pushBuildSchema),
  nullable: false,
  description: 'The builds that the push requests. Empty for another event, and if no configuration builds the branch.',
  load: async (parents, { views }) => {
    const deliveries = await views.getMany(
      'webhookDelivery',
      parents.map(({ id }) => String(id)),
    )
    return await Promise.all(
      parents.map(async ({ id }) => {
        const targets = deliveries.get(String(id))?.init.push?.targets ?? []
        const ids = targets.map((_, index) => pushBuildIdOf(String(id), index))
        const rows = ids.length === 0 ? new Map() : await views.getMany('pushBuild', ids)
        return ids.flatMap((one) => {
          const row = rows.get(one)
          return row === undefined ? [] : [pushBuildObject(row)]
        })
      }),
    )
  },
} as const satisfies Relation & { readonly description: string; readonly nullable: boolean }

export const pushBuildHandlers = [
  handle(pushBuilds, ['views'], {
    read: async ({ buildConfigurationId, statuses, ...page }, { views }) => {
      const query = {
        kind: 'pushBuild',
        ...(buildConfigurationId ? { where: { scopeId: buildConfigurationId } } : {}),
        ...(statuses ? { statuses } : {}),
      } as const
      return await pageOfRows(views, query, page, pushBuildObject)
    },
  }),
]
