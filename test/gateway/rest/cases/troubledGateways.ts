/** The servers for calls of REST routes: one that works, and others with a fault. */
import { randomBytes } from 'node:crypto'
import { openSite } from '../../../../clients/console/site.ts'
import type { System } from '../../../../gateway/messages.ts'
import { agentHandlers } from '../../../../gateway/operations/agents/agents.ts'
import type { Operation } from '../../../../gateway/operations/handler.ts'
import { codebaseByPathHandlers } from '../../../../gateway/operations/worktrees/codebaseByPath.ts'
import { AppKeys } from '../../../../gateway/secrets/appKeys.ts'
import { type Sealing, type Sealings, sealingsOf } from '../../../../gateway/secrets/sealing.ts'
import { Failure } from '../../../../spec/core/failure.ts'
import type { RestRoute } from '../../../../spec/rest/restRoute.ts'
import type { Telemetry } from '../../../../storage/ports/telemetry.ts'
import { accountsOf, type Person } from '../../../kit/program/gatewayAccounts.ts'
import { type TestProvider, testProvider } from '../../../kit/program/servers/identityProvider.ts'
import { corp } from '../../../kit/runtime/oidcGateway.ts'
import { startTestGateway, type TestGateway } from '../../../kit/runtime/testGateway.ts'
import { operations } from '../../../kit/runtime/testOperations.ts'
import { bearer, call, type Heard, type Sent, slowBody } from './call.ts'
import { integrationIn } from './integrations.ts'

const plenty = {
  signUpsPerMinute: 100_000,
  signInFailuresPerMinute: 100_000,
  providerSignInsPerMinute: 100_000,
  failedLookupsPerMinute: 100_000,
  webhookBodyBytes: 65_536,
  toolBodyBytes: 65_536,
  attachmentBytes: 65_536,
  diffImageBytes: 65_536,
  diffImagesPerMinute: 100_000,
  toolCallsPerMinute: 100_000,
  deviceRegistrationsPerMinute: 100_000,
  deviceEnrollmentRequestsPerMinute: 100_000,
  telemetryRequestsPerMinute: 100_000,
  crashReportsPerMinute: 100_000,
  unclaimedAppReports: 100_000,
}

interface Trouble {
  /** All ports of its handlers fail with an unexpected error. */
  broken: boolean
  /** No actor has room for another message. */
  busy: boolean
  telemetry: Failure | undefined
}

/** Those that the cases of Tools REST call. */
const toolOperations = [...codebaseByPathHandlers, ...agentHandlers] as readonly Operation[]

export class TroubledGateways {
  readonly world: TestGateway
  /** The provider at which its users sign in. */
  readonly provider: TestProvider
  readonly #trouble: Trouble
  /** Its limits are so low that everybody passes them. */
  readonly #strict: TestGateway
  readonly #strictToken: string
  /** It has passwords turned off, and its provider does not answer. */
  readonly #oidc: TestGateway
  /** It has one account, no provider, and takes one device a minute. */
  readonly #lonely: TestGateway
  readonly #onlyOne: Person
  readonly #sealings: Sealings
  /** A server with low limits. */
  readonly strictIntegration: string

  private constructor(
    [world, provider]: readonly [TestGateway, TestProvider],
    trouble: Trouble,
    sealings: Sealings,
    [strict, strictToken, strictIntegration]: readonly [TestGateway, string, string],
    oidc: TestGateway,
    [lonely, onlyOne]: readonly [TestGateway, Person],
  ) {
    this.world = world
    this.provider = provider
    this.#trouble = trouble
    this.#sealings = sealings
    this.strictIntegration = strictIntegration
    this.#strict = strict
    this.#strictToken = strictToken
    this.#oidc = oidc
    this.#lonely = lonely
    this.#onlyOne = onlyOne
  }

  static async open(): Promise<TroubledGateways> {
    const trouble: Trouble = { broken: false, busy: false, telemetry: undefined }
    let world: TestGateway | undefined
    const system = new Proxy({} as System, {
      get:
        (_, name: keyof System) =>
        (...args: never[]) => {
          if (trouble.busy) return Promise.reject(new Failure('UNAVAILABLE', 'Busy.', { retryAfterMs: 1_000 }))
          if (!world || trouble.broken) return Promise.reject(new Error('something of the inside'))
          return (world.system[name] as (...given: never[]) => unknown).apply(world.system, args)
        },
    })
    const telemetry = new Proxy({} as Telemetry, {
      get:
        (_, name: keyof Telemetry) =>
        (...args: never[]) => {
          const failure = trouble.telemetry ?? (trouble.broken ? new Error('something of the inside') : undefined)
          if (!world || failure) return Promise.reject(failure)
          return (world.storage.telemetry[name] as (...given: never[]) => unknown).apply(world.storage.telemetry, args)
        },
    })
    const sealings = sealingsOf(new AppKeys(randomBytes(32)))
    const signInFlow: Sealing = {
      ...sealings.signInFlow,
      seal(...given) {
        if (trouble.broken) throw new Error('something of the inside')
        return sealings.signInFlow.seal(...given)
      },
    }
    const provider = await testProvider()
    world = await startTestGateway({
      settings: { limits: plenty, authMode: 'both', identityProvider: corp(provider) },
      options: {
        system,
        telemetry,
        sealings: { ...sealings, signInFlow },
        operations: [...operations, ...toolOperations],
        site: await openSite(),
      },
    })
    await provider.up(`${world.url}/api/auth/oauth2/callback/corp`)
    const strict = await startTestGateway({
      settings: {
        limits: {
          ...plenty,
          bodyMs: 150,
          uploadMs: 150,
          uploadRatePeriodMs: 150,
          failedLookupsPerMinute: 1,
          apiKeysPerUser: 1,
          deviceEnrollmentRequestsPerMinute: 1,
          telemetryBytesPerDay: 10,
          crashReportsPerMinute: 1,
        },
      },
      options: { sealings },
    })
    const oidc = await startTestGateway({
      settings: { authMode: 'oidc', identityProvider: corp(await testProvider()) },
    })
    const strictToken = (await strict.signIn()).token
    const lonely = await startTestGateway({
      settings: { limits: { deviceRegistrationsPerMinute: 1, diffImagesPerMinute: 1 } },
    })
    const onlyOne = await accountsOf(() => lonely).newPerson()
    const integration = await integrationIn(strict, sealings)
    return new TroubledGateways([world, provider], trouble, sealings, [strict, strictToken, integration], oidc, [
      lonely,
      onlyOne,
    ])
  }

