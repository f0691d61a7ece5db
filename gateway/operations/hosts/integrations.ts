import type * as v from 'valibot'
import { Failure } from '../../../spec/core/failure.ts'
import { principalName } from '../../../spec/core/principal.ts'
import { toDateTime } from '../../../spec/core/types.ts'
import {
  createIntegration,
  deleteIntegration,
  finishIntegrationRotation,
  integration,
  integrationSchema,
  integrations,
  rotateIntegrationSecret,
} from '../../../spec/hosts/integrations.ts'
import {
  bindingOf,
  factsOf,
  type Provider,
  requireSecret,
  type Scheme,
  schemeOf,
} from '../../../spec/hosts/webhookProviders.ts'
import type { Envelope, Reply } from '../../messages.ts'
import { pageOfRows } from '../core/connections.ts'
import { oneMessage, rowAt } from '../core/replies.ts'
import { requireRow } from '../core/rows.ts'
import { handle } from '../handler.ts'
import type { ObjectType } from '../objectType.ts'
import type { RequestContext } from '../requestContext.ts'

const orNull = (at: number | null): string | null => (at === null ? null : toDateTime(at))

export const integrationType: ObjectType<'integration', typeof integrationSchema> = {
  name: 'Integration',
  kind: 'integration',
  schema: integrationSchema,
  relations: {
    deliveries: {
      type: 'connection',
      target: 'WebhookDelivery',
      kind: 'webhookDelivery',
      by: 'scopeId',
      nullable: false,
      description: 'The webhooks that were delivered to the integration, newest first.',
    },
  },
  fromRow: (row, { baseUrl }) => {
    const { name, provider, scheme } = row.init
    const { previousUntil, rotatedAt, lastDeliveryAt, deliveries } = row.context
    return {
      id: row.id,
      status: row.columns.status as v.InferInput<typeof integrationSchema>['status'],
      name,
      provider,
      scheme,
      webhookUrl: `${baseUrl}/api/public/webhooks/${factsOf(provider).path}/${row.id}`,
      createdAt: toDateTime(row.createdAt),
      rotatedAt: orNull(rotatedAt),
      previousSecretUntil: orNull(previousUntil),
      lastDeliveryAt: orNull(lastDeliveryAt),
      deliveryCount: deliveries,
    }
  },
}

/** @returns the secret to encrypt; undefined if the provider generates it and the request does not contain it */
function secretFor(
  { provider, scheme }: { readonly provider: Provider; readonly scheme: Scheme },
  given: string | null | undefined,
  { secrets }: RequestContext<'secrets'>,
): string | undefined {
  if (given !== null && given !== undefined) return requireSecret(scheme, given)
  return factsOf(provider).givesSecret ? undefined : secrets.newSecret('whsec_').token
}

function setSecret(
  integrationId: string,
  provider: Provider,
  secret: string,
  { secrets }: RequestContext<'secrets'>,
): Envelope {
  const sealed = secrets.seal('webhookSecret', secret, bindingOf(integrationId, provider))
  return { to: { kind: 'integration', id: integrationId }, event: { type: 'setSecret', secret: sealed } }
}

/** The second message of createIntegration. The integration exists: this attempt or an earlier one with the same key created it. */
function secretMessage(provider: Provider, secret: string, context: RequestContext<'secrets'>) {
  return (replies: readonly Reply[]): Envelope => setSecret(rowAt('integration', replies).id, provider, secret, context)
}

const toIntegration = (integrationId: string, type: string, context: RequestContext<'presence'>) =>
  oneMessage({ to: { kind: 'integration', id: integrationId }, event: { type } }, (row) => ({
    integration: integrationType.fromRow(row, context),
  }))

export const integrationHandlers = [
  handle(integration, ['views', 'presence'], {
    read: async (input, context) => {
      const row = await context.views.get('integration', input.id)
      return row === undefined ? null : integrationType.fromRow(row, context)
    },
  }),
  handle(integrations, ['views', 'presence'], {
    read: (page, context) =>
      pageOfRows(context.views, { kind: 'integration', terminal: false }, page, (row) =>
        integrationType.fromRow(row, context),
      ),
  }),
  handle(createIntegration, ['presence', 'ids', 'secrets'], {
    translate: (input, context) => {
      const { ids, now, principal } = context
      const webhook = { provider: input.provider, scheme: schemeOf(input.provider, input.scheme) }
      const secret = secretFor(webhook, input.secret, context)
      const create = { ...webhook, name: input.name, createdBy: principalName(principal), createdAt: now }
      const made: Envelope = {
        to: { kind: 'integration', id: ids.newId('integration') },
        event: { type: 'create' },
        create,
      }
      // The secret has a message of its own, because the values with which an actor is created are never deleted.
      const second = secret === undefined ? [] : [secretMessage(webhook.provider, secret, context)]
      return {
        messages: [made, ...second],
        answer: (replies) => {
          const last = replies.length - 1
          // A generated secret is shown once.
          const isShown = !input.secret && !replies[last]?.repeated
          return {
            integration: integrationType.fromRow(rowAt('integration', replies, last), context),
            secret: isShown ? (secret ?? null) : null,
          }
        },
      }
    },
  }),
  handle(rotateIntegrationSecret, ['views', 'presence', 'secrets'], {
    translate: async ({ integrationId, secret: given }, context) => {
      const { init } = await requireRow(context.views, 'integration', integrationId)
      const secret = secretFor(init, given, context)
      if (secret === undefined) {
        const problem = `must be given, because ${init.provider} generates it`
        throw new Failure('BAD_USER_INPUT', `secret ${problem}.`, { details: { field: 'secret', problem } })
      }
      return {
        messages: [setSecret(integrationId, init.provider, secret, context)],
        answer: (replies) => ({
          integration: integrationType.fromRow(rowAt('integration', replies), context),
          // A generated secret is shown once.
          secret: !given && !replies[0]?.repeated ? secret : null,
        }),
      }
    },
  }),
  handle(finishIntegrationRotation, ['presence'], {
    translate: ({ integrationId }, context) => toIntegration(integrationId, 'finishRotation', context),
  }),
  handle(deleteIntegration, ['presence'], {
    translate: ({ integrationId }, context) => toIntegration(integrationId, 'delete', context),
  }),
]
