/** The routes to which providers deliver webhooks. */
import * as v from 'valibot'
import { badInput } from '../rest/refusals.ts'
import { restRoute } from '../rest/restRoute.ts'

export const webhookRoutes = {
  deliverWebhook: restRoute({
    name: 'deliverWebhook',
    method: 'POST',
    path: '/api/public/webhooks/{provider}/{integrationId}',
    tag: 'Webhooks',
    summary: 'Deliver a webhook',
    description:
      'Receives a webhook and answers after it is stored. A repeat, recognized by its ID or its body, gets the same answer and changes nothing.',
    access: 'public',
    params: v.object({
      provider: v.pipe(v.string(), v.description('`github`, `gitlab`, `linear` or `buildkite`.')),
      integrationId: v.string(),
    }),
    requestHeaders: {
      'X-Hub-Signature-256': 'GitHub: `sha256=` and the HMAC-SHA256 of the body in hexadecimal.',
      'X-GitHub-Delivery': 'GitHub: the ID of the delivery.',
      'X-GitHub-Event': 'GitHub: the event.',
      'webhook-id': 'GitLab with a signing token: the delivery’s ID.',
      'webhook-timestamp': 'GitLab with a signing token: seconds since 1970.',
      'webhook-signature': 'GitLab with a signing token: signatures of Standard Webhooks, `v1,` and base64.',
      'X-Gitlab-Token': 'GitLab with a secret token: the token.',
      'X-Gitlab-Event': 'GitLab: the event.',
      'Idempotency-Key': 'GitLab: the delivery’s ID.',
      'Linear-Signature': 'Linear: the HMAC-SHA256 of the body in hexadecimal.',
      'Linear-Delivery': 'Linear: the delivery’s ID.',
      'Linear-Event': 'Linear: the event.',
      'X-Buildkite-Signature': 'Buildkite: `timestamp=…,signature=…`.',
      'X-Buildkite-Event': 'Buildkite: the event.',
    },
    rawBody: {
      limit: 'webhookBodyBytes',
      mediaType: 'application/json',
      description: 'The JSON body, with exactly the bytes that the provider signed.',
    },
    answers: {
      202: {
        description: 'The delivery is stored, now or before.',
        body: v.object({
          id: v.pipe(v.string(), v.description('The ID of the stored delivery.')),
          repeated: v.pipe(v.boolean(), v.description('Whether the delivery was already stored.')),
        }),
      },
    },
    refusals: [badInput, 'UNAUTHENTICATED', 'NOT_FOUND', 'RATE_LIMITED', 'INTERNAL_ERROR', 'UNAVAILABLE'],
  }),
} as const
