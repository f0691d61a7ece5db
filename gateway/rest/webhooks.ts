import { webhookRoutes } from '../../spec/rest/webhookRoutes.ts'
import type { WebhookReceiver } from '../webhooks/receiver.ts'
import { type ServedRoute, served } from './served.ts'

export function servedWebhooks(receiver: WebhookReceiver): readonly ServedRoute[] {
  return [served(webhookRoutes.deliverWebhook, ({ request, params }) => receiver.deliver(request, params))]
}
