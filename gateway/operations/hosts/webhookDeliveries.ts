import type * as v from 'valibot'
import type { DeliveredPush } from '../../../machines/hosts/webhookDelivery.ts'
import { toDateTime } from '../../../spec/core/types.ts'
import { deliverySchema, webhookDeliveries } from '../../../spec/hosts/webhookDeliveries.ts'
import { pageOfRows } from '../core/connections.ts'
import { requireRow } from '../core/rows.ts'
import { handle } from '../handler.ts'
import type { ObjectType } from '../objectType.ts'
import { pushBuildsOfDelivery } from './pushBuilds.ts'

export const webhookDeliveryType: ObjectType<'webhookDelivery', typeof deliverySchema> = {
  name: 'WebhookDelivery',
  kind: 'webhookDelivery',
  schema: deliverySchema,
  relations: {
    pushBuilds: pushBuildsOfDelivery,
    integration: {
      type: 'one',
      target: 'Integration',
      by: 'integrationId',
      nullable: true,
      description: 'The integration that received the delivery.',
    },
  },
  fromRow: (row) => {
    const { integrationId, deliveryId, event, headers, size, sha256, push, receivedAt } = row.init
    return {
      id: row.id,
      status: row.columns.status as v.InferInput<typeof deliverySchema>['status'],
      integrationId,
      deliveryId,
      event,
      headers: Object.entries(headers).map(([name, value]) => ({ name, value })),
      size,
      sha256,
      push: push === undefined ? null : toPush(push),
      receivedAt: toDateTime(receivedAt),
    }
  },
}

const toPush = ({ repositoryId, branch, commit, omitted }: DeliveredPush) => ({
  ...{ repositoryId, branch, commit },
  omittedCount: omitted,
})

export const webhookDeliveryHandlers = [
  handle(webhookDeliveries, ['views', 'presence'], {
    read: async ({ integrationId, ...page }, context) => {
      const { views } = context
      await requireRow(views, 'integration', integrationId)
      return await pageOfRows(views, { kind: 'webhookDelivery', where: { scopeId: integrationId } }, page, (row) =>
        webhookDeliveryType.fromRow(row, context),
      )
    },
  }),
]
