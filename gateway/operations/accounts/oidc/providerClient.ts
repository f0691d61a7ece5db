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
import { type Claims, type Person, readPerson } from './person.ts'
import { signInFailure } from './problems.ts'
import { ProviderConfiguration } from './providerConfiguration.ts'

/** The values against which the provider's answer is checked. */
export interface SignInAttempt {
  readonly state: string
  readonly nonce: string
  /** The code verifier of PKCE. */
  readonly verifier: string
  readonly redirectUri: string
}

interface ProviderClientPorts {
  readonly outbound: Outbound
  readonly clock: Clock
  readonly log: Logger
}

export class ProviderClient {
  readonly #provider: IdentityProvider
  readonly #configuration: ProviderConfiguration
  readonly #log: Logger

  constructor(provider: IdentityProvider, { outbound, clock, log }: ProviderClientPorts) {
    this.#provider = provider
    this.#configuration = new ProviderConfiguration(provider, outbound, () => clock.monotonic())
    this.#log = log
  }

  get id(): string {
    return this.#provider.id
  }

  /** The URL to which the browser is redirected. @throws Failure */
  async authorizationUrl({ state, nonce, verifier, redirectUri }: SignInAttempt, requestId: string): Promise<string> {
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
  async person(query: string, attempt: SignInAttempt, requestId: string): Promise<Person> {
    const claims = await this.#guarded(requestId, (configuration) => this.#claims(configuration, query, attempt))
    return readPerson(claims, this.#provider.id)
  }

  async #claims(configuration: Configuration, query: string, attempt: SignInAttempt): Promise<Claims> {
    const { endpoints, issuer, scopes, requireIssuerValidation } = this.#provider
    const answer = new URL(attempt.redirectUri)
    answer.search = query
    const hasIssuer = endpoints.from !== 'settings' || issuer !== undefined
    if (requireIssuerValidation && !answer.searchParams.has('iss')) throw new Error('the answer has no issuer')
    if (!hasIssuer) answer.searchParams.delete('iss')
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
      this.#log.warn({ requestId, provider: this.#provider.id, ...describeError(error) }, 'provider sign-in failed')
      throw signInFailure(classifyError(error))
    }
  }
}

interface ErrorFields {
  readonly name?: unknown
  readonly message?: unknown
  readonly code?: unknown
  readonly error?: unknown
  readonly error_description?: unknown
  readonly status?: unknown
  readonly cause?: unknown
}

function describeError(error: unknown) {
  const { name, message, code, error: errorCode, error_description: description, cause } = error as ErrorFields
  const inner = cause instanceof Error ? { cause: cause.message } : {}
  return { problem: `${String(name)}: ${String(message)}`, code, errorCode, description, ...inner }
}

/** DNS errors for hosts that only the discovery document names. */
const unresolved: ReadonlySet<unknown> = new Set(['ENOTFOUND', 'EAI_AGAIN'])

function classifyError(error: unknown): 'access_denied' | 'provider_unavailable' | 'provider_failed' {
  if (error instanceof AuthorizationResponseError) {
    if (error.error === 'access_denied') return 'access_denied'
    const isUnavailable = error.error === 'server_error' || error.error === 'temporarily_unavailable'
    return isUnavailable ? 'provider_unavailable' : 'provider_failed'
  }
  const { name, message, code, status, cause } = error as ErrorFields
  if (name === 'TypeError' && message === 'fetch failed') return 'provider_unavailable'
  if (code === 'OAUTH_TIMEOUT' || unresolved.has((cause as ErrorFields | undefined)?.code))
    return 'provider_unavailable'
  const responseStatus = typeof status === 'number' ? status : cause instanceof Response ? cause.status : 0
  return responseStatus >= 500 ? 'provider_unavailable' : 'provider_failed'
}
