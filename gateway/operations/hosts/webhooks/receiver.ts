/**
 * Receives webhooks of the four providers. Invalid requests are refused as early as possible: a request without an integration
 * before the database or the body is read, and an unsigned request before the body is read. Only verified deliveries are parsed and
 * stored.
 */
import { createHash } from 'node:crypto'
import type { TypedRow } from '../../../../machines/rows.ts'
import { Failure } from '../../../../spec/core/failure.ts'
import { kindOfId } from '../../../../spec/core/ids.ts'
import { type Provider, providerAt, type Scheme } from '../../../../spec/hosts/webhookProviders.ts'
import { FailedLookups } from '../../../auth/failedLookups.ts'
import { json } from '../../../http/answer.ts'
import { checkJsonHeaders } from '../../../http/jsonBody.ts'
import type { HttpRequest } from '../../../http/request.ts'
import type { Answer } from '../../../http/route.ts'
import type { Limits } from '../../../limits/limits.ts'
import { ratePolicies } from '../../../limits/ratePolicies.ts'
import { Semaphore } from '../../../limits/semaphore.ts'
import type { GatewayOptions } from '../../../options.ts'
import { describe, jsonBody, linearTime } from './description.ts'
import { readPush } from './readPush.ts'
import { secretsOf } from './secrets.ts'
import { signatureSchemes } from './signatures.ts'
import { DeliveryStore } from './store.ts'

const skewMs = 5 * 60_000

interface Integration {
  readonly row: TypedRow<'integration'>
  readonly provider: Provider
  readonly scheme: Scheme
}

export class WebhookReceiver {
  readonly #options: GatewayOptions
  readonly #limits: Limits
  readonly #lookups: FailedLookups
  readonly #store: DeliveryStore
  /** A body can be verified only after it was read. So the number of large bodies in memory is limited, and others wait. */
  readonly #large: Semaphore

  constructor(options: GatewayOptions, limits: Limits) {
    this.#options = options
    this.#limits = limits
    this.#lookups = new FailedLookups(ratePolicies(limits).failedWebhooks, limits, options.clock)
    this.#store = new DeliveryStore(options)
    this.#large = new Semaphore(limits.largeWebhooksAtOnce)
  }

  /** @throws Failure NOT_FOUND, UNAUTHENTICATED, BAD_USER_INPUT, PAYLOAD_TOO_LARGE, RATE_LIMITED, UNAVAILABLE */
  async deliver(
    request: HttpRequest,
    params: { readonly provider: string; readonly integrationId: string },
  ): Promise<Answer> {
    const { address } = request
    const found = await this.#find(params.provider, params.integrationId, address)
    if (found === undefined) {
      this.#lookups.countFailure(address)
      throw new Failure('NOT_FOUND', 'The integration does not exist. Check the webhook URL.')
    }
    return await this.#receive(request, found).catch((error: unknown) => {
      if (error instanceof Failure && error.code === 'UNAUTHENTICATED') this.#lookups.countFailure(address)
      throw error
    })
  }

  async #find(path: string, integrationId: string, address: string): Promise<Integration | undefined> {
    const provider = providerAt(path)
    if (provider === undefined || kindOfId(integrationId) !== 'integration') return undefined
    const { views, log } = this.#options
    const row = await this.#lookups
      .run(address, () => views.get('integration', integrationId))
      .catch((error: unknown) => {
        log.error({ err: error }, 'an integration could not be looked up')
        throw new Failure('UNAVAILABLE', 'Webhooks cannot be verified now. Deliver the webhook again later.', {
          retryAfterMs: 1_000,
        })
      })
    if (row === undefined || row.columns.terminal) return undefined
    const init = row.init
    return init.provider === provider ? { row, provider, scheme: init.scheme } : undefined
  }

  async #receive(request: HttpRequest, { row, provider, scheme }: Integration): Promise<Answer> {
    const { headers, receivedAt } = request
    const { sealings, log } = this.#options
    const missing = signatureSchemes[scheme].needs.find((name) => !headers.get(name))
    if (missing !== undefined) throw refused(`The header ${missing} is missing.`)
    checkJsonHeaders(headers)
    const secrets = secretsOf(row, sealings.webhookSecret, receivedAt, log)
    if (secrets.length === 0) throw refused('The integration has no secret yet. Set it with rotateIntegrationSecret.')
    const take = () => this.#take(request, { row, provider, scheme }, secrets)
    const small = Number(headers.get('content-length')) <= this.#limits.smallWebhookBytes
    return await (small ? take() : this.#large.run(take))
  }

  async #take(request: HttpRequest, integration: Integration, secrets: readonly string[]): Promise<Answer> {
    const { headers, receivedAt, requestId } = request
    const { row, provider, scheme } = integration
    const body = await request.body.read(this.#limits.webhookBodyBytes)
    const verdict = signatureSchemes[scheme].verify({ headers, body, secrets })
    if (verdict.type === 'forged')
      throw refused('The signature does not match the body and the secret of the integration.')
    if (verdict.at !== undefined) requireRecent(verdict.at, receivedAt)
    const parsed = jsonBody(provider, body)
    if (scheme === 'LINEAR_SIGNATURE') requireRecent(linearTime(parsed), receivedAt)
    const byPresent = signatureSchemes[scheme].verify({ headers, body, secrets: secrets.slice(0, 1) })
    const description = describe(scheme, headers)
    const delivery = {
      ...description,
      push: readPush(provider, description.event, parsed),
      integrationId: row.id,
      provider,
      body,
      sha256: createHash('sha256').update(body).digest('hex'),
      requestId,
      receivedAt,
      secretSetAt: byPresent.type === 'genuine' ? row.context.rotatedAt : undefined,
    }
    return json(202, await this.#store.store(delivery))
  }
}

/** @throws Failure UNAUTHENTICATED */
function requireRecent(sentAt: number, receivedAt: number): void {
  if (!(Math.abs(receivedAt - sentAt) <= skewMs))
    throw refused('The timestamp of the delivery differs from the server’s time by more than five minutes.')
}

function refused(why: string): Failure {
  return new Failure('UNAUTHENTICATED', why)
}
