/** Reads the description of a delivery from its headers: its ID, its event, and further headers of its provider. */
import { isUtf8 } from 'node:buffer'
import { Failure } from '../../../../spec/core/failure.ts'
import type { Provider, Scheme } from '../../../../spec/hosts/webhookProviders.ts'

type Headers = ReadonlyMap<string, string>

export interface Description {
  /** Null if the provider sends none. A repeat is then detected only by its body. */
  readonly deliveryId: string | null
  readonly event: string
  readonly headers: Readonly<Record<string, string>>
}

interface Names {
  readonly event: string
  /** The header names as the provider documents them. */
  readonly id: { readonly header: string; readonly required: boolean } | undefined
  /** Further headers that are stored if they are short and plain. None of them is a credential or a signature. */
  readonly more: readonly string[]
}

/**
 * GitLab's `X-Gitlab-Event-UUID` is no delivery's ID: webhooks that were caused by another webhook share it. `Idempotency-Key`
 * came with GitLab 17.4; `webhook-id` is the same, and signed.
 */
const names: Readonly<Record<Scheme, Names>> = {
  GITHUB_SIGNATURE: {
    event: 'X-GitHub-Event',
    id: { header: 'X-GitHub-Delivery', required: true },
    more: ['X-GitHub-Hook-ID', 'X-GitHub-Hook-Installation-Target-Type', 'X-GitHub-Hook-Installation-Target-ID'],
  },
  STANDARD_WEBHOOKS: {
    event: 'X-Gitlab-Event',
    id: { header: 'webhook-id', required: true },
    more: ['X-Gitlab-Event-UUID', 'X-Gitlab-Webhook-UUID', 'X-Gitlab-Instance'],
  },
  GITLAB_TOKEN: {
    event: 'X-Gitlab-Event',
    id: { header: 'Idempotency-Key', required: false },
    more: ['X-Gitlab-Event-UUID', 'X-Gitlab-Webhook-UUID', 'X-Gitlab-Instance'],
  },
  LINEAR_SIGNATURE: { event: 'Linear-Event', id: { header: 'Linear-Delivery', required: true }, more: [] },
  BUILDKITE_SIGNATURE: { event: 'X-Buildkite-Event', id: undefined, more: ['X-Buildkite-Request'] },
}

const idForm = /^[!-~]{1,200}$/
const eventForm = /^[ -~]{1,200}$/

/** @throws Failure BAD_USER_INPUT naming the header */
export function describe(scheme: Scheme, headers: Headers): Description {
  const { event, id, more } = names[scheme]
  const deliveryId = id && headers.get(id.header.toLowerCase())
  if (id !== undefined && (deliveryId === undefined ? id.required : !idForm.test(deliveryId)))
    throw wrong(id.header, 'must have 1 to 200 visible characters of ASCII')
  const name = headers.get(event.toLowerCase()) ?? ''
  if (!eventForm.test(name)) throw wrong(event, 'must have 1 to 200 characters of ASCII')
  const kept = more.flatMap((header) => {
    const value = headers.get(header.toLowerCase())
    return value !== undefined && eventForm.test(value) ? [[header, value] as const] : []
  })
  return { deliveryId: deliveryId ?? null, event: name, headers: Object.fromEntries(kept) }
}

/** @throws Failure BAD_USER_INPUT if the body is not a JSON object */
export function jsonBody(provider: Provider, body: Uint8Array): Readonly<Record<string, unknown>> {
  const value = isUtf8(body) ? parsed(Buffer.from(body.buffer, body.byteOffset, body.length).toString()) : undefined
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>
  const hint = provider === 'GITHUB' ? ': choose the content type application/json in the webhook’s settings' : ''
  throw wrong('body', `must be a JSON object${hint}`)
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The time of sending in a body of Linear, milliseconds since 1970. @throws Failure BAD_USER_INPUT */
export function linearTime({ webhookTimestamp }: Readonly<Record<string, unknown>>): number {
  if (typeof webhookTimestamp === 'number') return webhookTimestamp
  throw wrong('webhookTimestamp', 'must be a number of milliseconds since 1970')
}

function wrong(field: string, problem: string): Failure {
  return new Failure('BAD_USER_INPUT', `${field} ${problem}.`, { details: { field, problem } })
}
