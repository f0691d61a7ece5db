/** A gateway with integrations, and what is delivered to them. */
import { objectTypes, operations } from '../../../gateway/operations/operations.ts'
import { type Answer, deliver, type Envelope, type Sender } from '../program/servers/webhookSenders.ts'
import { startTestGateway, type TestGateway, type TestGatewayOptions } from './testGateway.ts'

export interface Integration {
  readonly id: string
  readonly status: string
  readonly webhookUrl: string
  readonly previousSecretUntil: string | null
  readonly lastDeliveryAt: string | null
  readonly deliveryCount: number
}

export const fields = 'id status webhookUrl previousSecretUntil lastDeliveryAt deliveryCount'

/** A gateway with the real operations, and a person who may create integrations. */
export interface WebhookGateway {
  readonly world: TestGateway
  ask<T>(query: string, variables?: Record<string, unknown>): Promise<T>
  /** With the secret that it was given, or that was made for it. */
  integrate(sender: Sender): Promise<{ readonly integration: Integration; readonly secret: string }>
  rotate(sender: Sender, integrationId: string): Promise<{ readonly integration: Integration; readonly secret: string }>
  deliver(url: string, envelope: Envelope): Promise<Answer>
  deliveries(integrationId: string): Promise<readonly Record<string, unknown>[]>
}

let secrets = 0
/** As Linear and Buildkite would show one. */
export const providersSecret = (): string => `lin_wh_${String(++secrets).padStart(32, 'x')}`

export async function startWebhookGateway({ settings, options }: TestGatewayOptions = {}): Promise<WebhookGateway> {
  const world = await startTestGateway({
    settings: { ...settings, limits: { failedLookupsPerMinute: 100_000, ...settings?.limits } },
    options: { operations, objectTypes, ...options },
  })
  const { token } = await world.apiKey((await world.signIn()).userId)
  const ask = async <T>(query: string, variables?: Record<string, unknown>): Promise<T> => {
    const { body } = await world.graphql(query, variables, { 'x-api-key': token })
    if (body.errors) throw new Error(JSON.stringify(body.errors))
    return body.data as T
  }
  const change = async (name: string, type: string, input: Record<string, unknown>) => {
    const text = `mutation ($input: ${type}!) { ${name}(input: $input) { secret integration { ${fields} } } }`
    const made = (await ask<Record<string, { secret: string | null; integration: Integration }>>(text, { input }))[name]
    return { integration: made?.integration as Integration, secret: made?.secret ?? String(input.secret) }
  }
  const given = ({ provider }: Sender) =>
    provider === 'LINEAR' || provider === 'BUILDKITE' ? { secret: providersSecret() } : {}
  return {
    world,
    ask,
    integrate: (sender) => {
      const { provider, scheme } = sender
      const input = { name: provider, provider, ...(scheme && { scheme }), ...given(sender) }
      return change('createIntegration', 'CreateIntegrationInput', input)
    },
    rotate: (sender, integrationId) =>
      change('rotateIntegrationSecret', 'RotateIntegrationSecretInput', { integrationId, ...given(sender) }),
    deliver,
    async deliveries(integrationId) {
      const text = `query ($id: ID!) { webhookDeliveries(integrationId: $id, first: 100) {
        nodes { id status deliveryId event headers { name value } size sha256 receivedAt } } }`
      return (await ask<{ webhookDeliveries: { nodes: Record<string, unknown>[] } }>(text, { id: integrationId }))
        .webhookDeliveries.nodes
    },
  }
}
