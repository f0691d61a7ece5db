/** Integrations: the address to which a provider delivers its webhooks, and the secret that authenticates them. */
import * as v from 'valibot'
import { connectionOf, pageArguments } from '../core/connections.ts'
import { idempotencyKey } from '../core/idempotencyKey.ts'
import { mutation, query } from '../core/operation.ts'
import { dateTime, id, idOf, int, named, text } from '../core/types.ts'
import { providers, schemes } from './webhookProviders.ts'

export const provider = named('WebhookProvider', 'The provider that delivers webhooks.', v.picklist(providers))

export const scheme = named(
  'WebhookScheme',
  'The scheme with which a provider authenticates its deliveries. An integration accepts only its own scheme.',
  v.picklist(schemes),
)

export const integrationSchema = named(
  'Integration',
  'The address and the secrets with which one provider delivers webhooks. The secrets are never returned.',
  v.object({
    id,
    status: named(
      'IntegrationStatus',
      'The status of an integration. WAITING_FOR_SECRET: it rejects deliveries until it has a secret.',
      v.picklist(['WAITING_FOR_SECRET', 'ACTIVE', 'DELETED']),
    ),
    name: v.string(),
    provider,
    scheme,
    webhookUrl: v.pipe(v.string(), v.description('The URL to configure at the provider.')),
    createdAt: dateTime,
    rotatedAt: v.pipe(
      v.nullable(dateTime),
      v.description('The time at which the secret was last replaced. Null if it never was.'),
    ),
    previousSecretUntil: v.pipe(
      v.nullable(dateTime),
      v.description(
        'The time until which the previous secret is also valid. Null if there is no valid previous secret.',
      ),
    ),
    lastDeliveryAt: v.nullable(dateTime),
    deliveryCount: v.pipe(int, v.description('The number of deliveries, without repeats.')),
  }),
)

export const integration = query({
  name: 'integration',
  description: 'Returns one integration, by its ID.',
  access: 'people',
  tool: {
    group: 'integrations',
    name: 'get_integration',
    title: 'Get an integration',
    description:
      'Returns one integration: the URL to which its provider delivers webhooks, whether it has a secret (never the secret), ' +
      'and the time of the last delivery. `get_webhook_deliveries` returns its deliveries.',
  },
  input: v.object({ id: idOf('integration') }),
  output: v.nullable(integrationSchema),
})

export const integrations = query({
  name: 'integrations',
  description: 'Returns the integrations that were not deleted, newest first.',
  access: 'people',
  tool: {
    group: 'integrations',
    name: 'get_integrations',
    title: 'List integrations',
    description:
      'Lists the integrations with which code hosts and issue trackers deliver webhooks, newest first: provider, URL, status, ' +
      'last delivery.',
  },
  input: v.object(pageArguments),
  output: connectionOf('Integration', integrationSchema),
})

const payload = (typeName: string) =>
  named(typeName, 'The integration after the change.', v.object({ integration: integrationSchema }))

const shownOnce = (typeName: string) =>
  named(
    typeName,
    'The integration after the change, and its secret if the server generated one.',
    v.object({
      integration: integrationSchema,
      secret: v.pipe(
        v.nullable(v.string()),
        v.description(
          'The generated secret, returned once. Null if the request contained the secret, if the secret is still missing, or if the request is a repeat.',
        ),
      ),
    }),
  )

const secretInput = v.pipe(
  v.nullish(text({ min: 1, max: 200 })),
  v.description(
    'The secret with which the provider authenticates its deliveries. If omitted for GitHub or GitLab, the server generates one. Linear and Buildkite generate theirs after they have the URL.',
  ),
)

export const createIntegration = mutation({
  name: 'createIntegration',
  description: 'Creates an integration, to which a provider delivers webhooks.',
  access: 'people',
  input: v.object({
    name: text({ min: 1, max: 100 }),
    provider,
    scheme: v.pipe(
      v.nullish(scheme),
      v.description('The scheme. Only GitLab has more than one. Default for GitLab: STANDARD_WEBHOOKS.'),
    ),
    secret: secretInput,
    idempotencyKey,
  }),
  output: shownOnce('CreateIntegrationPayload'),
})

export const rotateIntegrationSecret = mutation({
  name: 'rotateIntegrationSecret',
  description: 'Sets the first or a new secret of an integration. The previous secret is valid for 24 hours more.',
  access: 'people',
  input: v.object({ integrationId: idOf('integration'), secret: secretInput, idempotencyKey }),
  output: shownOnce('RotateIntegrationSecretPayload'),
})

const plainChange = { integrationId: idOf('integration'), idempotencyKey }

export const finishIntegrationRotation = mutation({
  name: 'finishIntegrationRotation',
  description: 'Invalidates the previous secret of an integration at once, if it is still valid.',
  access: 'people',
  tool: {
    group: 'integrations',
    title: 'Finish a rotation',
    description:
      'Invalidates the previous secret of an integration at once: deliveries that are signed with it are rejected. Use it ' +
      'after the provider has the new secret.',
    destroys: true,
    idempotent: true,
  },
  input: v.object(plainChange),
  output: payload('FinishIntegrationRotationPayload'),
})

export const deleteIntegration = mutation({
  name: 'deleteIntegration',
  description: 'Deletes an integration and its secrets. Later deliveries of its provider are answered with 404.',
  access: 'people',
  tool: { group: 'integrations', title: 'Delete an integration', destroys: true, idempotent: true },
  input: v.object(plainChange),
  output: payload('DeleteIntegrationPayload'),
})
