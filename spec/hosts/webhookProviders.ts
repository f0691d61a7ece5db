/** The providers of webhooks, and how each authenticates a delivery. */
import { Failure } from '../core/failure.ts'

export const schemes = [
  'GITHUB_SIGNATURE',
  'STANDARD_WEBHOOKS',
  'GITLAB_TOKEN',
  'LINEAR_SIGNATURE',
  'BUILDKITE_SIGNATURE',
] as const

export type Scheme = (typeof schemes)[number]

interface ProviderFacts {
  /** The provider’s segment of the path. */
  readonly path: string
  /** The first one is the default of an integration. */
  readonly schemes: readonly [Scheme, ...Scheme[]]
  /** Whether the provider generates the secret after it has the URL. The other providers use a secret that Signalbox generates. */
  readonly givesSecret: boolean
  /** The encrypted secret is bound to it. It is not sent anywhere, and a self-hosted server may have another address. */
  readonly origin: string
}

export const webhookProviders = {
  GITHUB: { path: 'github', schemes: ['GITHUB_SIGNATURE'], givesSecret: false, origin: 'https://github.com' },
  GITLAB: {
    path: 'gitlab',
    schemes: ['STANDARD_WEBHOOKS', 'GITLAB_TOKEN'],
    givesSecret: false,
    origin: 'https://gitlab.com',
  },
  LINEAR: { path: 'linear', schemes: ['LINEAR_SIGNATURE'], givesSecret: true, origin: 'https://linear.app' },
  BUILDKITE: {
    path: 'buildkite',
    schemes: ['BUILDKITE_SIGNATURE'],
    givesSecret: true,
    origin: 'https://buildkite.com',
  },
} as const satisfies Readonly<Record<string, ProviderFacts>>

export type Provider = keyof typeof webhookProviders

const facts: Readonly<Record<Provider, ProviderFacts>> = webhookProviders

export const providers = Object.freeze(Object.keys(webhookProviders) as [Provider, ...Provider[]])

export const factsOf = (provider: Provider): ProviderFacts => facts[provider]

/** The provider of a path segment. */
export function providerAt(path: string): Provider | undefined {
  return providers.find((provider) => facts[provider].path === path)
}

/** The binding of an integration's encrypted secret. */
export function bindingOf(
  integrationId: string,
  provider: Provider,
): { readonly owner: string; readonly origin: string } {
  return { owner: integrationId, origin: facts[provider].origin }
}

/** @throws Failure BAD_USER_INPUT if the scheme belongs to another provider */
export function schemeOf(provider: Provider, asked: Scheme | null | undefined): Scheme {
  const { schemes } = facts[provider]
  const scheme = asked ?? schemes[0]
  if (schemes.includes(scheme)) return scheme
  throw wrong('scheme', `must be ${schemes.join(' or ')} for ${provider}`)
}

const tokenForm = /^(?=.{16,200}$)[!-~][ -~]*[!-~]$/
const standardForm = /^whsec_((?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?)$/

/** The signing key of Standard Webhooks; undefined if the text is not such a secret, 24 to 64 bytes. */
export function standardKey(secret: string): Uint8Array | undefined {
  const [, encoded] = standardForm.exec(secret) ?? []
  if (encoded === undefined) return undefined
  const key = Uint8Array.from(atob(encoded), (letter) => letter.charCodeAt(0))
  return key.length >= 24 && key.length <= 64 ? key : undefined
}

/** @throws Failure BAD_USER_INPUT; its message does not contain the secret */
export function requireSecret(scheme: Scheme, secret: string): string {
  if (scheme === 'STANDARD_WEBHOOKS') {
    if (standardKey(secret)) return secret
    throw wrong('secret', 'must be "whsec_" and 24 to 64 bytes in base64')
  }
  if (tokenForm.test(secret)) return secret
  throw wrong('secret', 'must have 16 to 200 ASCII characters, and no space at its ends')
}

function wrong(field: string, problem: string): Failure {
  return new Failure('BAD_USER_INPUT', `${field} ${problem}.`, { details: { field, problem } })
}

/** The keys that detect repeated deliveries. The two have different prefixes, so that one is never taken for the other. */
export const deliveryKey = (integrationId: string, deliveryId: string): string => `id:${integrationId}:${deliveryId}`
export const bodyKey = (integrationId: string, sha256: string): string => `body:${integrationId}:${sha256}`
