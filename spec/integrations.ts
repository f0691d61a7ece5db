/** Integrations: where a provider delivers its webhooks, and the secret that it proves them with. */
import * as v from 'valibot'
import type { ActorRow } from './actor.ts'
import { connectionOf, pageArguments, pageOfRows } from './connections.ts'
import { idempotencyKey } from './enrollments.ts'
import { Failure } from './failure.ts'
import { type Envelope, type MessageContext, mutation, query, type RequestContext } from './operation.ts'
import { principalName } from './principal.ts'
import { oneMessage, rowAt } from './replies.ts'
import { contextOf, initOf, requireRow } from './rows.ts'
import { dateTime, id, idOf, int, named, text, toDateTime } from './types.ts'
import {
  bindingOf,
  factsOf,
  type Provider,
  providers,
  requireSecret,
  type Scheme,
  schemeOf,
  schemes,
} from './webhookProviders.ts'

const provider = named('WebhookProvider', 'Who delivers webhooks.', v.picklist(providers))

const scheme = named(
  'WebhookScheme',
  'How a provider proves that a delivery is its own. An integration has one, and no other counts.',
  v.picklist(schemes),
)

const integrationSchema = named(
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

/** What the views keep of one, without what is sealed. */
interface Kept {
  readonly previousUntil: number | null
  readonly rotatedAt: number | null
  readonly lastDeliveryAt: number | null
  readonly deliveries: number
}

const orNull = (at: number | null): string | null => (at === null ? null : toDateTime(at))

function integrationOf(
  row: ActorRow,
  { baseUrl }: Pick<RequestContext, 'baseUrl'>,
): v.InferInput<typeof integrationSchema> {
  const init = initOf<{ name: string; provider: Provider; scheme: Scheme }>(row)
  const { previousUntil, rotatedAt, lastDeliveryAt, deliveries } = contextOf<Kept>(row)
  return {
    id: row.id,
    status: row.columns.status as v.InferInput<typeof integrationSchema>['status'],
    name: init.name,
    provider: init.provider,
    scheme: init.scheme,
    webhookUrl: `${baseUrl}/api/public/webhooks/${factsOf(init.provider).path}/${row.id}`,
    createdAt: toDateTime(row.createdAt),
    rotatedAt: orNull(rotatedAt),
    previousSecretUntil: orNull(previousUntil),
    lastDeliveryAt: orNull(lastDeliveryAt),
    deliveryCount: deliveries,
  }
}

const integration = query({
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
  read: async (input, context) => {
    const row = await context.views.get(input.id)
    return row === undefined ? null : integrationOf(row, context)
  },
})

const integrations = query({
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
  read: (page, context) =>
    pageOfRows(context.views, { kind: 'integration', terminal: false }, page, (row) => integrationOf(row, context)),
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

/** @returns what is to be sealed; undefined where the provider has it and nobody has given it yet */
function secretFor(
  { provider, scheme }: { readonly provider: Provider; readonly scheme: Scheme },
  given: string | null | undefined,
  { newSecret }: MessageContext,
): string | undefined {
  if (given !== null && given !== undefined) return requireSecret(scheme, given)
  return factsOf(provider).givesSecret ? undefined : newSecret('whsec_').token
}

function setSecret(integrationId: string, provider: Provider, secret: string, { seal }: MessageContext): Envelope {
  const sealed = seal('webhookSecret', secret, bindingOf(integrationId, provider))
  return { to: { kind: 'integration', id: integrationId }, event: { type: 'setSecret', secret: sealed } }
}

const createIntegration = mutation({
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
  translate: (input, context) => {
    const { newId, now, principal } = context
    const kind = { provider: input.provider, scheme: schemeOf(input.provider, input.scheme) }
    const secret = secretFor(kind, input.secret, context)
    const create = { ...kind, name: input.name, createdBy: principalName(principal), createdAt: now }
    const made: Envelope = {
      to: { kind: 'integration', id: newId('integration') },
      event: { type: 'create' },
      create,
    }
    // The secret comes with a message of its own: what an actor was made with is kept for ever.
    const second = secret === undefined ? [] : [sealedFor(kind.provider, secret, context)]
    return {
      messages: [made, ...second],
      answer: (replies) => {
        const last = replies.length - 1
        const shown = input.secret || replies[last]?.repeated ? null : (secret ?? null)
        return { integration: integrationOf(rowAt(replies, last), context), secret: shown }
      },
    }
  },
})

/** For the integration that the first message has made, now or when the request was first carried out. */
function sealedFor(provider: Provider, secret: string, context: MessageContext) {
  return (replies: Parameters<typeof rowAt>[0]): Envelope => setSecret(rowAt(replies).id, provider, secret, context)
}

const rotateIntegrationSecret = mutation({
  name: 'rotateIntegrationSecret',
  description: 'Gives an integration another secret, or its first. The one before counts for 24 hours more.',
  access: 'people',
  input: v.object({ integrationId: idOf('integration'), secret: secretInput, idempotencyKey }),
  output: shownOnce('RotateIntegrationSecretPayload'),
  translate: async ({ integrationId, secret: given }, context) => {
    const kind = initOf<{ provider: Provider; scheme: Scheme }>(
      await requireRow(context.views, 'integration', integrationId),
    )
    const secret = secretFor(kind, given, context)
    if (secret === undefined) {
      const problem = `must be given: ${kind.provider} makes it up`
      throw new Failure('BAD_USER_INPUT', `secret ${problem}.`, { details: { field: 'secret', problem } })
    }
    return {
      messages: [setSecret(integrationId, kind.provider, secret, context)],
      answer: (replies) => ({
        integration: integrationOf(rowAt(replies), context),
        secret: given || replies[0]?.repeated ? null : secret,
      }),
    }
  },
})

const plainChange = { integrationId: idOf('integration'), idempotencyKey }

const toIntegration = (integrationId: string, type: string, context: MessageContext) =>
  oneMessage({ to: { kind: 'integration', id: integrationId }, event: { type } }, (row) => ({
    integration: integrationOf(row, context),
  }))

const finishIntegrationRotation = mutation({
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
  translate: ({ integrationId }, context) => toIntegration(integrationId, 'finishRotation', context),
})

const deleteIntegration = mutation({
  name: 'deleteIntegration',
  description: 'Ends an integration and its secrets: what its provider still delivers is answered 404.',
  access: 'people',
  tool: { group: 'integrations', title: 'Delete an integration', destroys: true, idempotent: true },
  input: v.object(plainChange),
  output: payload('DeleteIntegrationPayload'),
  translate: ({ integrationId }, context) => toIntegration(integrationId, 'delete', context),
})

export const integrationOperations = [
  integration,
  integrations,
  createIntegration,
  rotateIntegrationSecret,
  finishIntegrationRotation,
  deleteIntegration,
]
