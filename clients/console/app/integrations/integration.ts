/** An integration as the pages show it, and the operations on it. */
import { graphql, type ResultOf } from '../data/graphql.ts'

export const integrationFragment = graphql(`fragment IntegrationFields on Integration {
  id status name provider scheme webhookUrl createdAt rotatedAt previousSecretUntil lastDeliveryAt deliveryCount
}`)

export type Integration = ResultOf<typeof integrationFragment>

export const createMutation = graphql(
  `mutation ($input: CreateIntegrationInput!) { createIntegration(input: $input) {
    secret integration { ...IntegrationFields }
  } }`,
  [integrationFragment],
)
export const rotateMutation = graphql(
  `mutation ($input: RotateIntegrationSecretInput!) { rotateIntegrationSecret(input: $input) {
    secret integration { ...IntegrationFields }
  } }`,
  [integrationFragment],
)
export const finishMutation = graphql(
  'mutation ($input: FinishIntegrationRotationInput!) { finishIntegrationRotation(input: $input) { integration { id } } }',
)
export const deleteMutation = graphql(
  'mutation ($input: DeleteIntegrationInput!) { deleteIntegration(input: $input) { integration { id } } }',
)

/** The names of the providers are the same in all languages. */
export const providerNames: Readonly<Record<Integration['provider'], string>> = {
  GITHUB: 'GitHub',
  GITLAB: 'GitLab',
  LINEAR: 'Linear',
  BUILDKITE: 'Buildkite',
}

/** The secret of an integration as the server has just returned it. */
export interface NewSecret {
  readonly integration: Integration
  /** Null if the user gave it, if it is still missing, or if the request is a repeat. */
  readonly secret: string | null
  readonly isGiven: boolean
}
