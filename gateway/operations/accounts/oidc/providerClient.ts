/** Authenticates a user at the provider: the authorization code flow with PKCE, state and nonce. */

import {
  AuthorizationResponseError,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  type Configuration,
  calculatePKCECodeChallenge,
  fetchUserInfo,
  skipSubjectCheck,
} from 'openid-client'
import type { Logger } from 'pino'
import type { Outbound } from '../../../../actors/effects/outbound/port.ts'
import type { Clock } from '../../../../actors/ports/clock.ts'
import { Failure } from '../../../../spec/core/failure.ts'
import type { IdentityProvider } from '../../../../spec/settings/identityProvider.ts'
import { type Claims, type Person, personOf } from './person.ts'
import { signInFailure } from './problems.ts'
import { ProviderConfiguration } from './providerConfiguration.ts'

/** The values against which the provider's answer is checked. */
export interface Attempt {
  readonly state: string
  readonly nonce: string
  /** The code verifier of PKCE. */
  readonly verifier: string
  readonly redirectUri: string
}

interface Surroundings {
  readonly outbound: Outbound
  readonly clock: Clock
  readonly log: Logger
}

export class ProviderClient {
  readonly #provider: IdentityProvider
  readonly #configuration: ProviderConfiguration
  readonly #log: Logger

  constructor(provider: IdentityProvider, { outbound, clock, log }: Surroundings) {
    this.#provider = provider
    this.#configuration = new ProviderConfiguration(provider, outbound, () => clock.monotonic())
    this.#log = log
  }

  get id(): string {
    return this.#provider.id
  }

  /** The URL to which the browser is redirected. @throws Failure */
  async authorizationUrl({ state, nonce, verifier, redirectUri }: Attempt, requestId: string): Promise<string> {
    return await this.#guarded(requestId, async (configuration) => {
      const url = buildAuthorizationUrl(configuration, {
        redirect_uri: redirectUri,
        scope: this.#provider.scopes.join(' '),
        state,
        nonce,
        code_challenge: await calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
      })
      return url.href
    })
  }

  /** Loads the user that the provider's answer identifies. @param query of the callback @throws Failure */
  async person(query: string, attempt: Attempt, requestId: string): Promise<Person> {
    const claims = await this.#guarded(requestId, (configuration) => this.#claims(configuration, query, attempt))
    return personOf(claims, this.#provider.id)
  }

  async #claims(configuration: Configuration, query: string, attempt: Attempt): Promise<Claims> {
    const { endpoints, issuer, scopes, requireIssuerValidation } = this.#provider
    const answer = new URL(attempt.redirectUri)
    answer.search = query
    const issuerKnown = endpoints.from !== 'settings' || issuer !== undefined
    if (requireIssuerValidation && !answer.searchParams.has('iss')) throw new Error('the answer has no issuer')
    if (!issuerKnown) answer.searchParams.delete('iss')
    const tokens = await authorizationCodeGrant(configuration, answer, {
      expectedState: attempt.state,
      pkceCodeVerifier: attempt.verifier,
      ...(endpoints.from !== 'settings' && scopes.includes('openid')
        ? { expectedNonce: attempt.nonce, idTokenExpected: true }
        : {}),
    })
    const claims = tokens.claims()
    if (claims?.email !== undefined || configuration.serverMetadata().userinfo_endpoint === undefined)
      return claims ?? {}
    return await fetchUserInfo(configuration, tokens.access_token, claims?.sub ?? skipSubjectCheck)
  }

  async #guarded<T>(requestId: string, work: (configuration: Configuration) => Promise<T>): Promise<T> {
    try {
      return await work(await this.#configuration.get())
    } catch (error) {
      if (error instanceof Failure) throw error
      // The error itself is not logged: its cause may contain codes and tokens.
      this.#log.warn({ requestId, provider: this.#provider.id, ...described(error) }, 'provider sign-in failed')
      throw signInFailure(problemOf(error))
    }
  }
}

interface Told {
  readonly name?: unknown
  readonly message?: unknown
  readonly code?: unknown
  readonly error?: unknown
  readonly error_description?: unknown
  readonly status?: unknown
  readonly cause?: unknown
}

function described(error: unknown) {
  const { name, message, code, error: told, error_description: description, cause } = error as Told
  const inner = cause instanceof Error ? { cause: cause.message } : {}
  return { problem: `${String(name)}: ${String(message)}`, code, told, description, ...inner }
}

/** DNS errors for hosts that only the discovery document names. */
const unresolved: ReadonlySet<unknown> = new Set(['ENOTFOUND', 'EAI_AGAIN'])

function problemOf(error: unknown): 'access_denied' | 'provider_unavailable' | 'provider_failed' {
  if (error instanceof AuthorizationResponseError) {
    if (error.error === 'access_denied') return 'access_denied'
    const away = error.error === 'server_error' || error.error === 'temporarily_unavailable'
    return away ? 'provider_unavailable' : 'provider_failed'
  }
  const { name, message, code, status, cause } = error as Told
  if (name === 'TypeError' && message === 'fetch failed') return 'provider_unavailable'
  if (code === 'OAUTH_TIMEOUT' || unresolved.has((cause as Told | undefined)?.code)) return 'provider_unavailable'
  const answered = typeof status === 'number' ? status : cause instanceof Response ? cause.status : 0
  return answered >= 500 ? 'provider_unavailable' : 'provider_failed'
}
