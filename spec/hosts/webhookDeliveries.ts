/** The deliveries to an integration. */
import * as v from 'valibot'
import { connectionOf, orderByOf, pageArguments } from '../core/connections.ts'
import { query } from '../core/operation.ts'
import { atMost, dateTime, id, idOf, int, named } from '../core/types.ts'

/** Headers that are stored of a delivery. A provider has at most three. */
const headersMax = 10

export const deliverySchema = named(
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
    headers: atMost(
      headersMax,
      named('WebhookHeader', 'A header of a delivery.', v.object({ name: v.string(), value: v.string() })),
    ),
    size: v.pipe(int, v.description('Bytes of the body.')),
    sha256: v.pipe(v.string(), v.description('Of the body, hexadecimal.')),
    receivedAt: dateTime,
  }),
)

export const webhookDeliveries = query({
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
  input: v.object({
    integrationId: idOf('integration'),
    ...pageArguments,
    orderBy: orderByOf('WebhookDelivery', ['CREATED_AT']),
  }),
  output: connectionOf('WebhookDelivery', deliverySchema),
})
