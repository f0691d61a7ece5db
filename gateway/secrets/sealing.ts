/**
 * Secrets that must be read back, encrypted with AES-256-GCM. Each is bound to its owner and to the origin for which it was saved. If
 * a text is moved to another row, or its server's host changes, it cannot be decrypted.
 */
import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto'
import { type AppKeys, purposes, type SealingPurpose } from './appKeys.ts'
import { authenticated, readSealed, type SealedParts, writeSealed } from './sealedText.ts'

export interface Binding {
  /** The ID of the object that the secret belongs to. */
  readonly owner: string
  /** The URL to which it may be sent. Scheme, host and port count. */
  readonly origin: string
}

export type Opened =
  | { readonly type: 'opened'; readonly secret: string }
  /** `APP_SECRET` has changed, and the secret that encrypted the text is not `APP_SECRET_PREVIOUS`. */
  | { readonly type: 'unknownKey'; readonly keyId: string }
  /** The text was changed, or was encrypted for another purpose. */
  | { readonly type: 'damaged' }
  /** The text is intact but was encrypted for another owner or origin. Delete it and ask the user for the secret again. */
  | { readonly type: 'boundElsewhere' }

export interface Sealing {
  /** The same secret results in another text each time. @throws TypeError if the origin is not an http or https URL */
  seal(secret: string, binding: Binding): string
  /** Never throws. */
  open(sealed: string, binding: Binding): Opened
  /** Whether it can be decrypted only because of `APP_SECRET_PREVIOUS`. Decrypt and re-encrypt it before that secret is removed. */
  needsResealing(sealed: string): boolean
}

/** The encryption for each purpose. */
export type Sealings = Readonly<Record<SealingPurpose, Sealing>>

const cipher = 'aes-256-gcm'
const damaged: Opened = Object.freeze({ type: 'damaged' })

export function sealingsOf(keys: AppKeys): Sealings {
  return {
    externalCredential: sealingFor(keys, 'externalCredential'),
    webhookSecret: sealingFor(keys, 'webhookSecret'),
    signInFlow: sealingFor(keys, 'signInFlow'),
    deviceToken: sealingFor(keys, 'deviceToken'),
    deviceChallenge: sealingFor(keys, 'deviceChallenge'),
    signingAsset: sealingFor(keys, 'signingAsset'),
  }
}

export function sealingFor(keys: AppKeys, purpose: SealingPurpose): Sealing {
  return {
    seal(secret, to) {
      const keyId = keys.currentKeyId
      const key = keys.derive(purpose, keyId)
      const binding = bindingOf(to)
      if (!key || !binding) throw new TypeError('A secret can be encrypted only for an http or https origin.')
      const nonce = randomBytes(12)
      const sealer = createCipheriv(cipher, key, nonce)
      sealer.setAAD(authenticated(purposes[purpose], { keyId, binding }))
      const ciphertext = Buffer.concat([sealer.update(secret, 'utf8'), sealer.final()])
      return writeSealed({ keyId, binding, nonce, ciphertext, tag: sealer.getAuthTag() })
    },
    open(sealed, to) {
      const parts = readSealed(sealed)
      if (!parts) return damaged
      const key = keys.derive(purpose, parts.keyId)
      if (!key) return { type: 'unknownKey', keyId: parts.keyId }
      const secret = decrypt(key, purposes[purpose], parts)
      if (secret === undefined) return damaged
      // Checked last: the binding means something only if the text is intact.
      if (!bindingOf(to)?.equals(parts.binding)) return { type: 'boundElsewhere' }
      return { type: 'opened', secret }
    },
    needsResealing(sealed) {
      const keyId = readSealed(sealed)?.keyId
      return keyId !== undefined && keyId !== keys.currentKeyId && keys.acceptedKeyIds.includes(keyId)
    },
  }
}

function decrypt(key: Uint8Array, purpose: string, parts: SealedParts): string | undefined {
  try {
    const opener = createDecipheriv(cipher, key, parts.nonce)
    opener.setAAD(authenticated(purpose, parts))
    opener.setAuthTag(parts.tag)
    return Buffer.concat([opener.update(parts.ciphertext), opener.final()]).toString('utf8')
  } catch {
    return undefined
  }
}

/** JSON keeps the two values separate. */
function bindingOf({ owner, origin }: Binding): Buffer | undefined {
  const url = URL.canParse(origin) ? new URL(origin) : undefined
  if (url?.protocol !== 'https:' && url?.protocol !== 'http:') return undefined
  return createHash('sha256')
    .update(JSON.stringify([owner, url.origin]))
    .digest()
}
