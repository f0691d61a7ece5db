/**
 * Stores a delivery durably: first its body, as a stream, then its actor, which notifies the integration. A repeat finds the actor
 * by the delivery's ID or by its body. Of two concurrent deliveries, in one or several processes, the database accepts one.
 */
import type { Logger } from 'pino'
import type { DeliveredPush } from '../../../../machines/hosts/webhookDelivery.ts'
import { webhookBodyStream } from '../../../../machines/hosts/webhookDeliveryKeys.ts'
import { Failure } from '../../../../spec/core/failure.ts'
import { bodyKey, deliveryKey, type Provider } from '../../../../spec/hosts/webhookProviders.ts'
import type { Streams } from '../../../../storage/ports/streams.ts'
import type { Ids } from '../../../ids.ts'
import type { System } from '../../../messages.ts'
import type { TypedViews } from '../../typedViews.ts'
import type { Description } from './description.ts'
import { findPushTargets } from './findPushTargets.ts'
import type { Push } from './readPush.ts'

export interface ReceivedWebhook extends Description {
  readonly integrationId: string
  readonly provider: Provider
  readonly body: Uint8Array
  /** The SHA-256 of the body, hexadecimal. */
  readonly sha256: string
  readonly requestId: string
  readonly receivedAt: number
  /** See `WebhookDeliveryInit`. */
  readonly secretSetAt: number | null | undefined
  /** The commit that was pushed to a branch. Undefined for another event. */
  readonly push: Push | undefined
}

export interface StoredWebhook {
  readonly id: string
  readonly repeated: boolean
}

/** The size of the pieces in which a body is written. One statement contains at most one piece. */
const pieceBytes = 512 * 1024

export interface StoreParts {
  readonly system: System
  readonly streams: Streams
  readonly views: TypedViews
  readonly ids: Ids
  readonly log: Logger
}

export class DeliveryStore {
  readonly #system: System
  readonly #streams: Streams
  readonly #views: TypedViews
  readonly #ids: Ids
  readonly #log: Logger
  /** The deliveries that are being stored, by their keys. Concurrent copies wait for them and write no body. */
  readonly #storing = new Map<string, Promise<unknown>>()

  constructor({ system, streams, views, ids, log }: StoreParts) {
    this.#system = system
    this.#streams = streams
    this.#views = views
    this.#ids = ids
    this.#log = log
  }

  /** Durable when it resolves. @throws Failure UNAVAILABLE */
  async store(delivery: ReceivedWebhook): Promise<StoredWebhook> {
    const keys = keysOf(delivery)
    for (let one = this.#other(keys); one; one = this.#other(keys)) await one.catch(() => {})
    const storing = this.#storeAlone(delivery, keys)
    for (const key of keys) this.#storing.set(key, storing)
    try {
      return await storing
    } finally {
      for (const key of keys) this.#storing.delete(key)
    }
  }

  #other(keys: readonly string[]): Promise<unknown> | undefined {
    return keys.map((key) => this.#storing.get(key)).find((one) => one !== undefined)
  }

  async #storeAlone(delivery: ReceivedWebhook, keys: readonly string[]): Promise<StoredWebhook> {
    const known = await this.#find(keys)
    if (known !== undefined) return { id: known, repeated: true }
    const id = this.#ids.next('webhookDelivery')
    await this.#write(webhookBodyStream(id), delivery)
    const { push } = delivery
    const found = push && (await this.#reached(findPushTargets(push, this.#views)))
    try {
      await this.#make(id, delivery, found)
      return { id, repeated: false }
    } catch (error) {
      // Another process was faster. The body that was written here is deleted with its month.
      const taken = error instanceof Failure && error.code === 'CONFLICT'
      const other = taken ? await this.#find(keys) : undefined
      if (other === undefined) throw error
      return { id: other, repeated: true }
    }
  }

  async #find(keys: readonly string[]): Promise<string | undefined> {
    const rows = await this.#reached(Promise.all(keys.map((key) => this.#views.findByKey('webhookDelivery', key))))
    return rows.find((row) => row !== undefined)?.id
  }

  async #write(stream: string, { body, receivedAt }: ReceivedWebhook): Promise<void> {
    for (let sequence = 0; sequence * pieceBytes < body.length; sequence++) {
      const data = body.subarray(sequence * pieceBytes, (sequence + 1) * pieceBytes)
      const append = { stream, sequence, entries: [{ kind: 'BODY', data }], at: receivedAt }
      await this.#reached(this.#streams.append(append))
    }
  }

  /** If the database is unavailable, the provider must deliver again. */
  async #reached<T>(work: Promise<T>): Promise<T> {
    return await work.catch((error: unknown) => {
      this.#log.error({ err: error }, 'a webhook could not be stored')
      throw new Failure('UNAVAILABLE', 'Webhooks cannot be stored now. Deliver the webhook again later.', {
        retryAfterMs: 1_000,
      })
    })
  }

  async #make(id: string, delivery: ReceivedWebhook, push: DeliveredPush | undefined): Promise<void> {
    const { integrationId, provider, deliveryId, event, headers, body, sha256, receivedAt, requestId, secretSetAt } =
      delivery
    const description = { integrationId, provider, deliveryId, event, headers }
    const create = {
      ...{ ...description, size: body.length, sha256, receivedAt },
      ...(secretSetAt === undefined ? {} : { secretSetAt }),
      ...(push === undefined ? {} : { push }),
    }
    const origin = { cause: 'request', principal: integrationId, requestId, causeId: requestId, receivedAt } as const
    await this.#system.ask({ to: { kind: 'webhookDelivery', id }, event: { type: 'receive' }, create }, origin)
  }
}

function keysOf({ integrationId, deliveryId, sha256 }: ReceivedWebhook): readonly string[] {
  const byBody = bodyKey(integrationId, sha256)
  return deliveryId === null ? [byBody] : [deliveryKey(integrationId, deliveryId), byBody]
}
