/** Integrations: the address to which a provider delivers its webhooks, and the secret that authenticates them. */
import * as v from 'valibot'
import { idempotencyKey } from '../agents/enrollments.ts'
import { connectionOf, pageArguments } from '../core/connections.ts'
import { mutation, query } from '../core/operation.ts'
import { dateTime, id, idOf, int, named, text } from '../core/types.ts'
import { providers, schemes } from './webhookProviders.ts'

export const provider = named('WebhookProvider', 'Who delivers webhooks.', v.picklist(providers))

export const scheme = named(
  'WebhookScheme',
  'How a provider proves that a delivery is its own. An integration has one, and no other counts.',
  v.picklist(schemes),
)

export const integrationSchema = named(
  'Integration',
  'Where one provider delivers its webhooks. Its secrets are never shown again.',
  v.object({
    id,
    status: named(
      'IntegrationStatus',
      'How an integration stands.',
      v.picklist(['WAITING_FOR_SECRET', 'ACTIVE', 'DELETED']),
    ),
    name: v.string(),
    provider,
    scheme,
    webhookUrl: v.pipe(v.string(), v.description('What the provider is to be given.')),
    createdAt: dateTime,
    rotatedAt: v.pipe(v.nullable(dateTime), v.description('When its secret was last replaced.')),
    previousSecretUntil: v.pipe(v.nullable(dateTime), v.description('Until when the secret before counts too.')),
    lastDeliveryAt: v.nullable(dateTime),
    deliveryCount: v.pipe(int, v.description('Repeats are not counted.')),
  }),
)

export const integration = query({
  name: 'integration',
  description: 'One integration, by its ID.',
  access: 'people',
  tool: {
    group: 'integrations',
    name: 'get_integration',
    title: 'Get an integration',
    description:
      'One integration: the URL that its provider delivers webhooks to, whether it has a secret (never the secret), and when it ' +
      'was last delivered to. What came is in `get_webhook_deliveries`.',
  },
  input: v.object({ id: idOf('integration') }),
  output: v.nullable(integrationSchema),
})

export const integrations = query({
  name: 'integrations',
  description: 'The integrations that were not deleted, newest first.',
  access: 'people',
  tool: {
    group: 'integrations',
    name: 'get_integrations',
    title: 'List integrations',
    description:
      'Lists the places where code hosts and issue trackers deliver their webhooks, newest first: provider, URL, status, last ' +
      'delivery.',
  },
  input: v.object(pageArguments),
  output: connectionOf('Integration', integrationSchema),
})

const payload = (typeName: string) =>
  named(typeName, 'The integration after the change.', v.object({ integration: integrationSchema }))

const shownOnce = (typeName: string) =>
  named(
    typeName,
    'The integration after the change, and its secret where the server has made one.',
    v.object({
      integration: integrationSchema,
      secret: v.pipe(
        v.nullable(v.string()),
        v.description(
          'Shown once: null where you gave it, where it is still to be given, and where a repeat is answered.',
        ),
      ),
    }),
  )

const secretInput = v.pipe(
  v.nullish(text({ min: 1, max: 200 })),
  v.description(
    'What the provider signs with. GitHub and GitLab take one of ours, so without it one is made; Linear and Buildkite show theirs once they know the URL.',
  ),
)

export const createIntegration = mutation({
  name: 'createIntegration',
  description: 'Makes a place where a provider delivers its webhooks.',
  access: 'people',
  input: v.object({
    name: text({ min: 1, max: 100 }),
    provider,
    scheme: v.pipe(
      v.nullish(scheme),
      v.description('Only GitLab has more than one; its default is STANDARD_WEBHOOKS.'),
    ),
    secret: secretInput,
    idempotencyKey,
  }),
  output: shownOnce('CreateIntegrationPayload'),
})

export const rotateIntegrationSecret = mutation({
  name: 'rotateIntegrationSecret',
  description: 'Gives an integration another secret, or its first. The one before counts for 24 hours more.',
  access: 'people',
  input: v.object({ integrationId: idOf('integration'), secret: secretInput, idempotencyKey }),
  output: shownOnce('RotateIntegrationSecretPayload'),
})

const plainChange = { integrationId: idOf('integration'), idempotencyKey }

export const finishIntegrationRotation = mutation({
  name: 'finishIntegrationRotation',
  description: 'Ends the secret before the present one at once, where it still counts.',
  access: 'people',
  tool: {
    group: 'integrations',
    title: 'Finish a rotation',
    description:
      'Ends the secret before the present one at once: deliveries that are signed with it are refused from now on. Do so when the ' +
      'provider has the new one.',
    destroys: true,
    idempotent: true,
  },
  input: v.object(plainChange),
  output: payload('FinishIntegrationRotationPayload'),
})

export const deleteIntegration = mutation({
  name: 'deleteIntegration',
  description: 'Ends an integration and its secrets: what its provider still delivers is answered 404.',
  access: 'people',
  tool: { group: 'integrations', title: 'Delete an integration', destroys: true, idempotent: true },
  input: v.object(plainChange),
  output: payload('DeleteIntegrationPayload'),
})
