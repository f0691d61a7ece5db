/**
 * The format of an encrypted secret: `sealed1.<key ID>.<binding>.<nonce>.<ciphertext and tag>`, the last three in base64url. A new
 * format must have another first word. This format must stay readable.
 */
export interface SealedParts {
  readonly keyId: string
  /** SHA-256 of the owner and the origin for which the secret was encrypted. It can be read without decryption. */
  readonly binding: Uint8Array
  readonly nonce: Uint8Array
  readonly ciphertext: Uint8Array
  readonly tag: Uint8Array
}

const version = 'sealed1'
const tagBytes = 16
const form = /^sealed1\.([0-9a-f]{16})\.([\w-]{43})\.([\w-]{16})\.([\w-]{22,})$/

export function writeSealed({ keyId, binding, nonce, ciphertext, tag }: SealedParts): string {
  const texts = [binding, nonce, Buffer.concat([ciphertext, tag])].map((bytes) =>
    Buffer.from(bytes).toString('base64url'),
  )
  return [version, keyId, ...texts].join('.')
}

/** @returns undefined if the text is not exactly what `writeSealed` writes. */
export function readSealed(text: string): SealedParts | undefined {
  const [, keyId = '', ...texts] = form.exec(text) ?? []
  const [binding, nonce, sealed] = texts.map((part) => Buffer.from(part, 'base64url'))
  if (!binding || !nonce || !sealed || sealed.length < tagBytes) return undefined
  const parts = { keyId, binding, nonce, ciphertext: sealed.subarray(0, -tagBytes), tag: sealed.subarray(-tagBytes) }
  // The last letter of base64 has unused bits. If they are not zeros, `writeSealed` did not write the text.
  return writeSealed(parts) === text ? parts : undefined
}

/** The data that is authenticated with the ciphertext, though it is not secret: version, purpose, key and binding. */
export function authenticated(purpose: string, { keyId, binding }: Pick<SealedParts, 'keyId' | 'binding'>): Uint8Array {
  return Buffer.from(JSON.stringify([version, purpose, keyId, Buffer.from(binding).toString('base64url')]))
}
