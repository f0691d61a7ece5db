import type * as v from 'valibot'
import type { TypedRow } from '../../../machines/rows.ts'
import { toDateTime } from '../../../spec/core/types.ts'
import { type deliverySchema, webhookDeliveries } from '../../../spec/hosts/webhookDeliveries.ts'
import { pageOfRows } from '../core/connections.ts'
import { requireRow } from '../core/rows.ts'
import { handle } from '../handler.ts'

function deliveryOf(row: TypedRow<'webhookDelivery'>): v.InferInput<typeof deliverySchema> {
  const { integrationId, deliveryId, event, headers, size, sha256, receivedAt } = row.init
  return {
    id: row.id,
    status: row.columns.status as v.InferInput<typeof deliverySchema>['status'],
    integrationId,
    deliveryId,
    event,
    headers: Object.entries(headers).map(([name, value]) => ({ name, value })),
    size,
    sha256,
    receivedAt: toDateTime(receivedAt),
  }
}

export const webhookDeliveryHandlers = [
  handle(webhookDeliveries, {
    read: async ({ integrationId, ...page }, { views }) => {
      await requireRow(views, 'integration', integrationId)
      return await pageOfRows(views, { kind: 'webhookDelivery', where: { scopeId: integrationId } }, page, deliveryOf)
    },
  }),
]
