/** Resolves a request to exactly one principal, or rejects it. An invalid credential never falls back to anonymous. */

import type { Logger } from 'pino'
import type { Clock } from '../../actors/ports/clock.ts'
import { Failure } from '../../spec/core/failure.ts'
import type { Principal } from '../../spec/core/principal.ts'
import type { RequestHead } from '../http/request.ts'
import type { Limits } from '../limits/limits.ts'
import { ratePolicies } from '../limits/ratePolicies.ts'
import type { UsedCookie } from './cookieRenewals.ts'
import { type Carriers, type Credential, carriersOf, credentialFrom } from './credentials.ts'
import { FailedLookups } from './failedLookups.ts'
import type { Identity, KeyedCredential } from './identities.ts'
import type { PrincipalCache } from './principalCache.ts'

export const anonymous: Principal = Object.freeze({ kind: 'anonymous' })

export interface Authenticated {
  readonly principal: Principal
  /** Undefined for anonymous callers. */
  readonly identity: Identity | undefined
  /** The cookie was invalid and was treated as absent. The response must clear it. */
  readonly clearCookie: boolean
  /** The session cookie that authenticated the caller. */
  readonly cookie?: UsedCookie
}

const notValid = 'The credential is unknown, expired or revoked.'

/** The credential was that of an agent which was revoked. Only a socket gives this reason, to the caller who has the credential. */
export class AgentRevoked extends Failure {
  constructor() {
    super('UNAUTHENTICATED', notValid)
  }
}

const unauthenticated: Authenticated = { principal: anonymous, identity: undefined, clearCookie: false }

export class Authenticator {
  readonly #cache: PrincipalCache
  readonly #lookups: FailedLookups
  readonly #log: Logger

  constructor(cache: PrincipalCache, limits: Limits, clock: Clock, log: Logger) {
    this.#cache = cache
    this.#log = log
    this.#lookups = new FailedLookups(ratePolicies(limits).failedCredentials, limits, clock)
  }

  /** @throws Failure UNAUTHENTICATED, RATE_LIMITED, UNAVAILABLE */
  async request(head: RequestHead, deadCookie: 'refused' | 'absent'): Promise<Authenticated> {
    const credential = credentialFrom(carriersOf(head))
    const fromCookie = 'carrier' in credential && credential.carrier === 'cookie'
    if (!fromCookie) return await this.#resolve(credential, head.address)
    try {
      return withCookie(await this.#resolve(credential, head.address), credential)
    } catch (error) {
      const isDead = deadCookie === 'absent' && error instanceof Failure
      if (isDead && (error.code === 'UNAUTHENTICATED' || error.code === 'RATE_LIMITED'))
        return { ...unauthenticated, clearCookie: true }
      throw error
    }
  }

  /** Authenticates a socket by its connection parameters, or by the cookie of its upgrade. */
  async carriers(carriers: Carriers, address: string): Promise<Authenticated> {
    return await this.#resolve(credentialFrom(carriers), address)
  }

  async #resolve(credential: Credential, address: string): Promise<Authenticated> {
    if (credential.type === 'none') return unauthenticated
    if (credential.type === 'refused') throw new Failure('UNAUTHENTICATED', credential.reason)
    const identity = this.#cache.cached(credential) ?? (await this.#lookUp(credential, address))
    return { principal: identity.principal, identity, clearCookie: false }
  }

  /** Returns the principal of a one-time enrollment token. @throws Failure UNAUTHENTICATED, RATE_LIMITED, UNAVAILABLE */
  async enrollment(token: string, address: string): Promise<Principal> {
    const id = await this.#guarded(address, () => this.#cache.findEnrollment(token))
    return { kind: 'enrollment', enrollmentId: id }
  }

  async #lookUp(credential: KeyedCredential, address: string): Promise<Identity> {
    const found = await this.#guarded(address, () => this.#cache.lookUp(credential))
    if (found !== 'AGENT_REVOKED') return found
    this.#lookups.count(address)
    throw new AgentRevoked()
  }

  async #guarded<T>(address: string, find: () => Promise<T | undefined>): Promise<T> {
    const found = await this.#lookups.run(address, find).catch((error: unknown) => {
      this.#log.error({ err: error }, 'a credential could not be looked up')
      throw new Failure('UNAVAILABLE', 'Credentials cannot be checked now.', { retryAfterMs: 1_000 })
    })
    if (found !== undefined) return found
    this.#lookups.countFailure(address)
    throw new Failure('UNAUTHENTICATED', notValid)
  }
}

function withCookie(who: Authenticated, credential: Credential): Authenticated {
  const { principal, identity } = who
  if (credential.type !== 'session' || principal.kind !== 'user' || identity?.createdAt === undefined) return who
  const { createdAt } = identity
  return { ...who, cookie: { token: credential.token, sessionId: principal.sessionId, createdAt } }
}
