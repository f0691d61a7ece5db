import { webhookRoutes } from '../../../../spec/hosts/webhookRoutes.ts'
import { type ServedRoute, serve } from '../../restHandler.ts'
import type { WebhookReceiver } from './receiver.ts'

export function servedWebhooks(receiver: WebhookReceiver): readonly ServedRoute[] {
  return [serve(webhookRoutes.deliverWebhook, ({ request, params }) => receiver.deliver(request, params))]
}
