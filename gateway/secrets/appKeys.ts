/** The keys that come from `APP_SECRET`, and from `APP_SECRET_PREVIOUS` where it is given: one for each purpose. */
import { createHash, hkdfSync } from 'node:crypto'

/**
 * What a key may be for. The text goes into the derivation, so no key opens what another one sealed. Never change one: what
 * was sealed for it could not be read any more.
 */
export const purposes = Object.freeze({
  /** What Signalbox shows to another server: a token for an MCP server, a code host or a build service. */
  externalCredential: 'signalbox: external credential',
  /** What a pipeline's programs may use by name. */
  pipelineSecret: 'signalbox: pipeline secret',
  /** What a webhook's sender signs with. */
  webhookSecret: 'signalbox: webhook secret',
  /** What a browser keeps of a sign-in that is under way at the provider. */
  signInFlow: 'signalbox: sign-in flow',
  /** What Apple knows a device by. */
  deviceToken: 'signalbox: device token',
  /** What a device must show to be enrolled, which stands in the profile that it is given. */
  deviceChallenge: 'signalbox: device challenge',
  /** That a preview was this server's, and whose. */
  importReview: 'signalbox: import review',
})

export type Purpose = keyof typeof purposes

/** Purposes of keys that sign and never seal. */
export type SigningPurpose = 'importReview'
export type SealingPurpose = Exclude<Purpose, SigningPurpose>

/** Stored beside what was made under a secret, and says nothing of it. */
export type KeyId = string

export class AppKeys {
  readonly currentKeyId: KeyId
  /** The current one first. */
  readonly acceptedKeyIds: readonly KeyId[]
  // Private to the language, so that neither a log nor an inspection shows a secret.
  readonly #secrets: ReadonlyMap<KeyId, Uint8Array>

  /** @param secret `APP_SECRET`, 32 bytes; @param previous `APP_SECRET_PREVIOUS`: what was made under it still counts */
  constructor(secret: Uint8Array, previous?: Uint8Array) {
    const secrets = previous === undefined ? [secret] : [secret, previous]
    if (secrets.some(({ length }) => length !== 32)) throw new TypeError('A secret has 32 bytes.')
    this.currentKeyId = keyIdOf(secret)
    this.acceptedKeyIds = secrets.map(keyIdOf)
    this.#secrets = new Map(secrets.map((bytes) => [keyIdOf(bytes), bytes]))
  }

  /** 32 bytes by HKDF; undefined where the secret of that name is neither the current nor the previous one. */
  derive(purpose: Purpose, keyId: KeyId): Uint8Array | undefined {
    const secret = this.#secrets.get(keyId)
    return secret && new Uint8Array(hkdfSync('sha256', secret, '', purposes[purpose], 32))
  }
}

function keyIdOf(secret: Uint8Array): KeyId {
  return createHash('sha256').update('signalbox key id').update(secret).digest('hex').slice(0, 16)
}
