/** What was delivered to an integration. */
import * as v from 'valibot'
import type { ActorRow } from './actor.ts'
import { connectionOf, pageArguments, pageOfRows } from './connections.ts'
import { query } from './operation.ts'
import { initOf, requireRow } from './rows.ts'
import { dateTime, id, idOf, int, json, named, toDateTime } from './types.ts'

const deliverySchema = named(
  'WebhookDelivery',
  'A webhook that was verified and stored. A repeat of it makes no other.',
  v.object({
    id,
    status: named(
      'WebhookDeliveryStatus',
      'How a delivery stands.',
      v.picklist(['RECEIVED', 'RECORDED', 'REFUSED', 'EXPIRED']),
    ),
    integrationId: id,
    deliveryId: v.pipe(v.nullable(v.string()), v.description('As the provider names it; null where it gives none.')),
    event: v.pipe(v.string(), v.description('As the provider names it.')),
    headers: v.pipe(json, v.description('Those that say more of the delivery.')),
    size: v.pipe(int, v.description('Bytes of the body.')),
    sha256: v.pipe(v.string(), v.description('Of the body, hexadecimal.')),
    receivedAt: dateTime,
  }),
)

interface Made {
  readonly integrationId: string
  readonly deliveryId: string | null
  readonly event: string
  readonly headers: Readonly<Record<string, string>>
  readonly size: number
  readonly sha256: string
  readonly receivedAt: number
}

function deliveryOf(row: ActorRow): v.InferInput<typeof deliverySchema> {
  const { integrationId, deliveryId, event, headers, size, sha256, receivedAt } = initOf<Made>(row)
  return {
    id: row.id,
    status: row.columns.status as v.InferInput<typeof deliverySchema>['status'],
    integrationId,
    deliveryId,
    event,
    headers,
    size,
    sha256,
    receivedAt: toDateTime(receivedAt),
  }
}

const webhookDeliveries = query({
  name: 'webhookDeliveries',
  description: 'What was delivered to an integration, newest first. Deliveries are told apart for 30 days.',
  access: 'people',
  tool: {
    group: 'integrations',
    name: 'get_webhook_deliveries',
    title: 'List webhook deliveries',
    description:
      'Lists what was delivered to an integration, newest first: event, time, size and hash of the body. Use it to see whether a ' +
      'provider delivers at all; what it could not prove to be its own is not here.',
  },
  input: v.object({ integrationId: idOf('integration'), ...pageArguments }),
  output: connectionOf('WebhookDelivery', deliverySchema),
  read: async ({ integrationId, ...page }, { views }) => {
    await requireRow(views, 'integration', integrationId)
    return await pageOfRows(views, { kind: 'webhookDelivery', where: { scopeId: integrationId } }, page, deliveryOf)
  },
})

export const webhookDeliveryOperations = [webhookDeliveries]
