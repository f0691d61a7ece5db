/**
 * Verifies the signature of a delivery by the scheme of its provider. Comparisons take constant time, use every valid secret, and
 * cover the exact bytes of the body.
 */
import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { type Scheme, standardKey } from '../../../../spec/hosts/webhookProviders.ts'

type Headers = ReadonlyMap<string, string>

export interface Signed {
  readonly headers: Headers
  readonly body: Uint8Array
  /** One or two secrets, none of them empty. */
  readonly secrets: readonly string[]
}

export type Verdict =
  /** `at`: the signed time of sending, milliseconds since 1970; undefined if the signature covers no time. */
  { readonly type: 'genuine'; readonly at: number | undefined } | { readonly type: 'forged' }

export interface SignatureScheme {
  /** The headers that verification requires. If one is missing, the body is not read. */
  readonly needs: readonly string[]
  verify(signed: Signed): Verdict
}

const forged: Verdict = Object.freeze({ type: 'forged' })
const genuine = (at?: number): Verdict => ({ type: 'genuine', at })

const hexForm = /^[0-9a-f]{64}$/i
const secondsForm = /^\d{1,12}$/

function hmac(key: string | Uint8Array, ...parts: readonly (string | Uint8Array)[]): Buffer {
  const digest = createHmac('sha256', key)
  for (const part of parts) digest.update(part)
  return digest.digest()
}

/** Whether a given signature equals an expected one. All pairs are compared, so that the duration reveals nothing. */
function oneFits(given: readonly Uint8Array[], expected: readonly Uint8Array[]): boolean {
  let fits = false
  for (const one of given)
    for (const other of expected) fits = (one.length === other.length && timingSafeEqual(one, other)) || fits
  return fits
}

function plainHex(header: string, prefix = ''): SignatureScheme {
  return {
    needs: [header],
    verify({ headers, body, secrets }) {
      const given = headers.get(header) ?? ''
      const hex = given.slice(prefix.length)
      if (!given.startsWith(prefix) || !hexForm.test(hex)) return forged
      const expected = secrets.map((secret) => hmac(secret, body))
      return oneFits([Buffer.from(hex, 'hex')], expected) ? genuine() : forged
    },
  }
}

/** https://docs.github.com/en/webhooks/using-webhooks/validating-webhook-deliveries */
const github = plainHex('x-hub-signature-256', 'sha256=')

/** https://linear.app/developers/webhooks. The time is in the body, which the signature covers. */
const linear = plainHex('linear-signature')

/** The maximum number of signatures. A sender that rotates its own secret signs with each of a few. */
const mostSignatures = 10

/** https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md */
const standardForm = /^v1,([A-Za-z0-9+/]{43}=)$/
const standardHeaders = ['webhook-id', 'webhook-timestamp', 'webhook-signature']

const standardWebhooks: SignatureScheme = {
  needs: standardHeaders,
  verify({ headers, body, secrets }) {
    const [id = '', seconds = '', signatures = ''] = standardHeaders.map((name) => headers.get(name))
    if (!secondsForm.test(seconds)) return forged
    const given = signatures
      .split(' ', mostSignatures)
      .flatMap((one) => standardForm.exec(one)?.[1] ?? [])
      .map((one) => Buffer.from(one, 'base64'))
    const keys = secrets.flatMap((secret) => standardKey(secret) ?? [])
    const expected = keys.map((key) => hmac(key, `${id}.${seconds}.`, body))
    return oneFits(given, expected) ? genuine(Number(seconds) * 1_000) : forged
  },
}

/** https://docs.gitlab.com/user/project/integrations/webhooks. Tokens are hashed, so that all have one length. */
const gitlabToken: SignatureScheme = {
  needs: ['x-gitlab-token'],
  verify({ headers, secrets }) {
    const digest = (text: string): Buffer => createHash('sha256').update(text).digest()
    return oneFits([digest(headers.get('x-gitlab-token') ?? '')], secrets.map(digest)) ? genuine() : forged
  },
}

const buildkiteForm = /^timestamp=(\d{1,12}),signature=([0-9a-f]{64})$/i

/** https://buildkite.com/docs/apis/webhooks/pipelines */
const buildkite: SignatureScheme = {
  needs: ['x-buildkite-signature'],
  verify({ headers, body, secrets }) {
    const [, seconds, hex] = buildkiteForm.exec(headers.get('x-buildkite-signature') ?? '') ?? []
    if (seconds === undefined || hex === undefined) return forged
    const expected = secrets.map((secret) => hmac(secret, `${seconds}.`, body))
    return oneFits([Buffer.from(hex, 'hex')], expected) ? genuine(Number(seconds) * 1_000) : forged
  },
}

export const signatureSchemes: Readonly<Record<Scheme, SignatureScheme>> = {
  GITHUB_SIGNATURE: github,
  STANDARD_WEBHOOKS: standardWebhooks,
  GITLAB_TOKEN: gitlabToken,
  LINEAR_SIGNATURE: linear,
  BUILDKITE_SIGNATURE: buildkite,
}
