/** The keys that are derived from `APP_SECRET` and, if it is set, from `APP_SECRET_PREVIOUS`: one for each purpose. */
import { createHash, hkdfSync } from 'node:crypto'

/**
 * The purposes of keys. The text is part of the key derivation, so no key decrypts what another one encrypted. Never change a text:
 * data that was encrypted for it would become unreadable.
 */
export const purposes = Object.freeze({
  /** Credentials that Signalbox sends to another server: a token for an MCP server, a code host or a build service. */
  externalCredential: 'signalbox: external credential',
  /** The secret with which the sender of a webhook signs. */
  webhookSecret: 'signalbox: webhook secret',
  /** The state of a sign-in at the provider that is in progress. The browser stores it. */
  signInFlow: 'signalbox: sign-in flow',
  /** The token with which Apple identifies a device. */
  deviceToken: 'signalbox: device token',
  /** The challenge that a device must send to be enrolled. Its profile contains it. */
  deviceChallenge: 'signalbox: device challenge',
  /** The file of a signing asset, and its passwords. */
  signingAsset: 'signalbox: signing asset',
  /** Proof that this server created a preview, and for which user. */
  importReview: 'signalbox: import review',
  /** A link by which anyone can download a file for some minutes. */
  downloadLink: 'signalbox: download link',
})

export type Purpose = keyof typeof purposes

/** Purposes of keys that sign and never encrypt. */
export type SigningPurpose = 'importReview' | 'downloadLink'
export type SealingPurpose = Exclude<Purpose, SigningPurpose>

/** Identifies a secret. It is stored beside data that was encrypted or signed under the secret, and does not reveal the secret. */
export type KeyId = string

export class AppKeys {
  readonly currentKeyId: KeyId
  /** The current one first. */
  readonly acceptedKeyIds: readonly KeyId[]
  // A private field, so that no log and no inspection shows a secret.
  readonly #secrets: ReadonlyMap<KeyId, Uint8Array>

  /** @param secret `APP_SECRET`, 32 bytes; @param previous `APP_SECRET_PREVIOUS`: data from it is still accepted */
  constructor(secret: Uint8Array, previous?: Uint8Array) {
    const secrets = previous === undefined ? [secret] : [secret, previous]
    if (secrets.some(({ length }) => length !== 32)) throw new TypeError('A secret has 32 bytes.')
    this.currentKeyId = keyIdOf(secret)
    this.acceptedKeyIds = secrets.map(keyIdOf)
    this.#secrets = new Map(secrets.map((bytes) => [keyIdOf(bytes), bytes]))
  }

  /** Derives 32 bytes with HKDF. Returns undefined if the key ID is neither the current nor the previous secret's. */
  derive(purpose: Purpose, keyId: KeyId): Uint8Array | undefined {
    const secret = this.#secrets.get(keyId)
    return secret && new Uint8Array(hkdfSync('sha256', secret, '', purposes[purpose], 32))
  }
}

function keyIdOf(secret: Uint8Array): KeyId {
  return createHash('sha256').update('signalbox key id').update(secret).digest('hex').slice(0, 16)
}
