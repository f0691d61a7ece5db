/** The webhook deliveries to an integration. */
import * as v from 'valibot'
import { connectionOf, orderByOf, pageArguments } from '../core/connections.ts'
import { query } from '../core/operation.ts'
import { atMost, dateTime, id, idOf, int, named } from '../core/types.ts'

/** The maximum number of build configurations that one push builds. */
export const pushTargetsMax = 20

/** The maximum number of stored headers of a delivery. A provider has at most three. */
const headersMax = 10

export const deliverySchema = named(
  'WebhookDelivery',
  'A webhook that was verified and stored. A repeat creates no second delivery.',
  v.object({
    id,
    status: named(
      'WebhookDeliveryStatus',
      'The status of a delivery.',
      v.picklist(['RECEIVED', 'RECORDED', 'REFUSED', 'EXPIRED']),
    ),
    integrationId: id,
    deliveryId: v.pipe(
      v.nullable(v.string()),
      v.description('The provider’s ID of the delivery. Null if the provider sends none.'),
    ),
    event: v.pipe(v.string(), v.description('The provider’s name of the event.')),
    headers: atMost(
      headersMax,
      named('WebhookHeader', 'A header of a delivery.', v.object({ name: v.string(), value: v.string() })),
    ),
    size: v.pipe(int, v.description('The size of the body in bytes.')),
    sha256: v.pipe(v.string(), v.description('The SHA-256 of the body, hexadecimal.')),
    push: v.pipe(
      v.nullable(
        named(
          'WebhookPush',
          'A commit that was pushed to a branch of a known repository.',
          v.object({
            repositoryId: id,
            branch: v.string(),
            commit: v.pipe(v.string(), v.description('The full hash.')),
            omittedCount: v.pipe(
              int,
              v.description(
                `The number of build configurations that build the branch and were not started, because one push starts at most ${pushTargetsMax}.`,
              ),
            ),
          }),
        ),
      ),
      v.description('Null for another event, a tag, a deleted branch, and an unknown repository.'),
    ),
    receivedAt: dateTime,
  }),
)

export const webhookDeliveries = query({
  name: 'webhookDeliveries',
  description: 'Returns the deliveries to an integration, newest first. A repeat is recognized for 30 days.',
  access: 'people',
  tool: {
    group: 'integrations',
    name: 'get_webhook_deliveries',
    title: 'List webhook deliveries',
    description:
      'Lists the webhook deliveries to an integration, newest first: event, time, size and hash of the body, and the pushed branch and commit. Use it to check ' +
      'whether a provider delivers. Deliveries that failed verification are not in the list.',
  },
  input: v.object({
    integrationId: idOf('integration'),
    ...pageArguments,
    orderBy: orderByOf('WebhookDelivery', ['CREATED_AT']),
  }),
  output: connectionOf('WebhookDelivery', deliverySchema),
})