  async close(): Promise<void> {
    await Promise.all([this.world.stop(), this.#strict.stop(), this.#oidc.stop(), this.#lonely.stop()])
    await this.provider.down()
  }

  call(route: RestRoute, sent: Sent): Promise<Heard> {
    return call(this.world.url, route, sent)
  }

  /** The server with low limits. */
  get strict(): TestGateway {
    return this.#strict
  }

  /** A user whose session this process has cached. */
  async person(): Promise<Person> {
    const { userId, token } = await this.world.signIn()
    await fetch(`${this.world.url}/api/auth/get-session`, { headers: bearer(token) })
    return { userId, token, email: `${userId}@example.com` }
  }

  /** One of GitHub's, where nothing is wrong. */
  integration(): Promise<string> {
    return integrationIn(this.world, this.#sealings)
  }

  /** Calls while actors fail with an unexpected error, and the database works. */
  async whileActorsAreBroken(route: RestRoute, sent: Sent): Promise<Heard> {
    this.#trouble.broken = true
    try {
      return await this.call(route, sent)
    } finally {
      this.#trouble.broken = false
    }
  }

  /** Calls while all ports of handlers fail with an unexpected error. */
  async whileBroken(route: RestRoute, sent: Sent): Promise<Heard> {
    this.#trouble.broken = true
    this.world.away = true
    try {
      return await this.call(route, sent)
    } finally {
      this.#trouble.broken = false
      this.world.away = false
    }
  }

  async whileBusy(route: RestRoute, sent: Sent): Promise<Heard> {
    this.#trouble.busy = true
    try {
      return await this.call(route, sent)
    } finally {
      this.#trouble.busy = false
    }
  }

  /** While telemetry can't be kept or read, for this reason. */
  async whileTelemetryFails(failure: Failure, route: RestRoute, sent: Sent): Promise<Heard> {
    this.#trouble.telemetry = failure
    try {
      return await this.call(route, sent)
    } finally {
      this.#trouble.telemetry = undefined
    }
  }

  async whileDatabaseIsAway(route: RestRoute, sent: Sent): Promise<Heard> {
    this.world.away = true
    try {
      return await this.call(route, sent)
    } finally {
      this.world.away = false
    }
  }

  async pastLimits(route: RestRoute, sent: Sent): Promise<Heard> {
    await call(this.#strict.url, route, sent)
    return await call(this.#strict.url, route, sent)
  }

  /** Calls once more than the rate of an address permits, as a permitted caller. */
  async pastRate(route: RestRoute, sent: Sent): Promise<Heard> {
    const known = { ...sent, headers: bearer(this.#onlyOne.token) }
    await call(this.#lonely.url, route, known)
    return await call(this.#lonely.url, route, known)
  }

  async withoutPasswords(route: RestRoute, sent: Sent): Promise<Heard> {
    return await call(this.#oidc.url, route, { ...sent, headers: bearer((await this.#oidc.signIn()).token) })
  }

  /** A signed-in caller uses the session of its user on that server. */
  withoutProvider(route: RestRoute, sent: Sent): Promise<Heard> {
    return call(this.#lonely.url, route, sent.headers ? { ...sent, headers: bearer(this.#onlyOne.token) } : sent)
  }

  async whileProviderIsAway(route: RestRoute, sent: Sent): Promise<Heard> {
    const headers = sent.headers && bearer((await this.#oidc.signIn()).token)
    return await call(this.#oidc.url, route, headers ? { ...sent, headers } : sent)
  }

  /** Whose account is the only one names it. */
  asTheOnlyOne(route: RestRoute): Promise<Heard> {
    const { userId, token } = this.#onlyOne
    return call(this.#lonely.url, route, { body: { userId }, headers: bearer(token) })
  }

  /** Its body is announced and does not come. @param credential of the caller; a session if it is omitted */
  async slowBody(
    route: RestRoute,
    { headers = {}, ...sent }: Sent,
    credential: Sent['headers'] = bearer(this.#strictToken),
  ): Promise<Heard> {
    const own = { ...credential, ...headers }
    return await slowBody(this.#strict.gateway.port, route, { ...sent, headers: own })
  }
}
