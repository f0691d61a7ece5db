/**
 * How a sealed secret is written: `sealed1.<key ID>.<binding>.<nonce>.<ciphertext and tag>`, the last three in base64url. A
 * change of the form has another first word, and this one is read for ever.
 */
export interface SealedParts {
  readonly keyId: string
  /** SHA-256 of the owner and the origin that it was sealed for: it says which before anything is opened. */
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

/** @returns undefined where the text is not, letter by letter, what `writeSealed` writes. */
export function readSealed(text: string): SealedParts | undefined {
  const [, keyId = '', ...texts] = form.exec(text) ?? []
  const [binding, nonce, sealed] = texts.map((part) => Buffer.from(part, 'base64url'))
  if (!binding || !nonce || !sealed || sealed.length < tagBytes) return undefined
  const parts = { keyId, binding, nonce, ciphertext: sealed.subarray(0, -tagBytes), tag: sealed.subarray(-tagBytes) }
  // The last letter of base64 has bits that mean nothing: with any but zeros there, it is not what was written.
  return writeSealed(parts) === text ? parts : undefined
}

/** What is authenticated with the ciphertext, though it is not secret: everything that says what it is and for whom. */
export function authenticated(purpose: string, { keyId, binding }: Pick<SealedParts, 'keyId' | 'binding'>): Uint8Array {
  return Buffer.from(JSON.stringify([version, purpose, keyId, Buffer.from(binding).toString('base64url')]))
}
