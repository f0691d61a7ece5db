import { webhookRoutes } from '../../../../spec/hosts/webhookRoutes.ts'
import { type ServedRoute, served } from '../../restHandler.ts'
import type { WebhookReceiver } from './receiver.ts'

export function servedWebhooks(receiver: WebhookReceiver): readonly ServedRoute[] {
  return [served(webhookRoutes.deliverWebhook, ({ request, params }) => receiver.deliver(request, params))]
}
